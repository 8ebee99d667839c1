/* Signal handlers that trace, at any instruction of a thread that traces. */
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "kit/trace/trace.h"

#define SIGNALS 100

static int handled, done; /* atomic */

static void on_signal(int number)
{
	(void)number;
	TRACE_DURATION("cat", "handler");
	TRACE_INSTANT("cat", "signal", TRACE_SCOPE_THREAD);
	__atomic_fetch_add(&handled, 2, __ATOMIC_RELAXED);
}

static void *send_signals(void *to)
{
	const struct timespec time = { 0, 20000 };
	int i;

	for (i = 0; i < SIGNALS; i++) {
		pthread_kill(*(pthread_t *)to, SIGUSR1);
		nanosleep(&time, NULL);
	}
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	return NULL;
}

static void count_event(void *context, const struct trace_reader_record *record)
{
	*(int *)context += record->type == FXT_EVENT;
}

int main(void)
{
	struct sigaction action;
	struct kit_archive archive;
	pthread_t self = pthread_self(), sender;
	int traced = 0, found = 0, findings;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal;
	sigaction(SIGUSR1, &action, NULL);
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 16 << 20);
	pthread_create(&sender, NULL, send_signals, &self);
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
		TRACE_INSTANT("cat", "main", TRACE_SCOPE_THREAD);
		traced++;
	}
	pthread_join(sender, NULL);
	trace_engine_stop(0);
	kit_make_archive(&archive, kit_buffer, kit_size);
	findings = kit_read(&archive, count_event, &found);
	tap_ok(handled > 0, "signals arrive while a thread traces");
	tap_int(findings, 0, "records inside records leave the trace whole");
	tap_int(found + (int)trace_engine_dropped(), traced + handled,
		"records inside records are written or counted");
	free(archive.words);
	trace_engine_terminate();
	free(kit_buffer);
	return tap_done();
}
