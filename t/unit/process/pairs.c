/*
 * Ends whose beginnings this session has not announced are not written; and a
 * process that finds no memory while it begins.
 */
#include "process/process_kit.h"

/*
 * ---- Pairs
 */

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"
#define CHILD(id)                                                   \
	"child_start main main.c:2 child_id:" #id " child_class:? " \
	"use_shell:false argv:[]\n"

static int child_twice(void)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	begin_program();
	trace2_child_start_fl("main.c", 2, &child);
	trace2_child_exit_fl("main.c", 3, &child, 0);
	trace2_child_exit_fl("main.c", 4, &child, 1);
	trace2_child_ready_fl("main.c", 5, &child, "ready");
	trace2_child_start_fl("main.c", 2, &child);
	trace2_child_exit_fl("main.c", 6, &child, 2);
	return trace2_dropped() != 0;
}

static void test_child_twice(void)
{
	tap_str(process_told(child_twice),
		BEGIN CHILD(
			0) "child_exit main main.c:3 child_id:0 pid:-1 code:0 "
			   "t_rel:0.000000\n" CHILD(
				   1) "child_exit main main.c:6 child_id:1 pid:-1 "
				      "code:2 t_rel:0.000000\n",
		"a child exits once for each start");
}

static struct trace2_child early = TRACE2_CHILD_INIT;
static struct trace2_child same_time = TRACE2_CHILD_INIT;

static int end_children(void)
{
	struct trace2_child own = TRACE2_CHILD_INIT;

	trace2_child_exit_fl("child.c", 1, &same_time, 0);
	trace2_child_start_fl("main.c", 2, &own);
	trace2_child_exit_fl("child.c", 2, &early, 0);
	trace2_child_exit_fl("child.c", 3, &own, 0);
	return trace2_dropped() != 0;
}

static int run_parent(void)
{
	begin_program();
	trace2_child_start_fl("main.c", 2, &early);
	pass_time(1);
	trace2_child_start_fl("main.c", 2, &same_time);
	return process_fork(end_children);
}

static void test_forked(void)
{
	tap_str(process_told(run_parent),
		BEGIN CHILD(0) CHILD(
			1) "/version main child.c:1 evt:4 exe:1.0\n"
			   "/" CHILD(0) "/child_exit main child.c:3 child_id:0 "
					"pid:-1 code:0 t_rel:0.000000\n",
		"a forked child does not end what its parent began");
}

/*
 * Programs that were compiled with another version of trace2.h hold this
 * struct: no field may move, and the size may not change.
 */
static const size_t child_layout[][2] = {
	{ offsetof(struct trace2_child, child_class), 0 },
	{ offsetof(struct trace2_child, hook_name), 8 },
	{ offsetof(struct trace2_child, dir), 16 },
	{ offsetof(struct trace2_child, argv), 24 },
	{ offsetof(struct trace2_child, use_shell), 32 },
	{ offsetof(struct trace2_child, pid), 36 },
	{ offsetof(struct trace2_child, child_id_), 40 },
	{ offsetof(struct trace2_child, start_us_), 48 },
	{ offsetof(struct trace2_child, reserved_), 56 },
	{ sizeof(struct trace2_child), 120 },
};

static void test_child_layout(void)
{
	const char *name = "a child's fields stay where old programs have them";
	size_t moved = 0;

	if (sizeof(void *) != 8) {
		tap_skip(name, "the offsets are those of 64-bit machines");
		return;
	}
	for (size_t i = 0; i < sizeof(child_layout) / sizeof(*child_layout);
	     i++)
		moved += child_layout[i][0] != child_layout[i][1];
	tap_int((int)moved, 0, name);
}

/* A later version may give these bytes to the program: leave them alone. */
static int child_reserve(void)
{
	static const struct trace2_child init = TRACE2_CHILD_INIT;
	struct trace2_child child = init;
	uint64_t used = 0;

	begin_program();
	memset(child.reserved_, 0x5a, sizeof(child.reserved_));
	trace2_child_start_fl("main.c", 2, &child);
	trace2_child_ready_fl("main.c", 3, &child, "ready");
	trace2_child_exit_fl("main.c", 4, &child, 0);
	for (size_t i = 0; i < sizeof(init.reserved_) / 8; i++)
		used |= init.reserved_[i] |
			(child.reserved_[i] ^ 0x5a5a5a5a5a5a5a5aU);
	return used != 0;
}

static void test_child_reserve(void)
{
	tap_int(kit_in_child(child_reserve), 0,
		"a child's reserved fields begin as 0 and stay untouched");
}

static void run_pairs(void)
{
	tap_run(test_child_twice, test_child_layout, test_child_reserve,
		test_forked);
}

/*
 * ---- Memory
 */

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

static void run_memory(void)
{
	test_poor_lives();
	test_no_beginning();
}

int main(void)
{
	kit_start();
	tap_run(run_pairs, run_memory);
	return kit_done();
}
