/* Counts for --status and Prometheus: each number, and the file that has it. */
#include "collect/metrics_kit.h"

/* Returns the value of a name with its labels, or -1. */
static long find_value(const char *name)
{
	char line[256];
	const char *found;

	snprintf(line, sizeof(line), "\n" NAME "%s ", name);
	found = strstr(kit_text(FILE_NAME), line);
	return found ? atol(found + strlen(line)) : -1;
}

static void test_service(void)
{
	static const struct {
		const char *name;
		long value;
	} rows[] = {
		{ "received_total", 1 },   { "events_total", 2 },
		{ "bytes_total", 3 },	   { "dropped_total", 4 },
		{ "torn_total", 5 },	   { "connections_total", 6 },
		{ "refused_total", 7 },	   { "crowded_total", 8 },
		{ "redacted_total", 9 },   { "unknown_total", 10 },
		{ "set_aside_total", 11 }, { "unkept_total", 12 },
	};
	size_t i;

	begin_metrics();
	intake.shown = (struct tr2_collect_counts){
		1,
		2,
		3,
		4,
		5,
		6,
		7,
		8,
		{ .redacted = 9, .unknown = 10, .aside = 11, .unkept = 12 },
		{ [TR2_DROP_LONG] = 1, [TR2_DROP_SPACE] = 3 },
		13,
		14
	};
	tap_ok(*write_once(), "the end writes the counts");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tap_int(find_value(rows[i].name), rows[i].value, rows[i].name);
	tap_int(find_value("dropped_by_reason_total{reason=\"space\"}"), 3,
		"what was dropped is counted by its reasons");
	tap_int(find_value("dropped_by_reason_total{reason=\"cut\"}"), -1,
		"of those that there were");
	tap_int(find_value("unreadable_files"), 13,
		"files that cannot be read are counted");
	tap_int(find_value("repeats_total"), 14,
		"and those that may have come twice");
	tap_ok(!strncmp(strstr(kit_text(FILE_NAME), "# HELP"),
			"# HELP " NAME "received_total Events that were "
			"received.\n# TYPE " NAME "received_total counter\n",
			100),
	       "each has a text and a type");
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

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_service, test_removed_lines, test_labels, test_renewed);
	tap_int(count_descriptors(), before, "no file of counts stays open");
	test_status();
	leave_directory();
	return tap_done();
}
