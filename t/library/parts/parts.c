/*
 * parts - one program of the matrix: some parts of the library, in the order
 * in which they are named, and an ending.
 */
#include "parts.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace2.h"

char **parts_argv;

#ifdef __SANITIZE_THREAD__
/* Children here start threads, which it does not follow, and need not. */
const char *__tsan_default_options(void);

const char *__tsan_default_options(void)
{
	return "die_after_fork=0";
}
#endif

#ifdef __SANITIZE_ADDRESS__
/* Its leak checker prints a line for a thread that it cannot stop. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#endif

static void use_parts(void)
{
	int i;

	for (i = 2; parts_argv[i]; i++)
		find_part(parts_argv[i])->use();
}

static void begin_parts(int in_child)
{
	const struct part *part;
	int i;

	for (i = 2; parts_argv[i]; i++) {
		part = find_part(parts_argv[i]);
		if (!in_child || part->ends_with_fork)
			part->begin();
	}
	use_parts();
}

/* ---- Endings: each gives what main() is to return, if it comes back ---- */

static int end_by_return(void)
{
	return PARTS_CODE;
}

static int end_by_exit(void)
{
	exit(trace2_cmd_exit(PARTS_CODE));
}

static int end_by_signal(void)
{
	raise(SIGTERM);
	return 1;
}

static void *exit_process(void *main_thread)
{
	pthread_join(*(pthread_t *)main_thread, NULL);
	exit(PARTS_CODE);
}

/* The main thread is gone before the process is. */
static int end_by_thread(void)
{
	static pthread_t main_thread;
	pthread_t thread;

	main_thread = pthread_self();
	if (!pthread_create(&thread, NULL, exit_process, &main_thread))
		pthread_exit(NULL);
	return 1;
}

static int wait_for(pid_t child)
{
	int status;

	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	use_parts();
	return status == PARTS_CODE << 8 ? PARTS_CODE : 1;
}

/* A child that says nothing, */
static int end_by_quiet_fork(void)
{
	pid_t child = fork();

	if (!child)
		exit(PARTS_CODE);
	return wait_for(child);
}

/* one that goes on as its parent did, */
static int end_by_fork(void)
{
	pid_t child = fork();

	if (!child) {
		use_parts();
		exit(PARTS_CODE);
	}
	return wait_for(child);
}

/* one that begins anew what a fork ends, */
static int end_by_new_fork(void)
{
	pid_t child = fork();

	if (!child) {
		begin_parts(1);
		exit(PARTS_CODE);
	}
	return wait_for(child);
}

/* and one that outlives its parent. */
static int end_by_daemon(void)
{
	const pid_t parent = getpid();
	pid_t child = fork();

	if (child)
		return child < 0 ? 1 : PARTS_CODE;
	while (getppid() == parent)
		poll(NULL, 0, 1);
	use_parts();
	exit(PARTS_CODE);
}

static int end_by_exec(void)
{
	char ending[] = "return";
	int id;

	parts_argv[1] = ending;
	id = trace2_exec("parts", parts_argv);
	execv("/proc/self/exe", parts_argv);
	trace2_exec_result(id, 1);
	return 1;
}

static const struct {
	const char *name;
	int (*end)(void);
} endings[] = {
	{ "return", end_by_return },
	{ "exit", end_by_exit },
	{ "signal", end_by_signal },
	{ "thread", end_by_thread },
	{ "quiet-fork", end_by_quiet_fork },
	{ "fork", end_by_fork },
	{ "new-fork", end_by_new_fork },
	{ "daemon", end_by_daemon },
	{ "exec", end_by_exec },
};

int main(int argc, char **argv)
{
	size_t i;

	parts_argv = argv;
	alarm(60);
	for (i = 2; i < (size_t)argc; i++)
		if (!find_part(argv[i]))
			return 2;
	for (i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (argc > 1 && !strcmp(endings[i].name, argv[1])) {
			begin_parts(0);
			return endings[i].end();
		}
	return 2;
}
