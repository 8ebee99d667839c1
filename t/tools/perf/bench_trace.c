/*
 * bench_trace.c - what a trace point costs, in ns of the thread's own time;
 * answers are `name value` lines on standard output, asked by
 * t/tools/perf/bench.py.
 *
 *	bench-trace COUNT		instant, off, duration, clock, two
 *	bench-trace paced SECONDS	drops of a stream of 1,000,000 a second
 *	bench-trace speed SECONDS	a stream at full speed: what went where
 *	bench-trace agent COUNT PATTERN	instant and off, written by the agent
 *	bench-trace agent-paced SECONDS PATTERN
 *	bench-trace agent-speed SECONDS PATTERN	streams into files
 */
#include "bench_kit.h"

#include <string.h>

#include <trace/engine.h>
#include <trace/event.h>
#include <trace/engine/fxt.h>
#include <trace/tracing.h>

#include "host/host.h"

#define SIZE ((size_t)4 << 20)

static char *buffer;

static bool is_on(struct trace_handler *handler, const char *category)
{
	(void)handler;
	return *category == 'o';
}

static void start_engine(enum trace_buffering_mode mode,
			 struct trace_handler *handler)
{
	if (trace_start_engine(handler, mode, buffer, SIZE)) {
		fprintf(stderr, "the engine does not start\n");
		exit(1);
	}
}

static struct trace_handler *plain_handler(void)
{
	static const struct trace_handler_ops ops = { .is_category_enabled =
							      is_on };
	static struct trace_handler handler = { &ops };

	return &handler;
}

static void write_instants(long calls)
{
	while (calls--) {
		__asm__ volatile("" : : "r"(calls) : "memory");
		TRACE_INSTANT("on", "instant", TRACE_SCOPE_THREAD, "i",
			      TA_INT32((int32_t)calls));
	}
}

static void call_off(long calls)
{
	while (calls--) {
		__asm__ volatile("" : : "r"(calls) : "memory");
		TRACE_INSTANT("category", "off", TRACE_SCOPE_THREAD, "i",
			      TA_INT32((int32_t)calls));
	}
}

static void write_durations(long calls)
{
	while (calls--) {
		TRACE_DURATION("on", "duration");
	}
}

static void read_clocks(long calls)
{
	while (calls--)
		trace_ticks_now();
}

static int measure_costs(void)
{
	double empty = measure_calls(do_nothing), alone;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR, plain_handler());
	write_instants(count); /* touches every page */
	printf("instant %.3f\n", measure_calls(write_instants) - empty);
	printf("off %.3f\n", measure_calls(call_off) - empty);
	printf("duration %.3f\n", measure_calls(write_durations));
	printf("clock %.3f\n", measure_calls(read_clocks));
	alone = measure_threads(write_instants, 1);
	printf("two %.3f\n", measure_threads(write_instants, 2) / alone);
	trace_stop_engine(0);
	return 0;
}

/*
 * A stream into a reader that counts and discards.
 */

static uint64_t recorded;
static int done; /* atomic */
static struct trace_buffer_header header;

static int count_events(void *unused, const uint64_t *records, size_t words)
{
	size_t at;

	(void)unused;
	for (at = 0; at < words; at += fxt_record_words(records[at]))
		recorded += fxt_record_type(records[at]) == FXT_EVENT;
	return 0;
}

static void read_from(int part, uint32_t oldest)
{
	trace_buffer_read_rolling(&header, buffer, part, oldest, count_events,
				  NULL);
}

static uint32_t passes;

static void save_buffer(struct trace_handler *handler, uint32_t wrapped,
			uint64_t durable)
{
	(void)handler;
	read_from((int)(wrapped & 1), wrapped);
	passes = wrapped + 1;
	trace_engine_mark_buffer_saved(wrapped, durable);
}

static void *serve_buffers(void *unused)
{
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
		struct timespec time = { 0, trace_engine_service() * 1000000L };

		nanosleep(&time, NULL);
	}
	return unused;
}

/* At most so many calls a second (0: as many as can be); how many were. */
static uint64_t emit_events(double seconds, double rate)
{
	uint64_t begin = time_of(CLOCK_MONOTONIC), now = begin, emitted = 0;

	while (now - begin < (uint64_t)(seconds * 1e9)) {
		if (!(rate > 0) ||
		    (double)emitted < (double)(now - begin) * rate / 1e9) {
			write_instants(100);
			emitted += 100;
		}
		now = time_of(CLOCK_MONOTONIC);
	}
	return emitted;
}

static int measure_stream(double seconds, double rate)
{
	static const struct trace_handler_ops ops = { .notify_buffer_full =
							      save_buffer };
	struct trace_handler handler = { &ops };
	pthread_t server;
	uint64_t emitted, dropped;

	start_engine(TRACE_BUFFERING_MODE_STREAMING, &handler);
	memcpy(&header, buffer, sizeof(header));
	pthread_create(&server, NULL, serve_buffers, NULL);
	emitted = emit_events(seconds, rate);
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	pthread_join(server, NULL);
	dropped = trace_engine_dropped();
	trace_stop_engine(0);
	read_from(0, passes);
	read_from(1, passes);
	printf("emitted %.0f\ndropped %.0f\nmissing %.0f\n", (double)emitted,
	       (double)dropped,
	       (double)emitted - (double)dropped - (double)recorded);
	return 0;
}

/*
 * The agent, which writes files.
 */

static struct trace_tracing *start_agent(const char *pattern)
{
	static const char *const on[] = { "on" };
	const struct trace_tracing_options options = { .pattern = pattern };
	struct trace_tracing *tracing = trace_tracing_create(on, 1);

	trace_tracing_configure(&options);
	if (trace_tracing_enable(tracing))
		exit(1);
	return tracing;
}

static int measure_agent(const char *what, const char *amount,
			 const char *pattern)
{
	struct trace_tracing *tracing = start_agent(pattern);
	double empty;

	if (!strcmp(what, "agent")) {
		count = atol(amount);
		empty = measure_calls(do_nothing);
		printf("instant %.3f\n", measure_calls(write_instants) - empty);
		printf("off %.3f\n", measure_calls(call_off) - empty);
	} else {
		printf("emitted %.0f\n",
		       (double)emit_events(atof(amount),
					   strcmp(what, "agent-paced") ? 0
								       : 1e6));
	}
	trace_tracing_destroy(tracing);
	return 0;
}

static struct tr2_host vdso_host;

int main(int argc, char **argv)
{
	buffer = calloc(1, SIZE);
	if (getenv("BENCH_TRACE_VDSO")) {
		vdso_host = *tr2_host;
		vdso_host.has_constant_ticks = NULL;
		tr2_host = &vdso_host;
	}
	if (argc == 4)
		return measure_agent(argv[1], argv[2], argv[3]);
	if (argc == 3)
		return measure_stream(atof(argv[2]),
				      strcmp(argv[1], "paced") ? 0 : 1e6);
	if (argc == 2)
		count = atol(argv[1]);
	return measure_costs();
}
