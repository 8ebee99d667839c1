/*
 * The reports of several checkers become one: sums, and findings about one
 * file that several of them made.
 */
#include "report/report_kit.h"

static unsigned long of_rule[4096];
static int broken;

/* Merge all into the first one. What it prints then; valid until then. */
static const char *merge_reports(void)
{
	const char *text;
	size_t size = tr2_rules_count * sizeof(*of_rule);
	int i;

	for (i = 1; i < CHECKERS; i++)
		tr2_merge_report(&reports[0], &reports[i]);
	tr2_merge_end(&reports[0]);
	memcpy(of_rule, totals[0].of_rule, size);
	broken += !kit_is_whole(totals[0].of_rule);
	tr2_report_end(&reports[0]);
	text = is_printed();
	release_reports();
	return text;
}

static void test_onces(void)
{
	static const struct tr2_finding unknown = {
		.id = "no.such.rule",
		.file = "file",
		.line = 1,
		.column = 1,
		.message = "x",
		.visit = 1,
		.once = 5,
	};
	int i;

	begin_reports(false);
	say_finding(0, 1, 7, 5, "c");
	say_finding(1, 1, 7, 3, "a");
	say_finding(2, 1, 7, 9, "e");
	say_finding(0, 1, 7, 4, "b");
	tap_str(merge_reports(), "a.", "of what is said once the first stays");
	tap_ok(totals[0].reported[TR2_INFO] == 1 &&
		       totals[0].findings[TR2_INFO] == 1 &&
		       !totals[0].reported[TR2_WARNING] && of_rule[2] == 1,
	       "what was said again is not counted");
	begin_reports(false);
	say_finding(1, 1, 7, 3, "a");
	say_finding(1, 2, 7, 4, "b");
	say_finding(0, 1, 8, 5, "c");
	say_finding(0, 2, 8, 6, "d");
	say_finding(2, 1, 9, 7, "e");
	say_finding(2, 1, 0, 8, "f");
	say_finding(1, 1, 0, 9, "g");
	say_finding(0, 2, 8, 7, "h");
	say_finding(1, 2, 7, 2, "i");
	tap_str(merge_reports(), "i a c d e f g.",
		"what is said of two files or two things is not the same");
	tap_ok(totals[0].reported[TR2_WARNING] == 4 &&
		       totals[0].reported[TR2_INFO] == 3,
	       "each level is counted");
	begin_reports(false);
	for (i = 0; i < CHECKERS; i++)
		tr2_report_finding(&reports[i], &unknown);
	tap_str(merge_reports(), "x.", "what no rule is for is said once, too");
	begin_reports(false);
	tap_str(merge_reports(), ".", "nothing is merged, too");
}

/* A finding that was removed is after the last one. */
/* Two findings of the first rule, and two of the last. */
static void say_twice(int checker, unsigned visit, const char *const *messages)
{
	struct tr2_finding finding = { .file = "file",
				       .column = 1,
				       .visit = visit };
	int i;

	for (i = 0; i < 4; i++) {
		finding.id = tr2_rules[i < 2 ? 0 : tr2_rules_count - 1].id;
		finding.line = (unsigned long)i + 1;
		finding.message = messages[i];
		tr2_report_finding(&reports[checker], &finding);
	}
}

/* A limit of each rule is one of all checkers together. */
static void test_limit_of_rules(void)
{
	static const char *const messages[][4] = { { "e", "f", "g", "h" },
						   { "a", "b", "c", "d" } };
	int i;

	begin_reports(false);
	for (i = 0; i < CHECKERS; i++) {
		free(totals[i].of_rule);
		totals[i].max_per_rule = 1;
		tr2_report_init(&reports[i]);
	}
	say_twice(0, 2, messages[0]);
	say_twice(1, 1, messages[1]);
	tap_str(merge_reports(), "a c.",
		"of each rule the first finding of all is shown");
	tap_int((intmax_t)totals[0].not_shown, 6, "the others are counted");
}

static void test_last_once(void)
{
	begin_reports(false);
	say_finding(0, 1, 7, 5, "a");
	say_finding(0, 1, 7, 6, "b");
	reports[0].onces.count--;
	tr2_merge_end(&reports[0]);
	tap_str(end_alone(), "a b.", "only what was said is said again");
}

static void test_many_onces(void)
{
	unsigned long i, wrong = 0;
	static char message[3000][2];
	static const unsigned visit[] = { 3, 1, UINT32_MAX, 2 };

	begin_reports(false);
	reports[0].max = 40;
	for (i = 0; i < 3000; i++) {
		message[i][0] = (char)('a' + i % 26);
		say_finding((int)(i % 3), visit[i / 3 % 4],
			    2 + i / 3 * 7 % 1000, i, message[i]);
	}
	merge_reports();
	for (i = 0; i < tr2_rules_count; i++)
		wrong += of_rule[i] != (i == 2 ? 1000 : 0);
	tap_int((intmax_t)wrong, 0, "rules are counted once for each");
	tap_int((intmax_t)(totals[0].reported[TR2_INFO] +
			   totals[0].reported[TR2_WARNING]),
		1000, "many things are said once each");
	tap_int((intmax_t)totals[0].not_shown, 960,
		"the others are not among those not shown");
}

