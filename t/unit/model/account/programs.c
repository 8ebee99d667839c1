/* Which span a program began in if no span has its pid. */
#include "model/account/share_kit.h"

static void begin_parent(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_life(SID("0f"), 0, 1, "other");
	tell_event(GIT, 0, "start", "\"t_abs\":0.0,\"argv\":[\"a\"]");
}

static const char *end_parent(const char *kept)
{
	tell_event(GIT, 10000, "atexit", "\"t_abs\":0.01,\"code\":0");
	return keep_lines(end_story(), kept);
}

/* A span from 100 to 300, and a program of this life. */
static const char *tell_program(unsigned from, unsigned to)
{
	begin_parent();
	tell_span(GIT, 0, 100, 300, 71);
	tell_life(GIT "/" SID("11"), from, to, "y");
	return end_parent("children");
}

static void test_bounds(void)
{
	tap_rows(tell_program(100, 200),
		 "children ?/s0: count 1 total 200 self 100\n",
		 "a program may begin when its span does");
	tap_rows(tell_program(299, 400),
		 "children ?/s0: count 1 total 200 self 199\n",
		 "or just before it ends");
	tap_rows(tell_program(99, 200),
		 "children ?/s0: count 1 total 200 self 200\n",
		 "but not before it begins");
	tap_ok(strstr(story.tables.bytes, " unlogged 1\n") != NULL,
	       "then the span has no log");
	tap_rows(tell_program(300, 400),
		 "children ?/s0: count 1 total 200 self 200\n",
		 "nor does it own anything when it has ended");
}

/* One span is inside the other, which so has two parts. */
static void test_inner(void)
{
	begin_parent();
	begin_span(GIT, 0, 100);
	tell_span(GIT, 1, 200, 300, 72);
	end_span(GIT, 0, 100, 900, 71);
	tell_life(GIT "/" SID("11"), 150, 800, "long");
	tell_life(GIT "/" SID("12"), 210, 290, "inner");
	tell_life(GIT "/" SID("13"), 500, 600, "late");
	tell_life(GIT "/" SID("14"), 120, 140, "early");
	tell_life(GIT "/" SID("15"), 850, 870, "last");
	tap_rows(end_parent("children"),
		 "children ?/s0: count 1 total 800 self 110\n"
		 "children ?/s1: count 1 total 100 self 20\n",
		 "a program is in the innermost span that is open");
	tap_rows(keep_lines(story.tables.bytes, "commands long"),
		 "commands long: count 1 total 650 self 450\n",
		 "what a later one has taken is not its own");
	tap_rows(keep_lines(story.tables.bytes, "commands inner"),
		 "commands inner: count 1 total 80 self 80\n",
		 "the inner span's time is that of its program");
	tap_rows(keep_lines(story.tables.bytes, "commands late"),
		 "commands late: count 1 total 100 self 100\n",
		 "the latest has all of its life");
	tap_rows(keep_lines(story.tables.bytes, "commands early"),
		 "commands early: count 1 total 20 self 20\n",
		 "an early one has its own, too");
	tap_rows(keep_lines(story.tables.bytes, "commands last"),
		 "commands last: count 1 total 20 self 20\n",
		 "and so has the last one");
}

/* Two spans begin at one time, and two programs. */
static void test_ties(void)
{
	char first[256];
	int i;

	for (i = 0; i < 2; i++) {
		begin_parent();
		begin_span(GIT, 0, 100);
		begin_span(GIT, 1, 100);
		end_span(GIT, 0, 100, 300, i ? 71 : 72);
		end_span(GIT, 1, 100, 500, i ? 72 : 71);
		tell_life(GIT "/" SID("11"), 120, 200, "y");
		tap_ok(strstr(end_parent("children"),
			      "?/s1: count 1 total 400 self 320\n") != NULL,
		       "of two spans that began together the longer one is it");
	}
	for (i = 0; i < 2; i++) {
		begin_parent();
		tell_span(GIT, 0, 100, 400, 71);
		tell_life(i ? GIT "/" SID("11") : GIT "/" SID("12"), 150,
			  i ? 250 : 280, i ? "one" : "two");
		tell_life(i ? GIT "/" SID("12") : GIT "/" SID("11"), 150,
			  i ? 280 : 250, i ? "two" : "one");
		end_parent("commands two");
		if (!i)
			snprintf(first, sizeof(first), "%s",
				 keep_lines(story.tables.bytes,
					    "commands two"));
	}
	tap_rows(keep_lines(story.tables.bytes, "commands two"), first,
		 "the order of logs does not decide between programs");
}

