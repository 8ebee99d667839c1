/*
 * bench_lttng.c - the same instant with one integer, ours and LTTng-UST's,
 * in one program and in turn; answers are `name value` lines, asked by
 * t/tools/perf/lttng.sh, which has a session for it.
 *
 *	bench-lttng COUNT
 */
#include "bench_kit.h"

#define LTTNG_UST_COMPAT_API_VERSION 1 /* its old names are not ours */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "bench_lttng_point.h"

#include <trace/engine.h>
#include <trace/event.h>

#define SIZE ((size_t)4 << 20)
#define TURNS 5

static void call_ours(long calls)
{
	while (calls--)
		TRACE_INSTANT("bench", "instant", TRACE_SCOPE_THREAD, "i",
			      TA_INT32((int32_t)calls));
}

static void call_theirs(long calls)
{
	while (calls--)
		lttng_ust_tracepoint(bench, instant, (int)calls);
}

static double find_median(double *turns)
{
	qsort(turns, TURNS, sizeof(*turns), compare_doubles);
	return turns[TURNS / 2];
}

static void compare_both(int threads)
{
	double our[TURNS], their[TURNS];
	int i;

	for (i = 0; i < TURNS; i++) {
		our[i] = measure_threads(call_ours, threads);
		their[i] = measure_threads(call_theirs, threads);
	}
	printf("ours-%d %.1f\n", threads, find_median(our));
	printf("lttng-%d %.1f\n", threads, find_median(their));
}

int main(int argc, char **argv)
{
	static const struct trace_handler_ops ops;
	static struct trace_handler handler = { &ops };
	void *buffer = calloc(1, SIZE);

	if (argc == 2)
		count = atol(argv[1]);
	if (!buffer || !lttng_ust_tracepoint_enabled(bench, instant) ||
	    trace_start_engine(&handler, TRACE_BUFFERING_MODE_CIRCULAR, buffer,
			       SIZE)) {
		fprintf(stderr, "one of the two does not start\n");
		return 1;
	}
	call_ours(count); /* touches every page */
	call_theirs(count);
	compare_both(1);
	compare_both(2);
	trace_stop_engine(0);
	return 0;
}
