/* Ends whose beginnings this session has not announced are not written. */
#include "process/process_kit.h"

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"
#define CHILD(id)                                                   \
	"child_start main main.c:2 child_id:" #id " child_class:? " \
	"use_shell:false argv:[]\n"

static int child_twice(void)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	begin();
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

static int forked(void)
{
	struct trace2_child own = TRACE2_CHILD_INIT;

	trace2_child_exit_fl("child.c", 1, &same_time, 0);
	trace2_child_start_fl("main.c", 2, &own);
	trace2_child_exit_fl("child.c", 2, &early, 0);
	trace2_child_exit_fl("child.c", 3, &own, 0);
	return trace2_dropped() != 0;
}

static int parent(void)
{
	begin();
	trace2_child_start_fl("main.c", 2, &early);
	pass(1);
	trace2_child_start_fl("main.c", 2, &same_time);
	return process_fork(forked);
}

static void test_forked(void)
{
	tap_str(process_told(parent),
		BEGIN CHILD(0) CHILD(
			1) "/version main child.c:1 evt:4 exe:1.0\n"
			   "/" CHILD(0) "/child_exit main child.c:3 child_id:0 "
					"pid:-1 code:0 t_rel:0.000000\n",
		"a forked child does not end what its parent began");
}

int main(void)
{
	kit_start();
	test_child_twice();
	test_forked();
	return kit_done();
}
