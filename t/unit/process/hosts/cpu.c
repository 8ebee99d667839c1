/*
 * Hosts that make floating-point exceptions fatal, that of an inexact result
 * too.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "kit/tap.h"

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)

#include <pthread.h>
#include <stdint.h>

#include "trace/engine.h"
#include "trace/event.h"
#include "process/hosts/host_kit.h"

static const char *const all[] = { "GIT_TRACE2", "GIT_TRACE2_PERF",
				   "GIT_TRACE2_EVENT", "GIT_TRACE2_FXT",
				   "GIT_TRACE2_CHROME" };

TRACE2_TIMER(work, "cpu", "work", 1);
TRACE2_COUNTER(things, "cpu", "things", 1);

static void *trace_much(void *unused)
{
	int i;

	trace2_thread_start("worker");
	for (i = 0; i < events; i++) {
		trace2_timer_start(work);
		trace2_counter_add(things, 7);
		trace2_region_enter("cpu", "region", TRACE2_REPO_NONE);
		trace2_data_intmax("cpu", TRACE2_REPO_NONE, "number", i);
		trace2_region_leave("cpu", "region", TRACE2_REPO_NONE);
		TRACE_INSTANT("cpu", "numbers", TRACE_SCOPE_THREAD, "tenth",
			      TA_DOUBLE(0.1));
		trace2_timer_stop(work);
	}
	trace2_thread_exit();
	return unused;
}

static int trace_all(void)
{
	pthread_t thread;

	trace2_cmd_name("cpu");
	if (pthread_create(&thread, NULL, trace_much, NULL))
		return 2;
	pthread_join(thread, NULL);
	trace_much(NULL);
	return trace2_dropped() ? 3 : trace2_cmd_exit(0);
}

static int with_fatal_numbers(void)
{
	be_traced(target, value);
	__builtin_ia32_ldmxcsr(0); /* as feenableexcept(3), and denormals */
	return trace_all();
}

static int with_fatal_numbers_first(void)
{
	__builtin_ia32_ldmxcsr(0);
	be_traced(target, value);
	return trace_all();
}

static void check_host(int (*host)(void), const char *what)
{
	size_t i;
	int code;

	for (i = 0; i < 5; i++) {
		target = all[i];
		value = path_of(1, "", target);
		code = run_host(host);
		if (code == 77)
			tap_skip(name_of(what, target), "not to be had here");
		else
			tap_int(code, 0, name_of(what, target));
		tap_int(unlink(value), code == 77 ? -1 : 0,
			name_of("it has a log", target));
	}
}

static void test_numbers(void)
{
	check_host(with_fatal_numbers, "an inexact number is fatal");
	check_host(with_fatal_numbers_first, "it is before the first event");
}

int main(void)
{
	kit_begin();
	events = 50;
	tap_run(test_numbers);
	return kit_done();
}

#else

int main(void)
{
	tap_skip("what the processor makes fatal", "x86-64 alone");
	return tap_done();
}

#endif
