/*
 * What a report prints, at once or at the end, and what it leaves out; how
 * many rules were exercised; the texts about rules.
 */
#include "kit/memory.h"
#include "validate/report/report_kit.h"

static void test_live(void)
{
	begin_reports(false);
	reports[0].live = true;
	reports[0].max = 2;
	tr2_report_begin(&reports[0]);
	tap_str(is_printed(), "", "nothing is printed before it must be");
	say_finding(0, 1, 0, 9, "a");
	tap_str(is_printed(), "(a", "a live finding is printed at once");
	say_finding(0, 1, 0, 3, "b");
	say_finding(0, 1, 0, 1, "c");
	tap_str(is_printed(), "(a b", "but not more than are wanted");
	tap_ok(!reports[0].spool.entries.count, "none is kept");
	tap_str(end_alone(), "(a b.", "and then the end");
	tap_int((intmax_t)totals[0].not_shown, 1,
		"live findings that are not shown are counted");
}

/* A finding that no rule has, as of a file that can't be read. */
static void say_without_rule(const char *message)
{
	const struct tr2_finding finding = { .id = "no.such.rule",
					     .file = "file",
					     .line = 1,
					     .column = 1,
					     .message = message };

	tr2_report_finding(&reports[0], &finding);
}

/* Begin anew with one finding of each rule. */
static void begin_limited(bool live)
{
	begin_reports(false);
	free(totals[0].of_rule);
	totals[0].max_per_rule = 1;
	tr2_report_init(&reports[0]);
	reports[0].live = live;
	tr2_report_begin(&reports[0]);
}

static void test_max_per_rule(void)
{
	int live;

	for (live = 1; live >= 0; live--) {
		begin_limited(live);
		say_without_rule("a");
		say_without_rule("b");
		say_finding(0, 1, 0, 2, "c");
		say_finding(0, 1, 0, 3, "d");
		tap_str(end_alone(), "(a b c.",
			live ? "a live report limits each rule, and no other"
			     : "so does one that is sorted");
	}
}

/* Returns the result of ending a report that is printed there. */
static int end_at(const char *path, const char *mode, bool spool_failed)
{
	int i, rc;

	begin_reports(false);
	fclose(printed);
	printed = reports[0].out = fopen(path, mode);
	reports[0].spool.failed = spool_failed;
	rc = tr2_report_end(&reports[0]);
	for (i = 1; i < CHECKERS; i++)
		free(totals[i].of_rule);
	release_reports();
	return rc;
}

static void test_failures(void)
{
	tap_int(end_at("/dev/null", "w", false), 0, "a report comes out");
	tap_int(end_at("/dev/full", "w", false), -1,
		"a report that finds no room has failed");
	tap_int(end_at("/dev/null", "r", false), -1,
		"a report that may not be written has failed");
	tap_int(end_at("/dev/null", "w", true), -1,
		"a report that misses something has failed");
}

/*
 * ---- Totals
 */

/* How many rules are of these chapters, which begin with `word`? */
static size_t rules_of(const char *chapter)
{
	size_t i, sum = 0;

	for (i = 0; i < tr2_rules_count; i++)
		sum += tr2_rules_is_prefix(chapter, tr2_rules[i].id);
	return sum;
}

static size_t rules_of_events(void)
{
	char chapter[64];
	size_t sum = 0;
	int is;

	for (is = 0; is < TR2_IS_OTHER; is++) {
		sprintf(chapter, "event.%s", tr2_schema_rules[is].name);
		sum += rules_of(chapter);
	}
	return sum;
}

static void test_exercised(void)
{
	static unsigned long of_rule[4096];
	struct tr2_totals sums = { .of_rule = of_rule };
	size_t i;

	tap_int((intmax_t)tr2_totals_exercised(&sums), 0,
		"no log is no occasion for any rule");
	sums.events[TR2_IS_VERSION] = 1;
	tap_int((intmax_t)tr2_totals_exercised(&sums),
		(intmax_t)rules_of("event.version"),
		"an event is one for its rules");
	sums.events[TR2_IS_OTHER] = sums.not_shown = sums.microseconds = 7;
	sums.records = 1;
	tap_int((intmax_t)tr2_totals_exercised(&sums),
		(intmax_t)(rules_of("event.version") + rules_of("fxt")),
		"a record is one for those of archives");
	for (i = 0; i < tr2_rules_count; i++)
		of_rule[i] =
			!strcmp(tr2_rules[i].id, "consumer.flamechart.verdict");
	sums.records = sums.events[TR2_IS_VERSION] = 0;
	tap_int((intmax_t)tr2_totals_exercised(&sums),
		(intmax_t)rules_of("consumer.flamechart"),
		"a verdict is one for the program's");
	memset(of_rule, 0, sizeof(of_rule));
	sums.bytes = 1;
	tap_int((intmax_t)tr2_totals_exercised(&sums),
		(intmax_t)(tr2_rules_count - rules_of_events() -
			   rules_of("fxt") - rules_of("consumer")),
		"bytes are one for all the others");
	tap_ok(!tr2_format_find("") && !tr2_format_find("texts"),
	       "other formats are not known");
}

/*
 * ---- Rules
 */

static struct tr2_buf out;

int main(void)
{
	struct tr2_host host = *tr2_host;

	memory_install(&host);
	tap_run(test_live, test_max_per_rule, test_failures, test_exercised);
	tr2_buf_release(&out);
	return tap_done();
}
