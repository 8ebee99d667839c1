/*
 * The parts of the library that register for the exit, and the owner of the
 * code that calls them.
 */
#include "kit/memory.h"

#include "kit/destination.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "ending/death.h"

static const struct tr2_host *const host = &tr2_host_system;

static void leave_with(int code)
{
	_exit(code == 41 ? 0 : 1);
}

static int parts_gone;

static void leave_first(int code)
{
	_exit(code == 41 && parts_gone == 2 ? 0 : 1);
}

static void leave_second(int code)
{
	parts_gone = code == 41 && parts_gone == 1 ? 2 : 9;
}

static void leave_third(int code)
{
	parts_gone = code == 41 && !parts_gone ? 1 : 9;
}

static int exits_in_order(void)
{
	if (host->at_exit(leave_first) || host->at_exit(leave_second) ||
	    host->at_exit(leave_third))
		return 2;
	exit(41);
}

static void leave_the_programs(void)
{
	leave_second(41);
}

static int exits_around_the_programs(void)
{
	if (host->at_exit(leave_first) || atexit(leave_the_programs) ||
	    host->at_exit(leave_third))
		return 2;
	exit(41);
}

/* The system's, for which there may be no memory. */
static int exit_is_refused;

/* What the system was asked to call. */
static void (*asked)(int code, void *data);

int on_exit(void (*fn)(int code, void *data), void *data)
{
	int (*next)(void (*fn)(int code, void *data), void *data);
	void *found = dlsym(RTLD_NEXT, "on_exit");

	memcpy(&next, &found, sizeof(next));
	asked = fn;
	return exit_is_refused ? -1 : next(fn, data);
}

static int exits_beside_refused(void)
{
	if (host->at_exit(leave_first) || host->at_exit(leave_second))
		return 2;
	exit_is_refused = 1;
	if (host->at_exit(leave_third) != -1)
		return 3;
	exit_is_refused = 0;
	parts_gone = 1;
	exit(41);
}

static int count_exits;

static void count_exit(int code)
{
	count_exits += code == 41;
}

static int exits_twice(void)
{
	if (host->at_exit(count_exit))
		return 2;
	asked(41, NULL);
	asked(41, NULL);
	return count_exits != 1;
}

static int exits_with_many(void)
{
	int count = 0;

	while (!host->at_exit(leave_with) && count < 100)
		count++;
	if (count != 8 || errno != ENOMEM)
		return 2;
	exit(41);
}

static int write_nothing(int signo)
{
	return signo;
}

static void *be_killed(void *unused)
{
	raise(SIGTERM);
	return unused;
}

static void take_long(int code)
{
	const struct timespec length = { 0, 100000000 };
	pthread_t thread;

	pthread_create(&thread, NULL, be_killed, NULL);
	nanosleep(&length, NULL);
	_exit(code == 41 ? 0 : 1);
}

static int exits_while_killed(void)
{
	static const struct tr2_death death = { write_nothing, NULL };

	signal(SIGTERM, SIG_DFL);
	tr2_death_join(TR2_DEATH_PROCESS, &death);
	tr2_death_watch(TR2_DEATH_PROCESS);
	if (host->at_exit(take_long))
		return 2;
	exit(41);
}

static void test_code(void)
{
	static int own;
	void *made = malloc(16);

	errno = 77;
	tap_ok(tr2_host_is_program(&own), "the program's code is its own");
	tap_ok(!tr2_host_is_program(dlsym(RTLD_DEFAULT, "qsort")),
	       "a library's is not");
	tap_ok(!tr2_host_is_program(made), "nor is what it made itself");
	tr2_host_stay();
	tr2_host_stay();
	tap_int(errno, 77, "who asks keeps errno");
	free(made);
}

int main(void)
{
	kit_start();
	test_code();
	tap_int(kit_in_child(exits_in_order), 0,
		"all who asked are told of it, the last one first");
	tap_int(kit_in_child(exits_around_the_programs), 0,
		"and what the program asked for between keeps its place");
	tap_int(kit_in_child(exits_beside_refused), 0,
		"whom the system refuses is not told, and the others are");
	tap_int(kit_in_child(exits_twice), 0, "a function is called once");
	tap_int(kit_in_child(exits_with_many), 0,
		"there is room for eight functions, and an error for the next");
	tap_int(kit_in_child(exits_while_killed), 0,
		"a signal to another thread lets a function end");
	return kit_done();
}
