/* The file of counts as a whole, and what becomes of it when writing fails. */
#include "collect/metrics_kit.h"

#include "kit/limits.h"

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
	tap_str(kit_text(FILE_NAME), "old", "a full disk leaves the old file");
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

static int show_status(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return tr2_collect_show_status(&options);
}

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

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_whole, test_all_rules, test_full_disk, test_no_thread);
	tap_int(count_descriptors(), before,
		"no file of counts stays open after a failure");
	test_long_file();
	test_unreadable();
	leave_directory();
	return tap_done();
}
