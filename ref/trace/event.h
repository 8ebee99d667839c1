/*
 * event.h - trace points: macros that record what a program does, and when.
 * A trace point costs tens of nanoseconds while its category is traced, and
 * a load and a branch otherwise.
 *
 *	void DoSomething(int a, const char *b)
 *	{
 *		TRACE_DURATION("example", "DoSomething", "a", TA_INT32(a),
 *			       "b", TA_STRING(b));
 *		...
 *	}
 *
 * C++ infers the types of arguments: `"a", a, "b", b`. TA_* works there too.
 *
 * These rules hold for every macro:
 *
 * - `category`, `name` and the names of arguments are string literals, or
 *   other strings that never move and never change: the engine recognises
 *   them by their address. For names that are made at run time, use
 *   trace_event_write() of <trace/engine.h>.
 * - A category may be a group, "app,app.db": see <trace/tracing.h>.
 * - A macro takes up to 15 arguments, each a name and a value.
 * - A macro evaluates only `category` unless tracing is on and the category
 *   is enabled. So arguments must not have side effects that the program
 *   needs.
 * - Ids (of counters, async spans and flows, and koids) are uint64_t.
 * - The record belongs to the calling thread and carries the time of the
 *   call. A record that finds no room is dropped and counted.
 * - Any thread may use any macro at any time, also a signal handler. A macro
 *   keeps errno, takes no lock and makes no system call, except for the
 *   first record of a thread (see <trace/engine.h>).
 *
 * If NTRACE is defined before this header is included, the compiler checks
 * the macros but generates no code for them.
 * SPEC: chapter engine.*
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

/*
 * Is the engine started and this category enabled? Ask before you prepare
 * arguments that are expensive.
 */
#define TRACE_CATEGORY_ENABLED(category) \
	(TRACE_INTERNAL_CATEGORY_ENABLED(category))

/* A uint64_t that is not 0 and that no other call in this process returns. */
#define TRACE_NONCE() (trace_internal_nonce())

/*
 * Whom an instant concerns. A record of process or global scope has one word
 * more than the others.
 */
#define TRACE_SCOPE_THREAD FXT_SCOPE_THREAD
#define TRACE_SCOPE_PROCESS FXT_SCOPE_PROCESS
#define TRACE_SCOPE_GLOBAL FXT_SCOPE_GLOBAL

/*
 * TRACE_INSTANT(category, name, scope, args...)
 *
 * Record that something happened.
 */
#define TRACE_INSTANT(...) \
	TRACE_INTERNAL_INSTANT(__VA_ARGS__, TRACE_INTERNAL_LAST)

/*
 * TRACE_EVENT_METADATA(category, name, args...)
 * TRACE_EVENT_METADATA1(category, name, arg_name, arg_value)
 *
 * Describe this process: an instant of process scope and of the category
 * `__metadata`, which is on while the engine is started. The event is written
 * if `category` is on. The agent (<trace/tracing.h>) keeps the last event of
 * each name, and passes it on to files and clients that begin later. In
 * Chrome's JSON it has the phase `M`, and arguments `a.b` and `a.c` that
 * follow each other become an object `a` with the members `b` and `c`.
 */
#define TRACE_EVENT_METADATA(...) \
	TRACE_INTERNAL_METADATA(__VA_ARGS__, TRACE_INTERNAL_LAST)
#define TRACE_EVENT_METADATA1(category, name, arg_name, arg_value) \
	TRACE_EVENT_METADATA(category, name, arg_name, arg_value)

/*
 * TRACE_COUNTER(category, name, counter_id, args...)
 *
 * Record numbers that change over time. Each argument is a series of its
 * own; at least one is needed. Counters of the same name that count
 * different things need different ids.
 */
#define TRACE_COUNTER(...) \
	TRACE_INTERNAL_EVENT(FXT_COUNTER, __VA_ARGS__, TRACE_INTERNAL_LAST)

/*
 * TRACE_DURATION(category, name, args...)
 *
 * Record the time from here to the end of the enclosing scope, however the
 * program leaves it. The record is written at the end. Values of arguments
 * are those of this point, but the text of a string is read at the end. The
 * macro declares variables, so it cannot be the whole body of an `if`. If
 * tracing is off here, nothing is written.
 */
