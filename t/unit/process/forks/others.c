/*
 * Forked children in which another thread begins the session before the one
 * that forked, which is of the parent's session until it speaks.
 */
#include "process/process_kit.h"

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"
#define CHILD                                             \
	"/version main thread.c:1 evt:4 exe:1.0\n"        \
	"/printf th01:unknown thread.c:1 t_abs:0.000000 " \
	"msg:stranger\n"

#define COUNTED \
	"th_counter th01:worker main.c:1 category:c name:counter count:5\n"

static struct trace2_counter counter = { "c", "counter", 1, 0 };

static void *run_stranger(void *unused)
{
	trace2_printf_fl("thread.c", 1, "stranger");
	return unused;
}

/* `forked_life` runs in a child of a worker that has counted to 5. */
static int (*forked_life)(void);

static void *forking_worker(void *code)
{
	trace2_thread_start_fl("worker.c", 1, "worker");
	trace2_region_enter_fl("worker.c", 2, "c", "parent's", 0);
	trace2_counter_add(&counter, 5);
	*(int *)code = process_fork(forked_life);
	return NULL;
}

static int parent_of_worker(void)
{
	int code;

	process_setenv("GIT_TRACE2_SIGNALS", "1");
	begin_program();
	run_thread(forking_worker, &code);
	return code;
}

#define PARENT                                                            \
	BEGIN "thread_start th01:worker worker.c:1\n"                     \
	      "region_enter th01:worker worker.c:2 nesting:1 category:c " \
	      "label:parent's\n"

static int raising_child(void)
{
	run_thread(run_stranger, NULL);
	raise(SIGTERM);
	return 0;
}

static void test_signal(void)
{
	forked_life = raising_child;
	tap_str(process_told_of(parent_of_worker, 128 + SIGTERM),
		PARENT CHILD
		"/signal main main.c:1 t_abs:0.000000 signo:15\n" COUNTED,
		"a signal in a forked child is of the child's session");
}

static void *raising_stranger(void *unused)
{
	raise(SIGTERM);
	return unused;
}

static int child_of_strangers(void)
{
	run_thread(run_stranger, NULL);
	run_thread(raising_stranger, NULL);
	return 0;
}

static void test_signal_of_stranger(void)
{
	forked_life = child_of_strangers;
	tap_str(process_told_of(parent_of_worker, 128 + SIGTERM),
		PARENT CHILD "/signal th02:unknown main.c:1 t_abs:0.000000 "
			     "signo:15\n" COUNTED,
		"a stranger's signal in a forked child is of its session");
}

static int introducing_child(void)
{
	run_thread(run_stranger, NULL);
	trace2_thread_start_fl("child.c", 1, "proc");
	trace2_counter_add(&counter, 2);
	process_exit(0);
	return 0;
}

static void test_introduction(void)
{
	forked_life = introducing_child;
	tap_str(process_told(parent_of_worker),
		PARENT CHILD
		"/region_enter main child.c:1 nesting:1 msg:thread-proc on "
		"main: proc\n"
		"/exit main main.c:1 t_abs:0.000000 code:0\n"
		"/th_counter main main.c:1 category:c name:counter count:2\n"
		"/counter main main.c:1 category:c name:counter count:2\n"
		"/atexit main main.c:1 t_abs:0.000000 code:0\n" COUNTED,
		"who forked is main, also where it is introduced late");
}

static void *ending_stranger(void *forker)
{
	kit_require(!pthread_join(*(pthread_t *)forker, NULL), "no join");
	process_exit(0);
	_exit(0);
}

/* The one that forked ends without a word. */
static int leaving_child(void)
{
	static pthread_t self;
	pthread_t other;

	run_thread(run_stranger, NULL);
	self = pthread_self();
	kit_require(!pthread_create(&other, NULL, ending_stranger, &self),
		    "no thread");
	pthread_exit(NULL);
}

static void test_quiet_end(void)
{
	static const char name[] =
		"what the parent counted is not in the child's totals";

	forked_life = leaving_child;
	tap_str(process_told(parent_of_worker),
		PARENT CHILD
		"/exit th02:unknown main.c:1 t_abs:0.000000 code:0\n"
		"/atexit th02:unknown main.c:1 t_abs:0.000000 code:0\n" COUNTED,
		name);
}

int main(void)
{
#ifdef __SANITIZE_THREAD__
	tap_skip("threads in a forked child", "the sanitizer");
	return tap_done();
#endif
	kit_start();
	tap_run(test_signal, test_signal_of_stranger, test_introduction,
		test_quiet_end);
	return kit_done();
}
