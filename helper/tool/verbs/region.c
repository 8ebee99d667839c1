/* Regions, data, messages. */
#include "verbs.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define AT(line) "region.c", (line)
#define NONE TRACE2_REPO_NONE
#define MS 1000000u

static void nest_regions(int level, int depth)
{
	char label[24];

	if (level > depth)
		return;
	snprintf(label, sizeof(label), "level%d", level);
	TRACE(region_enter, AT(10), "nest", label, NONE);
	TRACE(data_intmax, AT(11), "nest", NONE, "level", level);
	nest_regions(level + 1, depth);
	TRACE(region_leave, AT(12), "nest", label, NONE);
}

static int run_500region_nested(const char **argv)
{
	int depth = 4;

	if (*argv && tool_int(&depth, *argv) < 0)
		tool_die(AT(13), "expect [<depth>]");
	nest_regions(1, depth);
	return 0;
}

static void enter_va(const char *fmt, ...) PRINTF_(1, 2);
static void enter_va(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	TRACE(region_enter_printf_va, AT(20), "cat", "va", NONE, fmt, ap);
	TRACE(region_leave_printf_va, AT(21), "cat", "va", NONE, fmt, ap);
	va_end(ap);
}

static int run_501region_printf(const char **argv)
{
	const bool given = *argv;

	for (; *argv; argv++) {
		TRACE(region_enter_printf, AT(14), "cat", "given", NONE, "%s",
		      *argv);
		TRACE(region_leave_printf, AT(15), "cat", "given", NONE, "%s",
		      *argv);
	}
	if (given)
		return 0;
	TRACE(region_enter_printf, AT(22), "cat", "both", NONE, "%s %d",
	      "message", 1);
	TRACE(region_leave_printf, AT(23), "cat", "both", NONE, "another");
	TRACE(region_enter_printf, AT(24), "cat", "enter", NONE, "only here");
	TRACE(region_leave, AT(25), "cat", "enter", NONE);
	TRACE(region_enter_printf, AT(26), "cat", "empty", NONE, "%s", "");
	TRACE(region_leave_printf, AT(27), "cat", "empty", NONE, "%s", "");
	TRACE(region_enter_printf, AT(28), NULL, NULL, NONE, "no label");
	TRACE(region_leave_printf, AT(29), NULL, NULL, NONE, "no label");
	enter_va("%s=%d", "answer", 42);
	return 0;
}

static void run_502region_unbalanced(void)
{
	TRACE(region_enter, AT(30), "cat", "a", NONE);
	TRACE(region_leave, AT(31), "cat", "a", NONE);
	TRACE(region_leave, AT(32), "cat", "once too many", NONE);
	TRACE(data_string, AT(33), "cat", NONE, "after", "one");
	TRACE(region_leave, AT(34), "cat", "twice too many", NONE);
	TRACE(data_string, AT(35), "cat", NONE, "after", "two");
	TRACE(region_enter, AT(36), "cat", "b", NONE);
	TRACE(data_string, AT(37), "cat", NONE, "inside", "b");
	TRACE(region_leave, AT(38), "cat", "b", NONE);
}

/* Other events inside regions that are never left. */
static void run_503region_open(void)
{
	static const char *const command[] = { "child", NULL };
	struct trace2_child child = TRACE2_CHILD_INIT;

	child.argv = command;
	TRACE(region_enter, AT(40), "cat", "outer", NONE);
	TRACE(region_enter, AT(41), "cat", "inner", NONE);
	TRACE(data_string, AT(42), "cat", NONE, "key", "value");
	TRACE(printf, AT(43), "a message");
	TRACE(cmd_mode, AT(44), "a mode");
	TRACE(def_param, AT(45), "param", "value");
	tool_error(AT(46), "an error");
	TRACE(child_start, AT(47), &child);
	TRACE(child_exit, AT(48), &child, 0);
}

static void run_504region_bare(void)
{
	TRACE(region_enter, AT(50), NULL, NULL, NONE);
	TRACE(region_enter, AT(51), "cat", NULL, NONE);
	TRACE(region_leave, AT(52), "cat", NULL, NONE);
	TRACE(region_enter, AT(53), NULL, "label", NONE);
	TRACE(region_leave, AT(54), NULL, "label", NONE);
	TRACE(region_leave, AT(55), NULL, NULL, NONE);
	TRACE(region_enter, AT(56), "", "", NONE);
	TRACE(region_leave, AT(57), "", "", NONE);
	TRACE(region_enter, AT(58), "a category over 12 bytes", "label", NONE);
	TRACE(region_leave, AT(59), "a category over 12 bytes", "label", NONE);
}

