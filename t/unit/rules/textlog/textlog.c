/*
 * NORMAL and PERF logs: lines that are too long to be kept, and memory. Nothing can be read before or after the texts.
 */
#include "rules/textlog/textlog_kit.h"

#define CLOCK "09:30:43.000000 "

/*
 * ---- Logs
 */

/* 50 bytes, then the payload. */
#define PREFIX CLOCK "builtin/git-main.c:12345          "

static void test_other_payloads(void)
{
	begin_textlog(TR2_TEXT_NORMAL);
	take_lines(PREFIX "def_param a:b\n" PREFIX "c\n");
	tap_str(end_textlog(),
		"1:51 older.normal.def_param \"" PREFIX "def_param a:b\" ",
		"a parameter may have no scope");
	tap_int((intmax_t)totals.events[TR2_IS_DEF_PARAM], 1,
		"it is a parameter, nevertheless");
	tap_int((intmax_t)totals.events[TR2_IS_PRINTF], 1,
		"what has another form is a message");
	begin_textlog(TR2_TEXT_NORMAL);
	take_lines("version 1\nstart a\nexit elapsed:1.000000 code:0\nc\n");
	end_textlog();
	tap_int((intmax_t)tr2_totals_events(&totals), 3,
		"but not in brief form, where it may be the rest of an event");
}

static void test_cut(void)
{
	static const char bad[] = "exit elapsed:1";

	begin_textlog(TR2_TEXT_NORMAL);
	take_line("version 1", 9, 1, false);
	take_line("start ab", 8, 2, false);
	take_line(bad, 14, 3, true);
	take_line(bad, 14, 4, false);
	take_line("cmd_name a", 10, 5, false);
	tap_str(end_textlog(), "4:14 normal.seconds \"exit elapsed:1\" ",
		"a line that was cut is not checked");
	begin_textlog(TR2_TEXT_NORMAL);
	take_line("version 1", 9, 1, false);
	take_line("start 'a", 8, 2, false);
	take_line("b", 1, 3, true);
	take_line("c' !", 4, 4, false);
	tap_int((intmax_t)text_log.event.len, 8,
		"no more is kept behind a line that was cut");
	take_line(bad, 14, 5, false);
	tap_str(end_textlog(), "5:14 normal.seconds \"exit elapsed:1\" ",
		"nor is the event that it goes on");
	begin_textlog(TR2_TEXT_PERF);
	take_line("b", 1, 1, false);
	take_line("c' !", 4, 2, false);
	tap_str(end_textlog(), "1:1 input.torn-line \"b\" ",
		"nor one whose beginning is missing");
}

/* 16 MiB of an event are kept; what is longer is not checked. */
static void test_long(void)
{
	const size_t max = TR2_LINE_MAX;
	char *text = malloc(max + 9);

	tap_need(text);
	memset(text, 'a', max + 9);
	memcpy(text, "exec[0] '", 9);
	begin_textlog(TR2_TEXT_NORMAL);
	take_line("version 1", 9, 1, false);
	take_line(text, max - 8, 2, false);
	take_line("abcdefghi", 9, 3, false);
	tap_str(end_textlog(), "",
		"what goes on for more than 16 MiB is not checked");
	begin_textlog(TR2_TEXT_NORMAL);
	take_line("version 1", 9, 1, false);
	take_line("start a", 7, 2, false);
	take_line("error ", 6, 3, false);
	take_line(text + 9, max - 6, 4, false);
	take_line(CLOCK, 16, 5, false);
	tap_int((intmax_t)totals.events[TR2_IS_ERROR], 1,
		"what goes on for 16 MiB is");
	take_line("error ", 6, 6, false);
	take_line(text + 9, 64 << 10, 7, false);
	take_line("exit elapsed:1", 14, 8, false);
	take_line(CLOCK, 16, 9, false);
	take_line("error ", 6, 10, false);
	take_line("exit elapsed:1", 14, 11, false);
	tap_str(end_textlog(),
		"5:17 normal.prefix \"" CLOCK "\" "
		"9:17 normal.prefix \"" CLOCK "\" "
		"11:14 normal.seconds \"exit elapsed:1\" ",
		"text behind 64 KiB of an event goes on with it");
	begin_textlog(TR2_TEXT_NORMAL);
	take_line("version 1", 9, 1, false);
	take_line("start a", 7, 2, false);
	take_line("error ", 6, 3, false);
	take_line(text + 9, TR2_TEXT_LONG - 7, 4, false);
	take_line("exit elapsed:1.000000 code:0", 28, 5, false);
	end_textlog();
	tap_int((intmax_t)totals.events[TR2_IS_EXIT], 1,
		"an event behind just 64 KiB is seen");
	free(text);
}

int main(void)
{
	page = memory_page(&page_end);
	tap_run(test_other_payloads, test_cut, test_long);
	return tap_done();
}
