/*
 * Counts for --status and Prometheus: each number, and the file that has it.
 * The file of counts as a whole, and what becomes of it when writing fails.
 */
#include "collect/metrics_kit.h"
#include "kit/limits.h"

/*
 * ---- Metrics
 */

/* Returns the value of a name with its labels, or -1. */
static long find_value(const char *name)
{
	char line[256];
	const char *found;

	snprintf(line, sizeof(line), "\n" NAME "%s ", name);
	found = strstr(file_text(FILE_NAME), line);
	return found ? atol(found + strlen(line)) : -1;
}

/* What only services have whose files or lines had a bad end. */
static void test_reasons(void)
{
	begin_metrics();
	intake.shown = (struct tr2_collect_counts){
		.drops = { [TR2_DROP_LONG] = 1, [TR2_DROP_SPACE] = 3 },
		.unread = 13,
		.repeats = 14,
	};
	write_once();
	tap_int(find_value("dropped_by_reason_total{reason=\"space\"}"), 3,
		"what was dropped is counted by its reasons");
	tap_int(find_value("dropped_by_reason_total{reason=\"cut\"}"), -1,
		"of those that there were");
	tap_int(find_value("unreadable_files"), 13,
		"files that cannot be read are counted");
	tap_int(find_value("repeats_total"), 14,
		"and those that may have come twice");
	tap_str(list_names("spool"), "metrics.prom spool.lock ",
		"nothing else is left");
	end_metrics();
}

/* The journal begins after line 6, and the output has not noticed it yet. */
static void test_removed_lines(void)
{
	struct tr2_journal_segment *segment;

	begin_metrics();
	add_output("a");
	segment = tr2_vec_add(&journal.segments, sizeof(*segment));
	*segment = (struct tr2_journal_segment){ .line = 6, .fd = dup(0) };
	journal.lines = 20;
	options.outputs[0].reader.line = 2;
	options.outputs[0].reader.ahead = 1;
	write_once();
	tap_int(find_value("output_missed_total{output=\"a\"}"), 3,
		"what was removed unread is missed");
	tap_int(find_value("output_waiting{output=\"a\"}"), 15,
		"and waits no more");
	journal.ended = false;
	options.outputs[0].reader.inside = true;
	write_once();
	tap_int(find_value("output_missed_total{output=\"a\"}"), 2,
		"a line that is half read is not missed");
	journal.ended = false;
	options.outputs[0].reader.line = 9;
	write_once();
	tap_int(find_value("output_missed_total{output=\"a\"}"), 0,
		"nor is one that was read before");
	end_metrics();
}

static void test_labels(void)
{
	begin_metrics();
	add_output("files:a\"b\\c\nd");
	write_once();
	tap_int(find_value("output_waiting{output=\"files:a\\\"b\\\\c\\nd\"}"),
		0, "a label has what its quotes need");
	end_metrics();
}

/* While the service runs, the file is renewed. */
static void test_renewed(void)
{
	int i;

	begin_metrics();
	tap_int(tr2_collect_begin_metrics(&metrics), 0, "a thread begins");
	for (i = 0; i < 10000 && !has_file(FILE_NAME); i++)
		take_nap();
	pthread_mutex_lock(&journal.mutex);
	intake.shown.received = 77;
	pthread_mutex_unlock(&journal.mutex);
	for (i = 0; i < 10000 && find_value("received_total") != 77; i++)
		take_nap();
	tap_int(find_value("received_total"), 77, "it renews the file");
	pthread_mutex_lock(&journal.mutex);
	intake.shown.received = 78;
	pthread_mutex_unlock(&journal.mutex);
	tr2_journal_end(&journal);
	tr2_collect_end_metrics(&metrics);
	tap_int(find_value("received_total"), 78, "the end does once more");
	end_metrics();
}

/*
 * ---- --status
 */

static int show_status(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return tr2_collect_show_status(&options);
}

static void test_status(void)
{
	struct stat st;

	options.spool = "spool";
	tap_int(kit_call(show_status, "x"), 3, "without a file there is none");
	tap_str(kit_said[2],
		"trace2 collect: No such file or directory: "
		"spool/metrics.prom\n",
		"and the file is named");
	mkdir("spool", 0700);
	write_file(FILE_NAME, "text 1\n");
	stat(FILE_NAME, &st);
	set_time(st.st_mtime + 5);
	tap_int(kit_call(show_status, "x"), 0, "the status is printed");
	tap_str(kit_said[1], "# written 5 s ago\ntext 1\n", "with its age");
	set_time(st.st_mtime);
	kit_call(show_status, "x");
	tap_str(kit_said[1], "# written 0 s ago\ntext 1\n", "which may be 0");
	set_time(st.st_mtime - 7);
	kit_call(show_status, "x");
	tap_str(kit_said[1],
		"# written 7 s in the future: the clock was set\ntext 1\n",
		"or less");
	set_time(0);
	remove_all("spool");
}

