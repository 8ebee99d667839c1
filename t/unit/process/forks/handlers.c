/*
 * Programs whose own handlers of fork(2) trace: before and after those of the
 * library, in each phase, on a thread that has not traced; they fork, too.
 */
#define _GNU_SOURCE
#include "process/every_kit.h"

static int first_call; /* of this fork */

/* Once is enough. Its own handlers trace, and fork no more. */
static void fork_in_handler(void)
{
	static int is_inside;
	pid_t pid;

	if (is_inside || first_call)
		return;
	is_inside = 1;
	pid = fork();
	if (!pid)
		_exit(0);
	wait_soon(pid);
	is_inside = 0;
}

static void call_from_handler(void)
{
	make_every_call(first_call);
	fork_in_handler();
}

static void watch_forks(void)
{
	pthread_atfork(call_from_handler, call_from_handler, call_from_handler);
}

static void *fork_once(void *code)
{
	const pid_t pid = fork();

	if (!pid) {
		trace2_printf("in the child");
		exit(0);
	}
	*(int *)code = wait_soon(pid);
	return NULL;
}

static int fork_from(int is_thread)
{
	pthread_t thread;
	int code = 1;

	if (!is_thread)
		fork_once(&code);
	else if (pthread_create(&thread, NULL, fork_once, &code) ||
		 pthread_join(thread, NULL))
		return 2;
	return code;
}

/* argv: who registers its handlers first, and where the forks are. */
static int be_host(char **argv)
{
	const int is_first = !strcmp(argv[1], "first");
	const int is_thread = !strcmp(argv[2], "thread");
	int code = 0;

	if (is_first)
		watch_forks();
	begin_host();
	trace2_cmd_start(argv);
	if (!is_first)
		watch_forks();
	for (first_call = 0; first_call < EVERY && !code; first_call++)
		code = fork_from(is_thread);
	if (code)
		printf("# call %d: %d\n", first_call - 1, code);
	return trace2_cmd_exit(code != 0);
}

static void test_host(char *order, char *place)
{
	char self[] = "handlers", *argv[] = { self, order, place, NULL };
	char name[200];
	int i;

	for (i = 0; i < EVERY_TARGETS; i++) {
		snprintf(name, sizeof(name),
			 "fork does not wait for a handler that is registered "
			 "%s and traces, on %s, with %s",
			 order, place, every_target[i].name);
		if (may_fork(&every_target[i]))
			tap_int(run_again(&every_target[i], argv), 0, name);
		else
			tap_skip(name, "the sanitizer");
	}
}

int main(int argc, char **argv)
{
	char first[] = "first", last[] = "last";
	char thread[] = "thread", main_thread[] = "main";

	if (argc > 1)
		return be_host(argv);
#ifdef __SANITIZE_THREAD__
	tap_skip("threads in a forked child", "the sanitizer");
	return tap_done();
#endif
	begin_every();
	test_host(first, thread);
	test_host(last, thread);
	test_host(first, main_thread);
	test_host(last, main_thread);
	return end_every();
}
