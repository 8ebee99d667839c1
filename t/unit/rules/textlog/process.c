/*
 * The processes of a PERF log, which has no SID: when may two of the same
 * depth be alive?
 */
#include "rules/textlog/textlog_kit.h"

#define SPAN(event, seconds, took, payload)                           \
	"d0 | main                     | " event " |     |  " seconds \
	" |  " took " |              | " payload "\n"
#define STARTS(id, seconds)                       \
	SPAN("child_start ", seconds, "        ", \
	     "[ch" id "] class:? argv:[git]")
#define EXITS(id, seconds, took) \
	SPAN("child_exit  ", seconds, took, "[ch" id "] pid:9 code:0")
#define DATA(seconds)                                                    \
	"d0 | main                     | cmd_mode     |     |       "    \
	"    |           |              | a\n"                           \
	"d0 | main                     | printf       |     |  " seconds \
	" |           |              | a\n"
#define BACK DATA("2.000000") DATA("1.000000")
#define EXEC(id) PERF("0", "main", "exec        ", "id:" id " argv:[a]")
#define RESULT PERF("0", "main", "exec_result ", "id:0 code:2 err:a")
#define AT_EXIT PERF("0", "main", "atexit      ", "code:0")
#define SIGNAL PERF("0", "main", "signal      ", "signo:9")

/* SPEC: session.depth */
static void test_exec(void)
{
	static const struct {
		const char *text, *found, *name;
	} logs[] = {
		{ BEGUN("0") BACK, "5:55 time.t_abs ",
		  "a clock that goes back is found" },
		{ BEGUN("0") EXEC("0") BEGUN("0") BACK, "",
		  "two processes may write, for an exec takes time" },
		{ BEGUN("0") EXEC("0") BEGUN("0") AT_EXIT BEGUN("0") BACK,
		  "9:55 time.t_abs ", "the next process is alone again" },
		{ BEGUN("0") EXEC("0") BEGUN("0") RESULT AT_EXIT BEGUN("0")
			  BACK,
		  "", "not if the exec failed" },
		{ BEGUN("0") EXEC("0") RESULT BEGUN("0") BACK, "",
		  "nor if it failed before" },
		{ BEGUN("0") SIGNAL BEGUN("0") BACK, "7:55 time.t_abs ",
		  "after a signal one process is gone" },
		{ BEGUN("0") BEGUN("0") SIGNAL AT_EXIT BEGUN("0") BACK, "",
		  "not if the line after it is the end of another one" },
	};
	size_t i;

	for (i = 0; i < sizeof(logs) / sizeof(logs[0]); i++)
		tap_str(find_in_textlog(TR2_TEXT_PERF, logs[i].text),
			logs[i].found, logs[i].name);
}

/*
 * Of several processes of a depth, one is gone after a signal or an exec: the
 * others may still write.
 */
static void test_others_alive(void)
{
	tap_str(find_in_textlog(TR2_TEXT_PERF,
				BEGUN("0") BEGUN("0") SIGNAL BEGUN("0") BACK),
		"", "a signal ends one process of two");
	tap_str(find_in_textlog(TR2_TEXT_PERF,
				BEGUN("0") BEGUN("0") EXEC("0") BEGUN("0")
					AT_EXIT BEGUN("0") BACK),
		"", "an exec replaces one process of two");
	tap_str(find_in_textlog(TR2_TEXT_PERF,
				BEGUN("0") BEGUN("0") SIGNAL BEGUN("0")
					AT_EXIT AT_EXIT BEGUN("0") BACK),
		"11:55 time.t_abs ", "when all have ended, the next is alone");
}

/* SPEC: perf.column.depth */
static void test_lost_beginning(void)
{
	tap_str(find_in_textlog(TR2_TEXT_PERF,
				BEGUN("0")
					PERF("1", "main", "start       ", "a")),
		"2:1 perf.column.depth ", "a process has to begin");
	tap_str(find_in_textlog(TR2_TEXT_PERF,
				"end of an event   | code:0\n" BEGUN("0")
					PERF("1", "main", "start       ", "a")),
		"1:1 input.torn-line ",
		"it may have begun before a log that begins inside an event");
	tap_str(find_in_textlog(
			TR2_TEXT_PERF,
			BEGUN("0") "d1 | main                     | "
				   "version      | x   |           |"
				   "           |              | 2\n" PERF(
					   "1", "main", "start       ", "a")),
		"2:48 perf.column.repo ",
		"it may have begun in a line that is wrong");
}