static void run_metrics(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_reasons, test_removed_lines, test_labels, test_renewed);
	tap_int(count_descriptors(), before, "no file of counts stays open");
	test_status();
	leave_directory();
}

/*
 * ---- Metrics file
 */

static const char *const service_rows[][3] = {
	{ "received_total", "Events that were received.", "1" },
	{ "events_total", "Events that were passed to the outputs.", "2" },
	{ "bytes_total", "Bytes of these events.", "18446744073709551615" },
	{ "dropped_total", "Events that were too long or too many.", "4" },
	{ "torn_total", "Events that their writers cut short.", "5" },
	{ "connections_total", "Connections of writers.", "6" },
	{ "refused_total", "Connections of other users.", "7" },
	{ "crowded_total", "Connections that were too many.", "8" },
	{ "redacted_total", "Events with something to hide.", "9" },
	{ "unknown_total", "Lines of which nobody knows what to hide.", "10" },
	{ "set_aside_total", "Broken events set aside.", "11" },
	{ "unkept_total", "Broken events without space to set them aside.",
	  "12" },
};

/* Name, help, kind, and the values of two outputs. */
static const char *const output_rows[][5] = {
	{ "passed_total", "Events that the output got.", "counter", "9", "0" },
	{ "missed_total", "Events that the output did not get.", "counter", "2",
	  "0" },
	{ "waiting", "Events that wait in the spool.", "gauge", "7", "20" },
	{ "removed_files_total", "Old files that the limit removed.", "counter",
	  "6", "0" },
	{ "refused_spans_total", "Spans that the receiver did not take.",
	  "counter", "7", "0" },
	{ "unread_answers_total",
	  "Answers of the receiver that could not be read.", "counter", "4",
	  "0" },
	{ "outside_total", "Lines that are in no span.", "counter", "8", "0" },
	{ "refused_total", "Events that the receiver did not take.", "counter",
	  "0", "0" },
	{ "failures_total", "Writes that failed, as on a full disk.", "counter",
	  "0", "0" },
};

static char want[8192];

static void want_head(const char *name, const char *help, const char *kind)
{
	size_t len = strlen(want);

	snprintf(want + len, sizeof(want) - len,
		 "# HELP " NAME "%s %s\n# TYPE " NAME "%s %s\n", name, help,
		 name, kind);
}

static void want_value(const char *name, const char *labels, const char *value)
{
	size_t len = strlen(want);

	snprintf(want + len, sizeof(want) - len, NAME "%s%s %s\n", name, labels,
		 value);
}

static void want_all(void)
{
	char name[64];
	size_t i;

	snprintf(want, sizeof(want),
		 "# events were lost: 26 dropped, 2 missed "
		 "by outputs, 0 refused by receivers\n");
	for (i = 0; i < sizeof(service_rows) / sizeof(service_rows[0]); i++) {
		want_head(service_rows[i][0], service_rows[i][1], "counter");
		want_value(service_rows[i][0], "", service_rows[i][2]);
	}
	want_head("heartbeat_seconds", "When this was written, since 1970.",
		  "gauge");
	want_value("heartbeat_seconds", "", "0");
	want_head("spool_bytes", "Bytes of events in the spool.", "gauge");
	want_value("spool_bytes", "", "0");
	want_head("spool_errors_total",
		  "Times that the disk refused space for events.", "counter");
	want_value("spool_errors_total", "", "0");
	want_head("broken_total", "Events that break a rule of validate.",
		  "counter");
	want_value("broken_total", "{rule=\"a.b\"}", "3");
	for (i = 0; i < sizeof(output_rows) / sizeof(output_rows[0]); i++) {
		snprintf(name, sizeof(name), "output_%s", output_rows[i][0]);
		want_head(name, output_rows[i][1], output_rows[i][2]);
		want_value(name, "{output=\"files:a\"}", output_rows[i][3]);
		want_value(name, "{output=\"\\\\b\"}", output_rows[i][4]);
	}
}

