/* Events whose texts and numbers are arguments. */
#include "verbs.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define AT(line) "named.c", (line)
#define NONE TRACE2_REPO_NONE
#define TOTALS 64

static int run_region_named(const char **argv)
{
	if (tool_count(argv) != 3)
		tool_die(AT(10), "expect <category> <label> <message>");
	TRACE(region_enter_printf, AT(11), argv[0], argv[1], NONE, "%s",
	      argv[2]);
	TRACE(region_leave_printf, AT(12), argv[0], argv[1], NONE, "%s",
	      argv[2]);
	return 0;
}

static int run_json_named(const char **argv)
{
	if (tool_count(argv) != 3)
		tool_die(AT(20), "expect <category> <key> <json>");
	TRACE(data_json, AT(21), argv[0], NONE, argv[1], argv[2]);
	return 0;
}

/* The library may read them until the process ends. */
static void use_total(int place, const char **argv, int add)
{
	static struct trace2_timer timers[TOTALS];
	static struct trace2_counter counters[TOTALS];

	timers[place] = (struct trace2_timer){ argv[0], argv[1], 0, 0 };
	counters[place] = (struct trace2_counter){ argv[0], argv[1], 0, 0 };
	TRACED(trace2_timer_start(&timers[place]));
	fake_sleep(2000);
	TRACED(trace2_timer_stop(&timers[place]));
	TRACED(trace2_counter_add(&counters[place], (uint64_t)add));
}

static int run_totals_named(const char **argv)
{
	int add, i;

	for (i = 0; *argv && i < TOTALS; i++, argv += 3) {
		if (!argv[1] || tool_int(&add, argv[2]) < 0)
			tool_die(AT(30), "expect <category> <name> <value>");
		use_total(i, argv, add);
	}
	return 0;
}

/* The depth is an argument; 500region_nested has one of its own, too. */
static void run_regions_deep(int *depth)
{
	char label[24];
	int i;

	for (i = 1; i <= *depth; i++) {
		snprintf(label, sizeof(label), "level%d", i);
		TRACE(region_enter, AT(41), "nest", label, NONE);
		TRACE(data_intmax, AT(42), "nest", NONE, "level", i);
	}
	while (--i) {
		snprintf(label, sizeof(label), "level%d", i);
		TRACE(region_leave, AT(43), "nest", label, NONE);
	}
}

static int run_printf_at(const char **argv)
{
	if (!*argv)
		tool_die(AT(50), "expect <file>");
	for (; *argv; argv++)
		TRACE(printf, *argv, 7, "message");
	return 0;
}

static const char *late_message;

static void write_late(void)
{
	tool_error(AT(60), "%s", late_message);
	printf("%s\n", late_message);
	fflush(stdout);
}

static int run_error_late(const char **argv)
{
	late_message = argv[0];
	tool_after_exit(write_late);
	return 0;
}

static void run_ends_again(void)
{
	static const char *const words[][2] = { { "first" }, { "second" } };
	struct trace2_child first = TRACE2_CHILD_INIT;
	struct trace2_child second = TRACE2_CHILD_INIT;

	first.argv = words[0];
	second.argv = words[1];
	TRACE(child_start, AT(70), &first);
	first.pid = 77;
	TRACE(child_ready, AT(71), &first, "ready");
	TRACE(child_exit, AT(72), &first, 0);
	TRACE(child_ready, AT(73), &first, "error");
	TRACE(child_start, AT(74), &second);
	second.pid = 78;
	TRACE(child_exit, AT(75), &second, 1);
	TRACE(child_exit, AT(76), &second, 2);
}

static void run_error_formatted(void)
{
	TRACE(cmd_error, AT(80), "\"%s\" \\ it's\t%d \xe2\x82\xac \xff", "a",
	      1);
}

/* A format that no compiler checks: it is made at run time. */
static void show_error(const char *format, ...)
{
	void (*const show)(const char *, int, const char *, va_list) =
		trace2_cmd_error_va_fl;
	va_list none;

	va_start(none, format);
	fake_tick();
	show(AT(83), format, none);
	va_end(none);
}

static void run_error_whole(void)
{
	char format[5001] = "";

	memset(format, 'x', sizeof(format) - 1);
	TRACE(cmd_error, AT(82), "one\ntwo\r\n%d", 3);
	show_error(format);
}

static void run_fork_killed(void)
{
	pid_t traced, pid = tool_fork(&traced);

	if (!pid) {
		raise(SIGTERM);
		_exit(0);
	}
	tool_wait(pid);
	TRACE(printf, AT(90), "the child is gone");
}

const struct verb verbs_named[] = {
	VERB(region_named, "<category> <label> <message>"),
	VERB(json_named, "<category> <key> <json>"),
	VERB(totals_named, "[<category> <name> <value>]+"),
	NUMERIC(regions_deep, "<depth>", 1, AT(40)),
	VERB(printf_at, "<file>+"),
	NEEDS(error_late, "<message>", 1, AT(61)),
	PLAIN(ends_again),
	PLAIN(error_formatted),
	PLAIN(fork_killed),
	PLAIN(error_whole),
	{ .name = NULL },
};
