/*
 * A process that finds no memory while it begins: it goes on, and what it loses
 * is counted.
 */
#include "process/process_kit.h"

/* Wherever memory fails first, the loss is counted. */
static int poor_life(void)
{
	int silent;

	begin_program();
	trace2_printf_fl("main.c", 2, "text");
	silent = memory_calls >= memory_fail_at && !trace2_dropped();
	if (process_exit)
		process_exit(0);
	return silent;
}

static void test_poor_lives(void)
{
	int good = 1, i;

	for (i = 1; i < 40; i++) {
		process_prepare();
		memory_fail(i);
		good &= !kit_in_child(poor_life);
	}
	memory_fail(0);
	kit_stderr();
	tap_ok(good,
	       "a life that begins without memory goes on, and counts a loss");
}

static int life_without_memory(void)
{
	memory_fail_on = 1;
	memory_fail(1);
	begin_program();
	trace2_printf_fl("main.c", 2, "text");
	return trace2_dropped() != 1 || trace2_is_enabled();
}

static void test_no_beginning(void)
{
	static const char warning[] = "no memory to begin tracing";

	process_prepare();
	tap_int(kit_in_child(life_without_memory), 0,
		"a process that finds no memory to begin tracing counts that");
	tap_ok(!strstr(kit_stderr(), warning), "and says nothing");
	process_prepare();
	process_setenv("GIT_TRACE2_DST_DEBUG", "1");
	tap_int(kit_in_child(life_without_memory), 0,
		"so does one that reports failures of its destinations");
	tap_ok(strstr(kit_stderr(), warning), "and reports this one");
}

int main(void)
{
	kit_start();
	test_poor_lives();
	test_no_beginning();
	return kit_done();
}