static void test_totals(void)
{
	int i, wrong = 0;
	size_t rule;

	begin_reports(false);
	for (i = 0; i < CHECKERS; i++) {
		totals[i].processes = 1 + (unsigned)i;
		totals[i].records = 10 + (unsigned)i;
		totals[i].events[0] = 100;
		totals[i].events[TR2_IS_OTHER] = 200 + (unsigned)i;
		totals[i].findings[TR2_ERROR] = 1;
		totals[i].findings[TR2_INFO] = 2;
		totals[i].reported[TR2_ERROR] = 3;
		totals[i].reported[TR2_INFO] = 4;
		totals[i].files = totals[i].bytes = 5;
		for (rule = 0; rule < tr2_rules_count; rule++)
			totals[i].of_rule[rule] = rule + (unsigned)i;
	}
	merge_reports();
	tap_ok(totals[0].processes == 6 && totals[0].records == 33 &&
		       totals[0].events[0] == 300 && totals[0].events[1] == 0 &&
		       totals[0].events[TR2_IS_OTHER] == 603,
	       "events are summed up");
	tap_int((intmax_t)totals[0].findings[TR2_ERROR], 3,
		"errors are summed up");
	tap_int((intmax_t)totals[0].findings[TR2_WARNING], 0,
		"no warnings are none");
	tap_int((intmax_t)totals[0].findings[TR2_INFO], 6,
		"notes are summed up");
	tap_int((intmax_t)totals[0].reported[TR2_ERROR], 9,
		"errors that are reported are summed up");
	tap_int((intmax_t)totals[0].reported[TR2_INFO], 12,
		"notes that are reported are summed up");
	tap_ok(totals[0].files == 5 && totals[0].bytes == 5,
	       "files are the reader's");
	for (rule = 0; rule < tr2_rules_count; rule++)
		wrong += of_rule[rule] != 3 * rule + 3;
	tap_int(wrong, 0, "rules are summed up");
}

static void write_by(int checker, uint64_t sid, const char *exe)
{
	struct tr2_writer_count writer = { .visit = 1, .line = sid };

	strcpy(writer.name, exe);
	tr2_statistics_writer(&statistics[checker], sid, &writer);
	tr2_statistics_session(&statistics[checker], sid);
}

static unsigned long findings_of(const char *exe)
{
	size_t i;

	for (i = 0; i < statistics[0].writers.count; i++)
		if (!strcmp(tr2_writer_at(&statistics[0], i)->name, exe))
			return tr2_writer_at(&statistics[0], i)->findings;
	return 99;
}

static void test_writers(void)
{
	unsigned long one, two, three;
	int i;

	begin_reports(true);
	write_by(0, 1, "one");
	say_finding(0, 1, 7, 5, "c");
	write_by(1, 2, "two");
	write_by(1, 3, "three");
	say_finding(1, 1, 7, 9, "a");
	write_by(2, 4, "two");
	say_finding(2, 1, 7, 3, "e");
	say_finding(2, 1, 8, 9, "f");
	for (i = 1; i < CHECKERS; i++)
		tr2_merge_report(&reports[0], &reports[i]);
	tr2_merge_end(&reports[0]);
	one = findings_of("one");
	two = findings_of("two");
	three = findings_of("three");
	tap_ok(one == 0 && two == 2 && three == 0,
	       "the writer of what stays has the finding");
	tr2_report_end(&reports[0]);
	release_reports();
}

static void test_writers_order(void)
{
	int i;

	begin_reports(true);
	write_by(0, 2, "later");
	write_by(0, 1, "sooner");
	for (i = 1; i < CHECKERS; i++)
		free(totals[i].of_rule);
	tr2_report_end(&reports[0]);
	tap_str(tr2_writer_at(&statistics[0], 1)->name, "sooner",
		"writers are told in their order");
	release_reports();
}

static bool is_met(const struct tr2_writer_count *writer,
		   const struct tr2_writer_count *place)
{
	return writer->visit == place->visit && writer->line == place->line &&
	       writer->part == place->part;
}

static void test_writers_places(void)
{
	static const struct {
		const char *name;
		unsigned visit;
		unsigned long line;
		unsigned part;
		bool sooner;
	} places[] = {
		{ "a part behind it is later", 2, 4, 7, false },
		{ "a line behind it is", 2, 5, 1, false },
		{ "a log behind it is", 3, 1, 1, false },
		{ "a part before it is sooner", 2, 4, 5, true },
		{ "a line before it is", 2, 3, 7, true },
		{ "a log before it is", 1, 9, 9, true },
	};
	struct tr2_statistics one, two;
	struct tr2_writer_count here = { "w", 2, 4, 6, 0, 0 }, there = here;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		there.visit = places[i].visit;
		there.line = places[i].line;
		there.part = places[i].part;
		tr2_statistics_init(&one);
		tr2_statistics_init(&two);
		tr2_statistics_writer(&one, 1, &here);
		tr2_statistics_writer(&two, 2, &there);
		tr2_statistics_merge(&one, &two);
		tap_ok(is_met(tr2_writer_at(&one, 1),
			      places[i].sooner ? &there : &here),
		       places[i].name);
		tr2_statistics_release(&one);
		tr2_statistics_release(&two);
	}
}

static void use_all(void)
{
	int i;

	begin_reports(false);
	for (i = 0; i < CHECKERS; i++) {
		say_finding(i, 1, 7, 1, "a");
		tr2_buf_byte(&reports[i].buf, 'x');
	}
	merge_reports();
}

int main(void)
{
	test_onces();
	test_limit_of_rules();
	test_last_once();
	test_many_onces();
	test_totals();
	test_writers();
	test_writers_order();
	test_writers_places();
	tap_int(broken, 0, "no sum is beyond the rules");
	tap_ok(!kit_leaks(use_all), "merged reports leave no memory");
	return tap_done();
}