#define TRACE_DURATION(...) \
	TRACE_INTERNAL_DURATION(__COUNTER__, __VA_ARGS__, TRACE_INTERNAL_LAST)

/*
 * TRACE_DURATION_BEGIN(category, name, args...)
 * TRACE_DURATION_END(category, name, args...)
 *
 * Record a duration that begins and ends in different scopes of the same
 * thread. Durations nest: an end closes the innermost one that is open.
 */
#define TRACE_DURATION_BEGIN(...)                             \
	TRACE_INTERNAL_PLAIN(FXT_DURATION_BEGIN, __VA_ARGS__, \
			     TRACE_INTERNAL_LAST)
#define TRACE_DURATION_END(...) \
	TRACE_INTERNAL_PLAIN(FXT_DURATION_END, __VA_ARGS__, TRACE_INTERNAL_LAST)

/* The same, under the names that Node and Chromium use. */
#define TRACE_EVENT_BEGIN(...) TRACE_DURATION_BEGIN(__VA_ARGS__)
#define TRACE_EVENT_END(...) TRACE_DURATION_END(__VA_ARGS__)

/*
 * TRACE_ASYNC_BEGIN(category, name, id, args...)
 * TRACE_ASYNC_INSTANT(category, name, id, args...)
 * TRACE_ASYNC_END(category, name, id, args...)
 *
 * Record a span that may end on another thread. `id` distinguishes spans of
 * the same category and name; TRACE_NONCE() makes one.
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
 * Record arrows between durations, also between threads and processes. Each
 * point belongs to the duration that is open on its thread.
 */
#define TRACE_FLOW_BEGIN(...) \
	TRACE_INTERNAL_EVENT(FXT_FLOW_BEGIN, __VA_ARGS__, TRACE_INTERNAL_LAST)
#define TRACE_FLOW_STEP(...) \
	TRACE_INTERNAL_EVENT(FXT_FLOW_STEP, __VA_ARGS__, TRACE_INTERNAL_LAST)
#define TRACE_FLOW_END(...) \
	TRACE_INTERNAL_EVENT(FXT_FLOW_END, __VA_ARGS__, TRACE_INTERNAL_LAST)

/* A record with more bytes than this is dropped. */
#define TRACE_MAX_BLOB_SIZE FXT_BLOB_BYTES

/*
 * TRACE_BLOB_EVENT(category, name, bytes, size, args...)
 * TRACE_BLOB_ATTACHMENT(category, name, bytes, size)
 *
 * Record any bytes, with a time and arguments or alone. `size` is in bytes.
 */
#define TRACE_BLOB_EVENT(...) \
	TRACE_INTERNAL_BLOB_EVENT(__VA_ARGS__, TRACE_INTERNAL_LAST)
#define TRACE_BLOB_ATTACHMENT(category, name, bytes, size)                    \
	TRACE_INTERNAL_IF(category, trace_internal_attachment(category, name, \
							      bytes, size))

/* Blobs without a category, as in the first version of the format. */
#define TRACE_BLOB_TYPE_DATA FXT_BLOB_DATA
#define TRACE_BLOB_TYPE_LAST_BRANCH FXT_BLOB_LAST_BRANCH
#define TRACE_BLOB_TYPE_PERFETTO FXT_BLOB_PERFETTO
#define TRACE_BLOB(type, name, bytes, size) \
	TRACE_INTERNAL_IF_ENABLED(trace_internal_blob(type, name, bytes, size))

/*
 * TRACE_KERNEL_OBJECT(koid, args...)
 *
 * Record the name of a process or thread by its number. You need not name
 * this process and the threads that write records: the engine does.
 *
 * Unlike all other macros, this one asks the system while tracing is on: each
 * call reads the name from /proc with three system calls. Use it where an
 * object begins, not in a path that must be fast.
 */
#define TRACE_KERNEL_OBJECT(...) \
	TRACE_INTERNAL_KERNEL_OBJECT(__VA_ARGS__, TRACE_INTERNAL_LAST)

/*
 * TRACE_ALERT(category, name)
 *
 * Send an alert to the client that traces, immediately. The alert carries
 * the first 14 bytes of `name`, with a `?` for each control character; an
 * empty name sends none.
 */
#define TRACE_ALERT(category, name) \
	TRACE_INTERNAL_IF(category, trace_internal_alert(name))

#endif