static void run_505region_mismatch(void)
{
	TRACE(region_enter, AT(60), "cat", "a", NONE);
	TRACE(region_enter, AT(61), "cat", "b", NONE);
	TRACE(region_leave, AT(62), "cat", "a", NONE);
	TRACE(region_leave, AT(63), "other", "b", TRACE2_REPO_UNANNOUNCED);
}

static void timed_thread(int place, void *data)
{
	(void)place;
	(void)data;
	TRACE(thread_start, AT(110), "timed");
	fake_sleep(10 * MS);
	TRACE(data_string, AT(111), "cat", NONE, "outside", "thread");
	TRACE(thread_exit, AT(112));
}

/*
 * 10 ms before each step, so that no two steps begin at nearly the same time.
 */
static void run_506region_timed(void)
{
	fake_sleep(10 * MS);
	TRACE(data_string, AT(113), "cat", NONE, "outside", "main");
	TRACE(region_enter, AT(114), "cat", "outer", NONE);
	fake_sleep(10 * MS);
	TRACE(region_enter, AT(115), "cat", "inner", NONE);
	fake_sleep(10 * MS);
	TRACE(data_string, AT(116), "cat", NONE, "inside", "inner");
	TRACE(region_leave, AT(117), "cat", "inner", NONE);
	TRACE(data_string, AT(118), "cat", NONE, "inside", "outer");
	TRACE(region_leave, AT(119), "cat", "outer", NONE);
	tool_threads(1, timed_thread, NULL);
}

static void run_510data_intmax(void)
{
	static const intmax_t values[] = { 0, 7, -5, INTMAX_MAX, INTMAX_MIN };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(values); i++)
		TRACE(data_intmax, AT(70), "cat", NONE, "number", values[i]);
}

static const char *const json_values[] = {
	"{\"a\":\"b\"}",
	"{\"a\": \"b\"}", /* its blank is kept */
	"[1,-2.5e3,null,true,[]]",
	"\"text\"",
	"7",
	"{", /* the following are not JSON, or not on one line */
	"{} {}",
	"words",
	"",
	"{\n\t\"a\": 1\n}",
	"\"\xff\"",
	NULL,
};

static int run_511data_json(const char **argv)
{
	size_t i;

	for (i = 0; !*argv && i < ARRAY_SIZE(json_values); i++)
		TRACE(data_json, AT(80), "cat", NONE, "json", json_values[i]);
	for (; *argv; argv++)
		TRACE(data_json, AT(81), "cat", NONE, "json", *argv);
	return 0;
}

static void run_512data_null(void)
{
	TRACE(data_string, AT(90), NULL, NONE, NULL, NULL);
	TRACE(data_string, AT(91), "", NONE, "", "");
	TRACE(data_intmax, AT(92), NULL, NONE, NULL, 1);
}

static void printf_va(const char *fmt, ...) PRINTF_(1, 2);
static void printf_va(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	TRACE(printf_va, AT(100), fmt, ap);
	va_end(ap);
}

static int run_513printf(const char **argv)
{
	const bool given = *argv;

	for (; *argv; argv++)
		TRACE(printf, AT(101), "%s", *argv);
	if (given)
		return 0;
	printf_va("%s %d", "a message", 1);
	TRACE(printf, AT(102), "%s", "");
	TRACE(printf, AT(103), NULL);
	TRACE(printf, AT(104), "two\nlines");
	TRACE(printf, AT(105), "its own end\n");
	return 0;
}

const struct verb verbs_region[] = {
	VERB(500region_nested, "[<depth>]"),
	VERB(501region_printf, "[<message>...]"),
	PLAIN(502region_unbalanced),
	PLAIN(503region_open),
	PLAIN(504region_bare),
	PLAIN(505region_mismatch),
	PLAIN(506region_timed),
	PLAIN(510data_intmax),
	VERB(511data_json, "[<json>...]"),
	PLAIN(512data_null),
	VERB(513printf, "[<message>...]"),
	{ .name = NULL },
};
