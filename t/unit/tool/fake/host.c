#define _GNU_SOURCE
/* The fake host: worlds that cannot be, and threads that take turns. */
#include "tool/fake/host.h"
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "host/host.h"
#include "kit/command.h"
#include "kit/limits.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/utsname.h>
#include <time.h>

/* In a child: returns its status. A world stays once it is entered. */
static int run_child(int (*use)(void))
{
	int status = -1;
	pid_t pid;

	fflush(stdout);
	kit_divert(2);
	pid = fork();
	if (!pid) {
		limit_cores();
		_exit(use());
	}
	waitpid(pid, &status, 0);
	kit_restore(2);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Enter a world of its own, and return its time. */
static uint64_t begin_world(const char *program)
{
	setenv("TEST_TOOL_FAKE_HOST", "1", 1);
	fake_host_install(program);
	return tr2_host->mono_ns();
}

/*
 * ---- No world
 */

/* A descriptor of nothing. */
static int use_wrong(void)
{
	setenv("TEST_TOOL_FAKE_HOST", "99:1000", 1);
	fake_host_install("a");
	return 0;
}

static int use_full_disk(void)
{
	setenv("TEST_TOOL_FAKE_HOST", "1", 1);
	limit_disk(100);
	fake_host_install("a");
	return 0;
}

static int use_few_descriptors(void)
{
	setenv("TEST_TOOL_FAKE_HOST", "1", 1);
	limit_files(50);
	fake_host_install("a");
	return 0;
}

static void test_wrong(void)
{
	tap_int(run_child(use_wrong), 125, "a world that is gone is no world");
	tap_ok(!strncmp(kit_said[2], "mmap: ", 6),
	       "and the system call is told");
	tap_int(run_child(use_full_disk), 125,
		"a world needs space for its file");
	tap_ok(!strncmp(kit_said[2], "tmpfile: ", 9),
	       "and the failure is told");
	tap_int(run_child(use_few_descriptors), 125,
		"a world needs a high descriptor");
	tap_ok(!strncmp(kit_said[2], "dup: ", 5), "which is named");
}

static void run_host(void)
{
	unsetenv("TEST_TOOL_FAKE_HOST");
	unsetenv("TEST_TOOL_FAKE_CLOCK");
	unsetenv("TEST_TOOL_FAIL");
	tap_run(test_wrong);
}

/*
 * ---- Turns
 */

static char order[64];
static int rises; /* do later places have more calls? */

/* One to three calls, and before each one a tick; nobody waits after that. */
static void *take_turns(void *context)
{
	const int place = *(int *)context;
	char letter[2] = { (char)('a' + place), '\0' };
	int i;

	fake_turns_enter(place);
	for (i = 0; i < (rises ? 1 + place : 3 - place); i++) {
		fake_tick();
		strcat(order, letter);
	}
	fake_turns_leave();
	fake_tick();
	return NULL;
}

static void run_threads(void)
{
	static int places[] = { 0, 1, 2 };
	pthread_t threads[3];
	int i;

	order[0] = '\0';
	fake_turns_open(3);
	for (i = 2; i >= 0; i--)
		pthread_create(&threads[i], NULL, take_turns, &places[i]);
	for (i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

/*
 * Each tick passes the turn to the next place, so the others come first; who
 * has no more calls leaves the ring.
 */
static int use_turns(void)
{
	int i;

	begin_world("a");
	for (i = 0; i < 20; i++) {
		rises = i % 2;
		run_threads();
		if (strcmp(order, rises ? "abcbcc" : "abcaba") != 0) {
			fprintf(stderr, "%s\n", order);
			return 0;
		}
	}
	fake_tick();
	return 1;
}

static int use_full_ring(void)
{
	begin_world("a");
	fake_turns_open(FAKE_TURNS_MAX);
	return 1;
}

static int use_many_turns(void)
{
	begin_world("a");
	fake_turns_open(FAKE_TURNS_MAX);
	fake_turns_open(FAKE_TURNS_MAX + 1);
	return 0;
}

static void test_turns(void)
{
	int code = run_child(use_turns);

	printf("# %s\n", kit_said[2]);
	tap_int(code, 1, "threads run in turn, each time in the same order");
	tap_int(run_child(use_full_ring), 1, "there may be 64 places");
	tap_int(run_child(use_many_turns), -6, "and no place more");
}

static void run_turns(void)
{
	test_turns();
}

int main(void)
{
	tap_run(run_host, run_turns);
	return tap_done();
}
