/* Ends whose beginnings this session has not announced are not written. */
#include "process/process_kit.h"

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

int main(void)
{
	kit_start();
	tap_run(test_child_twice, test_child_layout, test_child_reserve,
		test_forked);
	return kit_done();
}
