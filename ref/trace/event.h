/*
 * event.h - trace points: what your program does, and when, at a cost of
 * tens of nanoseconds while it is traced and of next to none while not.
 *
 *	void DoSomething(int a, const char *b)
 *	{
 *		TRACE_DURATION("example", "DoSomething", "a", TA_INT32(a),
 *			       "b", TA_STRING(b));
 *		...
 *	}
 *
 * In C++ the types of arguments are inferred: `"a", a, "b", b`; TA_* works
 * there too.
 *
 * What holds for every macro:
 *
 * - `category` and `name`, and the names of arguments, are literals (or
 *   anything that never moves and never changes): they are recognised by
 *   their address. For names made at run time see trace_event_write() in
 *   <trace/engine.h>.
 * - Up to 15 arguments, each a name and a value.
 * - Nothing is evaluated but the category unless tracing is on and the
 *   category enabled. Arguments must have no side effects that the program
 *   needs.
 * - Records are written on the calling thread, which they are about, at the
 *   time of the call. What finds no room is dropped and counted.
 * - From any thread, at any time; errno is kept.
 *
 * With NTRACE defined before this header is included, macros are checked
 * by the compiler and leave no code; in C and in C++.
 */
#ifndef TRACE_EVENT_H
#define TRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine.h"
#include "event_args.h"
#include "event_internal.h"
#ifdef __cplusplus
#include "event_cpp.h"
#endif

/* Is the engine started? */
#define TRACE_ENABLED() (TRACE_INTERNAL_ENABLED())

/* Is it started, and this category on? For what is costly to prepare. */
#define TRACE_CATEGORY_ENABLED(category) \
	(TRACE_INTERNAL_CATEGORY_ENABLED(category))

/* A number, not 0, that no other call in this process has given. */
#define TRACE_NONCE() (trace_internal_nonce())

/* Whom an instant concerns. The format has no place for it. */
#define TRACE_SCOPE_THREAD 0
#define TRACE_SCOPE_PROCESS 1
#define TRACE_SCOPE_GLOBAL 2

/*
 * TRACE_INSTANT(category, name, scope, args...)
 *
 * Something happened.
 */
#define TRACE_INSTANT(...) \
	TRACE_INTERNAL_INSTANT(__VA_ARGS__, TRACE_INTERNAL_LAST)

/*
 * TRACE_COUNTER(category, name, counter_id, args...)
 *
 * Numbers that change over time: each argument, of which there is at least
 * one, is a series of its own. Counters of one name that count different
 * things have different ids.
 */
#define TRACE_COUNTER(...) \
	TRACE_INTERNAL_EVENT(FXT_COUNTER, __VA_ARGS__, TRACE_INTERNAL_LAST)

/*
 * TRACE_DURATION(category, name, args...)
 *
 * From here to the end of the enclosing scope, however that is left: one
 * record, written at its end. Values are those of this point (but a string
 * is read at the end). It declares variables, so it can't be the whole
 * body of an `if`. If tracing was off here, nothing is written.
 */
#define TRACE_DURATION(...) \
	TRACE_INTERNAL_DURATION(__COUNTER__, __VA_ARGS__, TRACE_INTERNAL_LAST)

/*
 * TRACE_DURATION_BEGIN(category, name, args...)
 * TRACE_DURATION_END(category, name, args...)
 *
 * A duration that begins and ends in different scopes of one thread. They
 * nest: an end matches the innermost begin.
 */
#define TRACE_DURATION_BEGIN(...)                             \
	TRACE_INTERNAL_PLAIN(FXT_DURATION_BEGIN, __VA_ARGS__, \
			     TRACE_INTERNAL_LAST)
#define TRACE_DURATION_END(...) \
	TRACE_INTERNAL_PLAIN(FXT_DURATION_END, __VA_ARGS__, TRACE_INTERNAL_LAST)

/*
 * TRACE_ASYNC_BEGIN(category, name, id, args...)
 * TRACE_ASYNC_INSTANT(category, name, id, args...)
 * TRACE_ASYNC_END(category, name, id, args...)
 *
 * A span that may end on another thread. Spans are told apart by `id`
 * (TRACE_NONCE() makes one).
 */
#define TRACE_ASYNC_BEGIN(...) \
	TRACE_INTERNAL_EVENT(FXT_ASYNC_BEGIN, __VA_ARGS__, TRACE_INTERNAL_LAST)
#define TRACE_ASYNC_INSTANT(...)                             \
	TRACE_INTERNAL_EVENT(FXT_ASYNC_INSTANT, __VA_ARGS__, \
			     TRACE_INTERNAL_LAST)
#define TRACE_ASYNC_END(...) \
	TRACE_INTERNAL_EVENT(FXT_ASYNC_END, __VA_ARGS__, TRACE_INTERNAL_LAST)

/*
 * TRACE_FLOW_BEGIN(category, name, id, args...)
 * TRACE_FLOW_STEP(category, name, id, args...)
 * TRACE_FLOW_END(category, name, id, args...)
 *
 * Arrows between durations, also of different threads and processes: each
 * point belongs to the duration that is open on its thread.
 */
#define TRACE_FLOW_BEGIN(...) \
	TRACE_INTERNAL_EVENT(FXT_FLOW_BEGIN, __VA_ARGS__, TRACE_INTERNAL_LAST)
#define TRACE_FLOW_STEP(...) \
	TRACE_INTERNAL_EVENT(FXT_FLOW_STEP, __VA_ARGS__, TRACE_INTERNAL_LAST)
#define TRACE_FLOW_END(...) \
	TRACE_INTERNAL_EVENT(FXT_FLOW_END, __VA_ARGS__, TRACE_INTERNAL_LAST)

/* More bytes than these are not written: the record is dropped. */
#define TRACE_MAX_BLOB_SIZE FXT_BLOB_BYTES

/*
 * TRACE_BLOB_EVENT(category, name, bytes, size, args...)
 * TRACE_BLOB_ATTACHMENT(category, name, bytes, size)
 *
 * Any bytes: as an event with a time and arguments, or by itself.
 */
#define TRACE_BLOB_EVENT(...) \
	TRACE_INTERNAL_BLOB_EVENT(__VA_ARGS__, TRACE_INTERNAL_LAST)
#define TRACE_BLOB_ATTACHMENT(category, name, bytes, size)                    \
	TRACE_INTERNAL_IF(category, trace_internal_attachment(category, name, \
							      bytes, size))

/* Bytes as the format had them first; whatever the category. */
#define TRACE_BLOB_TYPE_DATA FXT_BLOB_DATA
#define TRACE_BLOB_TYPE_LAST_BRANCH FXT_BLOB_LAST_BRANCH
#define TRACE_BLOB_TYPE_PERFETTO FXT_BLOB_PERFETTO
#define TRACE_BLOB(type, name, bytes, size) \
	TRACE_INTERNAL_IF_ENABLED(trace_internal_blob(type, name, bytes, size))

/*
 * TRACE_KERNEL_OBJECT(koid, args...)
 *
 * The name that the system has for a process or a thread, by its number.
 * This process, and each thread that writes a record, are named without.
 */
#define TRACE_KERNEL_OBJECT(...) \
	TRACE_INTERNAL_KERNEL_OBJECT(__VA_ARGS__, TRACE_INTERNAL_LAST)

/*
 * TRACE_ALERT(category, name)
 *
 * Tell whoever traces, now, that `name` happened: at most 14 bytes of it.
 */
#define TRACE_ALERT(category, name) \
	TRACE_INTERNAL_IF(category, trace_internal_alert(name))

#endif