/* A line that is too long to be kept may have begun a region. */
static void test_cut_region(void)
{
	const char enter[] = PERF("0", "main", "region_enter", "label:a");
	const char inside[] =
		PERF("0", "main", "exec        ", "..id:0 argv:[a]");

	begin_textlog(TR2_TEXT_PERF);
	take_lines(BEGUN("0"));
	take_line(enter, sizeof(enter) - 2, 2, true);
	take_line(inside, sizeof(inside) - 2, 3, false);
	tap_str(end_textlog(), "", "the regions after a cut line are unknown");
}

#define REGION(seconds, label)                                          \
	"d0 | main                     | region_enter |     | " seconds \
	" |           |              | " label "\n"

/* Only the region of this name is that of a process that detaches. */
static void test_detach(void)
{
	tap_str(find_in_textlog(TR2_TEXT_PERF,
				BEGUN("0") REGION(" 1.000000", "label:detach")
					REGION(" 0.500000", "..label:b")),
		"", "two processes may write after a detach");
	tap_str(find_in_textlog(TR2_TEXT_PERF,
				BEGUN("0") REGION(" 1.000000",
						  "label:detach now")
					REGION(" 0.500000", "..label:b")),
		"", "its region may have a message");
	tap_str(find_in_textlog(TR2_TEXT_PERF,
				BEGUN("0") REGION(" 1.000000", "label:detached")
					REGION(" 0.500000", "..label:b")),
		"3:55 time.t_abs ", "a longer label is another region");
}

/* SPEC: event.child_exit.t_rel */
static void test_children(void)
{
	tap_str(find_in_textlog(
			TR2_TEXT_PERF,
			BEGUN("0") STARTS("0", "1.000000") STARTS("10",
								  "2.000000")
				EXITS("10", "4.000000", "2.000002") EXITS(
					"0", "4.000000", "2.000000")
					EXITS("7", "4.000000", "4.000000")),
		"5:67 event.child_exit.t_rel ",
		"each child takes as long as its own times are apart");
	tap_str(find_in_textlog(TR2_TEXT_PERF,
				BEGUN("0") STARTS("0",
						  "1.000000") AT_EXIT BEGUN("0")
					EXITS("0", "4.000000", "9.000000")),
		"", "the children of a process end with it");
}

static char many_dots[300];

#define HUGE_TIME "5000000000000.000000"

/* The sum of these times would not fit into 64 bits. */
static void test_huge_times(void)
{
	tap_str(find_in_textlog(
			TR2_TEXT_PERF,
			BEGUN("0") REGION(
				HUGE_TIME,
				"label:a") "d0 | main                     | region_leave |     | "
					   " 0.000000 | " HUGE_TIME
					   " |              | label:a\n"),
		"3:55 time.t_abs 3:66 region.t_rel ",
		"huge times are compared");
}

/* A log of so many regions and, inside of them, a line with so many dots. */
static const char *find_with_dots(int regions, int dots)
{
	static char log[1 << 16];
	size_t at = (size_t)snprintf(log, sizeof(log), BEGUN("0"));
	int i, own;

	for (i = 0; i <= regions; i++) {
		own = i < regions ? 2 * i : dots;
		if (own > 200 && i < regions)
			own = 200;
		at += (size_t)snprintf(
			log + at, sizeof(log) - at,
			"d0 | main                     | %-12s |     | %9s |"
			"           |              | %.*s%s\n",
			i < regions ? "region_enter" : "exec", " 1.000000", own,
			many_dots, i < regions ? "label:a" : "id:0 argv:[a]");
	}
	return find_in_textlog(TR2_TEXT_PERF, log);
}

static void test_many_dots(void)
{
	memset(many_dots, '.', sizeof(many_dots) - 1);
	tap_str(find_with_dots(100, 200), "",
		"a hundred regions have two dots each");
	tap_ok(*find_with_dots(100, 198), "and not fewer");
	tap_str(find_with_dots(101, 202), "", "more regions may have more");
	tap_str(find_with_dots(103, 200), "", "or as many as a hundred");
	tap_ok(*find_with_dots(103, 202), "but nothing between the two");
	tap_ok(*find_with_dots(103, 208), "and nothing above");
}

int main(void)
{
	page = memory_page(&page_end);
	tap_run(test_exec, test_others_alive, test_lost_beginning,
		test_cut_region, test_detach, test_children, test_huge_times,
		test_many_dots);
	return tap_done();
}
