#define _GNU_SOURCE /* limits of threads */
/* The threads of test-tool: each has its place, and they end in order. */
#include "tool/ends_kit.h"
#include "kit/limits.h"

#include <errno.h>

static pthread_key_t key; /* its destructor runs when a thread ends */
static int done, wanted, data;
static int runs[FAKE_TURNS_MAX + 1];
static char ends[FAKE_TURNS_MAX + 2];
static int ended, early; /* how many have ended; before all were done */

static void note_end(void *place)
{
	ends[ended++] = *(char *)place;
	early += __atomic_load_n(&done, __ATOMIC_ACQUIRE) != wanted;
}

static void note_run(int place, void *given)
{
	static char places[FAKE_TURNS_MAX + 1];

	places[place] = (char)('0' + place);
	pthread_setspecific(key, &places[place]);
	runs[place] += given == &data;
	__atomic_add_fetch(&done, 1, __ATOMIC_ACQ_REL);
}

static void run_threads(int count, int expected)
{
	done = ended = early = 0;
	wanted = expected;
	memset(runs, 0, sizeof(runs));
	memset(ends, 0, sizeof(ends));
	tool_threads(count, note_run, &data);
}

static int count_runs(int count)
{
	int i, once = 0;

	for (i = 0; i < count; i++)
		once += runs[i] == 1;
	return once;
}

static void test_places(void)
{
	run_threads(5, 5);
	tap_ok(done == 5 && count_runs(5) == 5,
	       "each thread has a place of its own");
	tap_str(ends, "01234", "threads end in the order of their places");
	tap_int(early, 0, "no thread ends before all have done their work");
	run_threads(1, 1);
	tap_str(ends, "0", "one thread is enough");
	run_threads(0, 0);
	tap_int(done, 0, "there may be no thread to run");
	run_threads(-1, 0);
	tap_int(done, 0, "there are never less than none");
	run_threads(FAKE_TURNS_MAX + 1, FAKE_TURNS_MAX);
	tap_ok(done == FAKE_TURNS_MAX &&
		       count_runs(FAKE_TURNS_MAX) == FAKE_TURNS_MAX,
	       "there are at most 64 threads");
}

static char turns[32];
static size_t turn;

static void take_turns(int place, void *given)
{
	int i;

	(void)given;
	for (i = 0; i < 3; i++) {
		turns[turn++] = (char)('0' + place);
		fake_tick();
	}
}

static void show_turns(void)
{
	tool_threads(3, take_turns, NULL);
	fputs(turns, stderr);
	exit(0);
}

static void test_turns(void)
{
	ends_faked = 1;
	tap_int(end_child(show_turns), 0, "threads may take turns");
	ends_faked = 0;
	tap_str(ended_said, "012012012",
		"each tick passes the turn to the next place");
}

static void have_no_threads(void)
{
	limit_threads(1);
	tool_threads(2, note_run, &data);
}

static void test_no_threads(void)
{
	char said[128];

	tap_int(end_child(have_no_threads), 125,
		"without threads a program ends");
	snprintf(said, sizeof(said), "pthread_create: %s\n", strerror(0));
	tap_ok(!strncmp(ended_said, said, strlen("pthread_create: ")),
	       "which call has failed is said");
}

int main(void)
{
	enter_directory();
	pthread_key_create(&key, note_end);
	tap_run(test_places, test_turns, test_no_threads);
	leave_directory();
	return tap_done();
}
