/* What the compiler calls with -finstrument-functions, called by hand. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "kit/trace/trace.h"
#include "trace/functions/functions.h"

static void start_engine(void)
{
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
}

/* The addresses of functions, of this program and of a library. */
static void *address_of(int (*function)(void))
{
	void *address;

	memcpy(&address, &function, sizeof(address));
	return address;
}

static int return_one(void)
{
	return 1;
}

static void enter_function(void *function)
{
	__cyg_profile_func_enter(function, NULL);
}

static void leave_function(void *function)
{
	__cyg_profile_func_exit(function, NULL);
}

static int count_lines(const char *text, const char *part)
{
	int count = 0;

	while ((text = strstr(text, part))) {
		count++;
		text += strlen(part);
	}
	return count;
}

static void test_calls(void)
{
	void *function = address_of(return_one);
	const char *lines;

	enter_function(function);
	start_engine();
	leave_function(function);
	errno = 77;
	enter_function(function);
	enter_function(function);
	tap_int(errno, 77, "a call keeps errno");
	leave_function(function);
	leave_function(function);
	leave_function(function);
	lines = kit_lines();
	tap_int(count_lines(lines, "begin functions/function address="), 2,
		"each call has a begin, in the category of its file");
	tap_int(count_lines(lines, "end functions/function address="), 2,
		"and an end, if it began in the trace");
	tap_int(count_lines(lines, "instant functions/module path="), 1,
		"its object is told once");
	tap_ok(strstr(lines, "trace/functions/functions build_id=") != NULL,
	       "with its path");
}

static void test_objects(void)
{
	void *library = address_of((int (*)(void))getpagesize);
	const char *lines;

	start_engine();
	enter_function(library);
	enter_function(address_of(return_one));
	enter_function(library);
	enter_function((void *)8);
	lines = kit_lines();
	tap_int(count_lines(lines, "begin libc"), 2,
		"a library has a category of its own");
	tap_int(count_lines(lines, "/module "), 2, "each object is told");
	tap_int(count_lines(lines, "begin "), 3,
		"an address of no object is left out");
}

static void test_next_trace(void)
{
	void *function = address_of(return_one);
	const char *lines;

	start_engine();
	enter_function(function);
	kit_lines();
	start_engine();
	leave_function(function);
	enter_function(function);
	leave_function(function);
	lines = kit_lines();
	tap_int(count_lines(lines, "end "), 1,
		"what began in the trace before does not end in the next");
	tap_int(count_lines(lines, "/module "), 1,
		"each trace tells of the object");
}

static void *call_often(void *function)
{
	int i;

	for (i = 0; i < 100; i++) {
		enter_function(function);
		leave_function(function);
	}
	return NULL;
}

static void test_threads(void)
{
	pthread_t threads[4];
	int i;

	start_engine();
	for (i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, call_often,
			       address_of(return_one));
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	tap_int(count_lines(kit_lines(), "begin "), 400,
		"calls of all threads are written");
}

int main(void)
{
	tap_run(test_calls, test_objects, test_next_trace, test_threads);
	return tap_done();
}
