/*
 * bench_lttng_point.h - the trace point of bench_lttng.c, as LTTng-UST wants
 * it: read several times over, to other ends each time.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "perf/bench_lttng_point.h"

#if !defined(BENCH_LTTNG_POINT_H) || \
	defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BENCH_LTTNG_POINT_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(bench, instant, LTTNG_UST_TP_ARGS(int, i),
			   LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, i,
								       i)))

/* Where its uses are a list, there is no place for a declaration. */
#ifndef LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ
struct bench_lttng; /* the macro's use ends without a semicolon */
#endif

#endif

#include <lttng/tracepoint-event.h>