/* So many spans began after the long one that is still open. */
static const char *tell_spans(unsigned count)
{
	unsigned i;

	begin_parent();
	begin_span(GIT, 999, 10);
	for (i = 0; i < count; i++)
		tell_span(GIT, i, 20 + 10 * i, 25 + 10 * i, 1000 + i);
	tell_life(GIT "/" SID("11"), 5000, 5100, "y");
	end_span(GIT, 999, 10, 9000, 71);
	return end_parent("commands y");
}

static void test_searched(void)
{
	tap_rows(tell_spans(63), "commands y: count 1 total 100 self 100\n",
		 "a program is in a span that began long before it");
	tap_rows(tell_spans(300), "commands y: count 1 total 100 self 100\n",
		 "however many began and ended in between");
}

/* Processes with a span and without, each with a program in it. */
static void test_parents(void)
{
	char sid[64], inner[160];
	unsigned i;

	begin_story(TR2_BY_NOTHING);
	for (i = 0; i < 16; i++) {
		snprintf(sid, sizeof(sid),
			 "20260114T100000.000000Z-Hc4f2e1a9-P000001%02x", i);
		tell_event(sid, 0, "start", "\"t_abs\":0.0,\"argv\":[\"a\"]");
		if (i % 2)
			tell_span(sid, 0, 100, 900, 71);
		tell_event(sid, 1000, "atexit", "\"t_abs\":0.001,\"code\":0");
		snprintf(inner, sizeof(inner), "%s/" SID("11"), sid);
		if (i % 2 == 0)
			tell_life(inner, 200, 300, "y");
	}
	tap_rows(keep_lines(end_story(), "commands y"),
		 "commands y: count 8 total 800 100..100\n",
		 "no program is in a span of another process");
	tap_ok(strstr(story.tables.bytes, " unlogged 8\n") != NULL,
	       "and those spans have no log");
}

/* Neither the spans nor the program tell a pid. */
static void test_no_pids(void)
{
	begin_parent();
	begin_span(GIT, 0, 100);
	begin_span(GIT, 1, 200);
	end_span(GIT, 0, 100, 400, 0);
	end_span(GIT, 1, 200, 500, 0);
	tell_life(GIT "/y", 250, 450, "y");
	tap_rows(end_parent("children"),
		 "children ?/s0: count 1 total 300 self 100\n"
		 "children ?/s1: count 1 total 300 self 100\n",
		 "without pids a program is in the span that began last");
}

/* How the first of two overlapping spans, and the second, are told. */
static const char *tell_overlap(const char *first, const char *second)
{
	begin_parent();
	begin_span(GIT, 0, 100);
	begin_span(GIT, 1, 200);
	if (*first)
		tell_event(GIT, 400, "child_exit", first);
	if (*second)
		tell_event(GIT, 500, "child_exit", second);
	tell_life(GIT "/" SID("01"), 250, 450, "y");
	return end_parent("commands y");
}

static void test_first_pid(void)
{
	tap_rows(tell_overlap("\"child_id\":0,\"pid\":1",
			      "\"child_id\":1,\"pid\":5"),
		 "commands y: count 1 total 200\n",
		 "the program with the pid 1 is in the span with that pid");
	tap_rows(tell_overlap("\"child_id\":0", "\"child_id\":1"),
		 "commands y: count 1 total 200 self 200\n",
		 "a span without a pid may be any program's");
	tap_rows(tell_overlap("\"child_id\":0,\"pid\":0",
			      "\"child_id\":1,\"pid\":0"),
		 "commands y: count 1 total 200 self 200\n",
		 "a span with the pid 0 tells no more than one without");
}

static void test_filter(void)
{
	begin_story(TR2_BY_NOTHING);
	story.forest.filter.command = "none";
	tell_event(GIT, 0, "start", "\"t_abs\":0.0,\"argv\":[\"a\"]");
	tell_span(GIT, 0, 100, 300, 71);
	tap_rows(end_parent("all"), "all:\n",
		 "a span of a process that does not count lacks no log");
}

int main(void)
{
	test_bounds();
	test_inner();
	test_ties();
	test_searched();
	test_parents();
	test_no_pids();
	test_first_pid();
	test_filter();
	return tap_done();
}
