/* What a forked child keeps, and what it has of its own. */
#include "process/process_kit.h"
#include "process/process.h"
#include "host/wait.h"

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"

static int plain_child(void)
{
	trace2_printf_fl("child.c", 1, "child");
	return 0;
}

/* Wherever memory fails first, nothing worse than silence comes of it. */
static void *forking_stranger(void *code)
{
	int failed = 0;

	for (int i = 1; i < 20; i++) {
		memory_fail(i);
		failed |= process_fork(plain_child);
	}
	memory_fail(0);
	*(int *)code = failed;
	return NULL;
}

/* What a child repeats is kept whole, or not at all. */
static int keeps_or_not(void)
{
	static const char *const empty[] = { NULL, "beyond", NULL };
	static const char *const argv[] = { "one", "two", NULL };
	int live;

	begin_program();
	trace2_cmd_alias_fl("main.c", 2, "alias", argv);
	live = memory_live;
	for (int i = 1; i <= 3; i++) {
		memory_fail(i);
		trace2_cmd_start_fl("main.c", 3, argv);
		if (memory_live != live)
			return i;
	}
	memory_fail(1);
	trace2_def_repo_fl("main.c", 4, "/lost");
	memory_fail(0);
	trace2_cmd_start_fl("main.c", 5, empty);
	return process_fork(plain_child);
}

static void test_keep(void)
{
	process_told(keeps_or_not);
	tap_ok(strstr(process_brief(kit_content("event")),
		      "/start main child.c:1 t_abs:0.000000 argv:[]\n/printf"),
	       "what finds no memory is not repeated in a child");
}

/* If memory fails for one event, the next ones are still written. */
static int parent_of_start(void)
{
	static const char *const argv[] = { "https://u:secret@h/", NULL };
	int code;

	begin_program();
	trace2_cmd_start_fl("main.c", 2, argv);
	trace2_def_repo_fl("main.c", 3, "/one");
	run_thread(forking_stranger, &code);
	return code;
}

/* Children whose first event is followed by that one at once. */
static int count_of_next(const char *log, const char *event)
{
	int count = 0;

	while ((log = strstr(log, "/version "))) {
		log = strchr(log, '\n') + 1;
		count += !strncmp(log, event, strlen(event));
	}
	return count;
}

static void test_start_without_memory(void)
{
	const char *log = process_told(parent_of_start);

	tap_int(count_of_next(log, "/def_repo "), 2,
		"a child whose start finds no memory still has repositories");
}

/* NORMAL goes to a directory; the reader of something is slow. */
static int child_with_account(void)
{
	if (tr2_process.waited_ns != TR2_WAIT_LIMIT_NS)
		return 1;
	trace2_printf_fl("child.c", 1, "child");
	return tr2_process.waited_ns != 0;
}

static int parent_with_account(void)
{
	process_setenv("GIT_TRACE2", kit_path("normals"));
	begin_program();
	tr2_process.waited_ns = TR2_WAIT_LIMIT_NS;
	return process_fork(child_with_account);
}

static void test_own_file(void)
{
	mkdir("normals", 0777);
	process_prepare();
	tap_int(kit_in_child(parent_with_account), 0,
		"a child has 100 ms of its own to wait");
	tap_ok(strstr(kit_content("normals/20260102T030405.067089Z-H63cf98d4-"
				  "P000003e9"),
		      "child\n"),
	       "a child has a file of its own for NORMAL");
}

/* The thread continues with its memory: nothing of it is left. */
static int child_of_child(void)
{
	const struct tr2_thread *self = tr2_thread_self();

	trace2_printf_fl("child.c", 1, "child");
	if (tr2_thread_self() != self)
		return 1;
	process_pid++;
	return process_pid < 1003 ? process_fork(child_of_child) : 0;
}

static int parent_of_generations(void)
{
	begin_program();
	return process_fork(child_of_child);
}

static void test_generations(void)
{
	tap_str(process_told(parent_of_generations),
		BEGIN "/version main child.c:1 evt:4 exe:1.0\n"
		      "/printf main child.c:1 t_abs:0.000000 msg:child\n"
		      "//version main child.c:1 evt:4 exe:1.0\n"
		      "//printf main child.c:1 t_abs:0.000000 msg:child\n",
		"a child's child has a session below its parent's");
}

static struct trace2_timer timer = { "c", "timer", 0, 0 };
static struct trace2_counter counter = { "c", "counter", 0, 0 };

/* There is room for more of both; nobody uses that room. */
static struct tr2_metric_value *find_spare(enum tr2_metric_kind kind)
{
	const struct tr2_metrics *metrics = &tr2_process.metrics[kind];

	return &metrics->metric[metrics->count].total;
}

static int child_with_spares(void)
{
	trace2_printf_fl("child.c", 1, "child");
	return find_spare(TR2_METRIC_TIMER)->intervals != 7 ||
	       find_spare(TR2_METRIC_COUNTER)->total != 7;
}

static int parent_with_spares(void)
{
	int code;

	begin_program();
	trace2_timer_start(&timer);
	trace2_timer_stop(&timer);
	trace2_counter_add(&counter, 1);
	find_spare(TR2_METRIC_TIMER)->intervals = 7;
	find_spare(TR2_METRIC_COUNTER)->total = 7;
	code = process_fork(child_with_spares);
	process_exit(0);
	return code;
}

static void test_spares(void)
{
	tap_str(process_told(parent_with_spares),
		BEGIN "/version main child.c:1 evt:4 exe:1.0\n"
		      "/printf main child.c:1 t_abs:0.000000 msg:child\n"
		      "exit main main.c:1 t_abs:0.000000 code:0\n"
		      "timer main main.c:1 category:c name:timer intervals:1 "
		      "t_total:0.000000 t_min:0.000000 t_max:0.000000\n"
		      "counter main main.c:1 category:c name:counter count:1\n"
		      "atexit main main.c:1 t_abs:0.000000 code:0\n",
		"only timers and counters that are in use are told");
}

int main(void)
{
	kit_start();
	tap_run(test_keep, test_start_without_memory, test_own_file,
		test_generations, test_spares);
	return kit_done();
}
