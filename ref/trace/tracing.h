/*
 * tracing.h - switch trace categories on and off while the program runs.
 *
 *	static const char *const categories[] = { "app", "app.db" };
 *	struct trace_tracing *tracing = trace_tracing_create(categories, 2);
 *
 *	trace_tracing_enable(tracing);
 *	... TRACE_DURATION("app,app.db", "query") ...
 *	trace_tracing_disable(tracing);
 *	trace_tracing_destroy(tracing);
 *
 * The categories that are on are the union of those of all enabled tracing
 * objects. Events of these categories (<trace/event.h>) are written to files
 * of Chrome trace events, which chrome://tracing, Perfetto and DevTools open.
 *
 * A thread of the library (the agent) writes the files, with all signals
 * blocked. It starts with the first event, so a program that has not traced
 * yet has one thread less, and ends with the last destroy; a forked child has
 * none. It does not keep a process alive whose own threads have ended. An
 * event reaches its file within a second, when a tracing object is disabled,
 * when somebody calls trace_tracing_flush(), and at exit. The file is one
 * client of the agent; <trace/agent.h> adds others.
 *
 * While the agent has a client, the library handles SIGINT, SIGTERM, SIGHUP,
 * SIGQUIT and SIGPIPE, if they have their default action: everything that was
 * traced before the signal reaches the files. The process waits for that as
 * long as the files grow, five seconds at most and one without any progress,
 * and then dies of the signal.
 * trace2_leave_signals() of <trace2.h> prevents this.
 *
 * The variables TRACE_EVENT_CATEGORIES and TRACE_EVENT_FILE_PATTERN do the
 * same from outside, with a file of their own: see trace2-trace(1).
 *
 * The category of a trace point may be a group, "app,app.db,app.db.read".
 * Its events are recorded if any member of the group is on. Names are
 * compared byte by byte; there are no wildcards.
 *
 * Threads: any thread may call any of these functions, but an observer must
 * not call them. Functions keep errno unless they report an error. A signal
 * handler or an allocator's hook that interrupted one of these functions may
 * call them: the call does not wait for what it interrupted, but has no effect
 * (EBUSY). The first event, if it comes in a signal handler, starts no thread.
 * A child of a bare clone(2) has locks of the C library as its parent's threads
 * held them, and may wait for them in any call: it is to exec first.
 * SPEC: chapter tracing.*
 */
#ifndef TRACE_TRACING_H
#define TRACE_TRACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct trace_tracing;

/*
 * Make a tracing object for these categories. It is not enabled yet. The
 * names are copied. Returns NULL and sets errno: EINVAL (no category, a
 * NULL, or a comma in a name) or ENOMEM.
 */
TRACE_API struct trace_tracing *
trace_tracing_create(const char *const *categories, size_t count);

/* Disable the object and free it. NULL is allowed. */
TRACE_API void trace_tracing_destroy(struct trace_tracing *tracing);

/*
 * Enable or disable the object. Returns 0, also if nothing had to change.
 * An error leaves the object as it was and is returned: EBUSY (another part
 * of the program uses the trace engine, other than GIT_TRACE2_FXT), ENOMEM, EAGAIN (the thread could
 * not be started), or the errno value of opening the file.
 */
TRACE_API int trace_tracing_enable(struct trace_tracing *tracing);
TRACE_API int trace_tracing_disable(struct trace_tracing *tracing);

TRACE_API bool trace_tracing_is_enabled(const struct trace_tracing *tracing);

/* The categories of the object, separated by commas; valid until destroy. */
TRACE_API const char *
trace_tracing_categories(const struct trace_tracing *tracing);

/*
 * All categories that are on, sorted, without repetition, separated by
 * commas; "*" means all categories. NULL: none is on. The text is never
 * freed.
 */
TRACE_API const char *trace_tracing_enabled_categories(void);

/*
 * Pass on what was traced so far to the files and to all other clients of
 * the agent. If `blocking`, the call returns after they have received every
 * event whose call returned before. Otherwise it only wakes the agent's
 * thread, and may be made in a signal handler. Without an agent it does
 * nothing.
 */
TRACE_API void trace_tracing_flush(bool blocking);

struct trace_tracing_options {
	/*
	 * The pattern of file names; default (NULL):
	 * "trace.${rotation}.json". Every ${pid} is replaced by the process
	 * id, every ${rotation} by the number of the file, from 1.
	 */
	const char *pattern;
	/* Events in a file before the next file begins; default (0): 524288. */
	uint64_t events;
	/* Report failures and probable leaks of objects on standard error. */
	bool warn;
};

/*
 * Set the options of the files that are opened from now on. The pattern is
 * copied. Returns 0, ENOMEM, or EBUSY while a file is being written.
 */
TRACE_API int
trace_tracing_configure(const struct trace_tracing_options *options);

/*
 * An observer learns when tracing starts and stops. The caller owns it and
 * must not change or free it between observe and unobserve.
 *
 * Threads: `started` and `stopped` run on the thread whose call of
 * trace_tracing_enable(), _disable(), _destroy() or _observe() made the
 * difference, before that call returns, one at a time. They must be quick,
 * must return (not throw or jump), and must not call the functions of this
 * header.
 */
struct trace_observer {
	/* The first category is on; no category is on any more. Or NULL. */
	void (*started)(struct trace_observer *observer);
	void (*stopped)(struct trace_observer *observer);
	struct trace_observer *next; /* the library's own */
};

/*
 * Add or remove an observer. If tracing is already on, `started` is called
 * before trace_tracing_observe() returns.
 */
TRACE_API void trace_tracing_observe(struct trace_observer *observer);
TRACE_API void trace_tracing_unobserve(struct trace_observer *observer);

#ifdef __cplusplus
}
#endif

#endif
