/*
 * bench_tracing.c - the same event, an instant with one integer, in several
 * systems; answers are `name value` lines, asked by t/tools/perf/tracing.py.
 *
 *	bench-tracing SYSTEM cost COUNT	ns for an event, of its thread and in all
 *	bench-tracing SYSTEM two COUNT	events a second of two threads
 *	bench-tracing SYSTEM kill COUNT	write so many in two seconds, and die of
 *					SIGKILL
 *
 * Systems: `off`, `text` (the EVENT target), `fxt` (the FXT target), `agent`
 * and `agent-fxt` (trace.json and trace.fxt in the working directory), `lttng`
 * and `uftrace`, if the program was built for these.
 */
#include "bench_kit.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <trace/agent.h>
#include <trace/event.h>
#include <trace/tracing.h>

#include "trace2.h"

#ifdef BENCH_LTTNG
#define LTTNG_UST_COMPAT_API_VERSION 1 /* its old names are not ours */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "bench_lttng_point.h"
#endif

#define QUIET __attribute__((no_instrument_function))

/* ---- Events ---- */

static QUIET void write_instants(long calls)
{
	while (calls--) {
		__asm__ volatile("" : : "r"(calls) : "memory");
		TRACE_INSTANT("bench", "instant", TRACE_SCOPE_THREAD, "i",
			      TA_INT32((int32_t)calls));
	}
}

static QUIET void write_lines(long calls)
{
	while (calls--)
		trace2_data_intmax("bench", 0, "instant", calls);
}

#ifdef BENCH_LTTNG
static QUIET void write_lttng(long calls)
{
	while (calls--)
		lttng_ust_tracepoint(bench, instant, (int)calls);
}
#else
#define write_lttng NULL
#endif

/* The compiler adds uftrace's calls: at the begin and at the end. */
__attribute__((noinline)) void bench_function(long number);

__attribute__((noinline)) void bench_function(long number)
{
	__asm__ volatile("" : : "r"(number) : "memory");
}

static QUIET void call_functions(long calls)
{
	while (calls--)
		bench_function(calls);
}

/* ---- Beginnings ---- */

static QUIET void begin_trace2(void)
{
	trace2_initialize();
}

static QUIET void begin_agent(void)
{
	static const char *const categories[] = { "bench" };
	const struct trace_tracing_options options = {
		.pattern = "trace.json",
		.events = UINT64_MAX,
		.warn = true,
	};

	trace_tracing_configure(&options);
	if (trace_tracing_enable(trace_tracing_create(categories, 1)))
		exit(1);
}

static QUIET void put_bytes(void *context, const void *bytes, size_t len)
{
	FILE *file = (FILE *)context;

	fwrite(bytes, 1, len, file);
}

static QUIET void put_flush(void *context, uint64_t dropped)
{
	FILE *file = (FILE *)context;

	(void)dropped;
	fflush(file);
}

static QUIET void begin_agent_fxt(void)
{
	static const char *const categories[] = { "bench" };
	const struct trace_agent_consumer consumer = {
		.format = TRACE_AGENT_FXT,
		.context = fopen("trace.fxt", "w"),
		.bytes = put_bytes,
		.flush = put_flush,
	};

	if (!consumer.context ||
	    !trace_agent_add_client(categories, 1, &consumer))
		exit(1);
}

static const struct system {
	const char *name;
	void (*begin)(void);
	bench_calls *calls;
} systems[] = {
	{ "off", NULL, write_instants },
	{ "text", begin_trace2, write_lines },
	{ "fxt", begin_trace2, write_instants },
	{ "agent", begin_agent, write_instants },
	{ "agent-fxt", begin_agent_fxt, write_instants },
	{ "lttng", NULL, write_lttng },
	{ "uftrace", NULL, call_functions },
};

/* ---- Measurements ---- */

static QUIET double process_ns(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return 1e9 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       1e3 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* What the agent does later is its cost, too. */
static QUIET void measure_cost(bench_calls *calls)
{
	double before = process_ns(), took = measure_calls(calls);

	trace_tracing_flush(true);
	printf("ns %.1f\nall %.1f\n", took,
	       (process_ns() - before) / (double)count);
	printf("events %ld\n", count / BLOCKS * BLOCKS);
}

struct half {
	pthread_t thread;
	bench_calls *calls;
};

static QUIET void *run_half(void *given)
{
	((struct half *)given)->calls(count);
	return NULL;
}

static QUIET void measure_two(bench_calls *calls)
{
	struct half halves[2] = { { 0, calls }, { 0, calls } };
	uint64_t before = time_of(CLOCK_MONOTONIC);
	int i;

	for (i = 0; i < 2; i++)
		pthread_create(&halves[i].thread, NULL, run_half, &halves[i]);
	for (i = 0; i < 2; i++)
		pthread_join(halves[i].thread, NULL);
	printf("rate %.0f\n",
	       2e9 * (double)count /
		       (double)(time_of(CLOCK_MONOTONIC) - before));
	printf("events %ld\n", 2 * count);
}

#define PIECES 100

static QUIET void die_after(bench_calls *calls)
{
	const struct timespec pause = { 0, 2000000000L / PIECES };
	int i;

	for (i = 0; i < PIECES; i++) {
		nanosleep(&pause, NULL);
		calls(count / PIECES);
	}
	printf("events %ld\n", count);
	fflush(stdout);
	raise(SIGKILL);
}

static QUIET const struct system *find_system(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(systems) / sizeof(*systems); i++)
		if (!strcmp(systems[i].name, name) && systems[i].calls)
			return &systems[i];
	fprintf(stderr, "no system is called %s\n", name);
	exit(2);
}

QUIET int main(int argc, char **argv)
{
	const struct system *system;

	if (argc != 4)
		return 2;
	system = find_system(argv[1]);
	count = atol(argv[3]);
	if (system->begin)
		system->begin();
	if (!strcmp(argv[2], "cost"))
		measure_cost(system->calls);
	else if (!strcmp(argv[2], "two"))
		measure_two(system->calls);
	else
		die_after(system->calls);
	return 0;
}
