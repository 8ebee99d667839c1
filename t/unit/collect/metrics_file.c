/* The file of counts as a whole, and what becomes of it when writing fails. */
#include "collect/metrics_kit.h"

#include "kit/limits.h"

#define HEAD(name, help, kind) \
	"# HELP " NAME name " " help "\n# TYPE " NAME name " " kind "\n"
#define ONE(name, help, value) \
	HEAD(name, help, "counter") NAME name " " value "\n"
#define TWO(name, help, kind, a, b)                                            \
	HEAD("output_" name, help, kind)                                       \
	NAME "output_" name "{output=\"files:a\"} " a "\n" NAME "output_" name \
	     "{output=\"\\\\b\"} " b "\n"

static const char service_text[] = ONE(
	"received_total", "Events that were received.",
	"1") ONE("events_total", "Events that were passed to the outputs.",
		 "2") ONE("bytes_total", "Bytes of these events.",
			  "18446744073709551615")
	ONE("dropped_total", "Events that were too long or too many.", "4") ONE(
		"torn_total", "Events that their writers cut short.",
		"5") ONE("connections_total", "Connections of writers.",
			 "6") ONE("refused_total",
				  "Connections of other users.",
				  "7") ONE("crowded_total",
					   "Connections that were too many.",
					   "8")
		ONE("redacted_total", "Events with something to hide.",
		    "9") ONE("unknown_total",
			     "Lines of which nobody knows what to hide.",
			     "10") ONE("set_aside_total",
				       "Broken events set aside.", "11")
			ONE("unkept_total",
			    "Broken events without space to set them aside.",
			    "12") HEAD("broken_total",
				       "Events that break a rule of validate.",
				       "counter") NAME
	"broken_total{rule=\"a.b\"} 3\n";

static const char output_text[] = TWO(
	"passed_total", "Events that the output got.", "counter", "9", "0")
	TWO("missed_total", "Events that the output did not get.", "counter",
	    "2", "0") TWO("waiting", "Events that wait in the spool.", "gauge",
			  "7", "20") TWO("removed_files_total",
					 "Old files that the limit removed.",
					 "counter", "6", "0")
		TWO("refused_spans_total",
		    "Spans that the receiver did not take.", "counter", "7",
		    "0") TWO("outside_total", "Lines that are in no span.",
			     "counter", "8", "0");

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
	output->outside = 8;
}

static void test_whole(void)
{
	char want[8192];

	begin_metrics();
	set_counts();
	snprintf(want, sizeof(want), "%s%s", service_text, output_text);
	tap_str(write_once(), want,
		"the file has each count once, with its help and its kind");
	end_metrics();
}

/* Each of the rows for rules is used. */
static void test_all_rules(void)
{
	static char ids[TR2_FILTER_RULES][8];
	const char *text;
	int i, found = 0;
	char want[64];

	begin_metrics();
	for (i = 0; i < TR2_FILTER_RULES; i++) {
		snprintf(ids[i], sizeof(ids[i]), "r%d", i);
		intake.shown.filter.rules[i] =
			(struct tr2_filter_rule){ ids[i], (uint64_t)i };
	}
	text = write_once();
	for (i = 0; i < TR2_FILTER_RULES; i++) {
		snprintf(want, sizeof(want),
			 NAME "broken_total{rule=\"r%d\"} %d\n", i, i);
		found += strstr(text, want) != NULL;
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

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	test_whole();
	test_all_rules();
	test_full_disk();
	test_no_thread();
	tap_int(count_descriptors(), before,
		"no file of counts stays open after a failure");
	test_long_file();
	leave_directory();
	return tap_done();
}
