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

static void test_order(void)
{
	static const struct tr2_finding findings[] = {
		{ .message = "f",
		  .line = 2,
		  .column = 3,
		  .visit = 3,
		  .part = 1 },
		{ .message = "e",
		  .line = 2,
		  .column = 3,
		  .visit = 2,
		  .part = 2 },
		{ .message = "d",
		  .line = 2,
		  .column = 3,
		  .visit = 2,
		  .part = 1 },
		{ .message = "c",
		  .line = 2,
		  .column = 2,
		  .visit = 9,
		  .width = 8 },
		{ .message = "b",
		  .line = 2,
		  .column = 1,
		  .visit = 9,
		  .width = 9 },
		{ .message = "a",
		  .line = 1,
		  .column = 9,
		  .visit = 9,
		  .part = 9 },
	};
	struct tr2_finding finding;
	size_t i;

	begin_reports(false);
	reports[0].color = true;
	reports[0].max = 5;
	tr2_report_begin(&reports[0]);
	for (i = 0; i < sizeof(findings) / sizeof(findings[0]); i++) {
		finding = findings[i];
		finding.id = "x";
		finding.file = "file";
		tr2_report_finding(&reports[0], &finding);
	}
	tap_str(is_printed(), "", "what has an order is printed in the end");
	tap_str(end_alone(), "(*a *b *c *d *e.",
		"findings are printed in order, with colours");
	tap_int((intmax_t)totals[0].not_shown, 1,
		"findings that are not shown are counted");
}

static void test_selected(void)
{
	struct tr2_selection selection = { 0 };

	begin_reports(false);
	tr2_selection_add(&selection, tr2_rules[2].id, true);
	reports[0].selection = &selection;
	say_finding(0, 1, 0, 1, "a");
	tap_int((intmax_t)totals[0].reported[TR2_WARNING], 1,
		"what is selected is reported");
	tr2_selection_add(&selection, tr2_rules[2].id, false);
	say_finding(0, 1, 0, 2, "b");
	tap_ok(totals[0].reported[TR2_WARNING] == 1 &&
		       totals[0].findings[TR2_WARNING] == 2,
	       "what is not selected is counted");
	reports[0].selection = NULL;
	say_finding(0, 1, 0, 3, "c");
	tap_str(end_alone(), "a c.", "without a selection all is");
	tr2_selection_release(&selection);
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

static void test_nothing_shown(void)
{
	begin_reports(false);
	reports[0].max = 0;
	tr2_report_begin(&reports[0]);
	say_finding(0, 1, 0, 1, "a");
	say_finding(0, 1, 7, 2, "b");
	tap_str(end_alone(), "(.", "nothing is shown");
	tap_int((intmax_t)totals[0].reported[TR2_INFO], 1,
		"what is not shown is counted");
}

/* Of thousands only the first are kept, and the rest is counted. */
static void test_many_findings(void)
{
	unsigned long line;

	begin_reports(false);
	reports[0].max = 1;
	reports[0].spool.limit = 1;
	tr2_report_begin(&reports[0]);
	for (line = 9; line < 9000; line++)
		say_finding(0, 1, 0, line, "late");
	say_finding(0, 1, 0, 1, "first");
	tap_ok(reports[0].spool.entries.count < 8000, "few are kept");
	tap_str(end_alone(), "(first.", "and the first one is shown");
	tap_int((intmax_t)totals[0].not_shown, 8991, "all others are counted");
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

static int runs_out_of_memory(void (*part)(void))
{
	int out;

	begin_reports(false);
	memory_fail(1);
	out = kit_runs_out(part);
	memory_fail(0);
	reports[0].buf.failed = 0;
	end_alone();
	return out;
}

static void begin_report(void)
{
	tr2_report_begin(&reports[0]);
}

static void say_one(void)
{
	say_finding(0, 1, 0, 1, "a");
}

static void test_memory(void)
{
	tap_ok(runs_out_of_memory(begin_report), "a beginning needs memory");
	tap_ok(runs_out_of_memory(say_one), "a finding needs memory");
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

static const char *take_output(void)
{
	static char text[4096];

	memcpy(text, out.bytes, out.len);
	text[out.len] = '\0';
	tr2_buf_reset(&out);
	return text;
}

static void test_rules(void)
{
	static const struct tr2_rule rule = {
		.id = "a.b",
		.level = TR2_WARNING,
		.keyword = "MUST",
		.document = "SPEC.md",
		.anchor = "chapter",
		.sentence = "It is.",
		.why = "It was.",
		.bad = { "one\n\ntwo\x01", 9 },
		.good = { "one\n", 4 },
	};
	struct tr2_rule other = rule;

	tr2_rules_explain(&out, &rule);
	tap_str(take_output(),
		"a.b (warning; SPEC.md#chapter, MUST)\n\nIt is.\n\n"
		"Why: It was.\n\nBad:\n\n    one\n    \n    two?\n"
		"\nGood:\n\n    one\n",
		"a rule is explained");
	other.bad = (struct tr2_example){ NULL, 0 };
	other.good = (struct tr2_example){ "", 0 };
	tr2_rules_explain(&out, &other);
	tap_str(strstr(take_output(), "\nBad:"),
		"\nBad:\n\n    (too long to be shown)\n"
		"\nGood:\n\n    (nothing at all)\n",
		"an example may be none");
	tap_ok(tr2_rules_is_prefix("a", "a") &&
		       tr2_rules_is_prefix("a", "a.b") &&
		       !tr2_rules_is_prefix("a", "ab") &&
		       !tr2_rules_is_prefix("a.b", "a") &&
		       !tr2_rules_is_prefix("b", "a.b"),
	       "an id begins with whole words");
	tap_ok(!tr2_rules_find("a") && !tr2_rules_find("") &&
		       tr2_rules_find(tr2_rules[0].id) == tr2_rules &&
		       tr2_rules_find(tr2_rules[tr2_rules_count - 1].id) ==
			       tr2_rules + tr2_rules_count - 1,
	       "a rule is found by its id");
}

static void test_list(void)
{
	const char *at;
	size_t i, wrong = 0;
	char row[1024];

	tr2_rules_list(&out, NULL, 0);
	at = out.bytes;
	tr2_buf_byte(&out, '\0');
	for (i = 0; i < tr2_rules_count; i++) {
		int len = snprintf(row, sizeof(row), "%s\t%s\t%s\n",
				   tr2_rules[i].id,
				   tr2_level_names[tr2_rules[i].level],
				   tr2_rules[i].sentence);

		at = out.bytes + (at - out.bytes);
		wrong += strncmp(at, row, (size_t)len) != 0;
		at += len;
	}
	tap_int((intmax_t)wrong, 0, "each rule is a row of the list");
	tap_int(*at, 0, "and nothing else is");
	tr2_buf_reset(&out);
}

int main(void)
{
	struct tr2_host host = *tr2_host;

	memory_install(&host);
	test_live();
	test_order();
	test_selected();
	test_max_per_rule();
	test_nothing_shown();
	test_many_findings();
	test_failures();
	test_memory();
	test_exercised();
	test_rules();
	test_list();
	tr2_buf_release(&out);
	return tap_done();
}