static void set_counts(void)
{
	struct tr2_delivery *output = options.outputs;

	intake.shown = (struct tr2_collect_counts){
		.received = 1,
		.lines = 2,
		.bytes = UINT64_MAX,
		.dropped = 4,
		.torn = 5,
		.connections = 6,
		.refused = 7,
		.crowded = 8,
		.filter = { .redacted = 9,
			    .unknown = 10,
			    .aside = 11,
			    .unkept = 12,
			    .rules = { { "a.b", 3 } } },
	};
	add_output("files:a");
	add_output("\\b");
	journal.lines = 20;
	output->line = 2;
	output->told = 3;
	output->reader.line = 13;
	output->reader.missed = 5;
	output->removed = 6;
	output->refused = 7;
	output->unread = 4;
	output->outside = 8;
}

/* The time of day is 0 in what is compared. */
static const char *stop_clock(const char *written)
{
	static char text[sizeof(want)];
	static const char name[] = "\n" NAME "heartbeat_seconds ";
	char *line;

	snprintf(text, sizeof(text), "%s", written);
	line = strstr(text, name);
	if (line) {
		line += sizeof(name) - 1;
		tap_ok(strtol(line, NULL, 10) > 1700000000,
		       "the heartbeat is the time of day");
		*line = '0';
		memmove(line + 1, strchr(line, '\n'),
			strlen(strchr(line, '\n')) + 1);
	}
	return text;
}

static void test_whole(void)
{
	begin_metrics();
	set_counts();
	want_all();
	tap_str(stop_clock(write_once()), want,
		"the file has each count once, with its help and its kind");
	end_metrics();
}

/* Each of the rows for rules is used. */
static void test_all_rules(void)
{
	static char ids[TR2_FILTER_RULES][8];
	const char *text;
	int i, found = 0;
	char row[64];

	begin_metrics();
	for (i = 0; i < TR2_FILTER_RULES; i++) {
		snprintf(ids[i], sizeof(ids[i]), "r%d", i);
		intake.shown.filter.rules[i] =
			(struct tr2_filter_rule){ ids[i], (uint64_t)i };
	}
	text = write_once();
	for (i = 0; i < TR2_FILTER_RULES; i++) {
		snprintf(row, sizeof(row),
			 NAME "broken_total{rule=\"r%d\"} %d\n", i, i);
		found += strstr(text, row) != NULL;
	}
	tap_int(found, TR2_FILTER_RULES, "as many rules are counted as may be");
	end_metrics();
}

/* A spool that is full before the file is whole. */
static void test_full_disk(void)
{
	begin_metrics();
	set_counts();
	write_file(FILE_NAME, "old");
	limit_disk(100);
	write_once();
	free_disk();
	tap_str(file_text(FILE_NAME), "old", "a full disk leaves the old file");
	tap_ok(!has_file("spool/metrics.partial"),
	       "and the part that was written goes");
	end_metrics();
}

static void test_no_thread(void)
{
	int error;

	begin_metrics();
	limit_threads(1);
	error = tr2_collect_begin_metrics(&metrics);
	limit_threads(0);
	tap_ok(error > 0, "a thread that can't begin is told");
	end_metrics();
}

/*
 * ---- --status
 */

static void test_long_file(void)
{
	static char text[10001];
	const char *printed;

	mkdir("spool", 0700);
	memset(text, 'x', sizeof(text) - 1);
	write_file(FILE_NAME, text);
	options.spool = "spool";
	kit_call(show_status, "x");
	printed = strchr(kit_said[1], '\n');
	tap_ok(printed && !strcmp(printed + 1, text),
	       "a long file of counts is printed whole");
	remove_all("spool");
}

/* A directory can be opened, but not read. */
static void test_unreadable(void)
{
	mkdir("spool", 0700);
	mkdir(FILE_NAME, 0700);
	options.spool = "spool";
	tap_int(kit_call(show_status, "x"), 3,
		"counts that can't be read are a failure");
	tap_str(kit_said[2], "trace2 collect: Is a directory: " FILE_NAME "\n",
		"with their file, and the reason");
	remove_all("spool");
}

static void run_metrics_file(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_whole, test_all_rules, test_full_disk, test_no_thread);
	tap_int(count_descriptors(), before,
		"no file of counts stays open after a failure");
	test_long_file();
	test_unreadable();
	leave_directory();
}

int main(void)
{
	tap_run(run_metrics, run_metrics_file);
	return tap_done();
}
