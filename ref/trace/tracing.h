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
 * What is on is the union of the categories of all objects that are
 * enabled. What is traced meanwhile (<trace/event.h>) goes into files of
 * Chrome's trace events, which chrome://tracing, Perfetto and DevTools
 * open. A thread of the library writes them, with all signals blocked; it
 * is there from the first enable until the last object is destroyed, and
 * never in a forked child. What is traced is in the file within a second,
 * after a disable, and at exit.
 *
 * The category of a trace point may be a group, "app,app.db,app.db.read":
 * it is traced if any member is on. Names are compared byte by byte, and
 * nothing stands for several of them.
 *
 * All functions may be called from any thread, but not from an observer.
 * errno is kept but where it tells an error.
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
 * Not enabled yet. NULL and errno: EINVAL (no category, a NULL, or a comma
 * in a name), ENOMEM.
 */
TRACE_API struct trace_tracing *
trace_tracing_create(const char *const *categories, size_t count);

/* Disable, and free. NULL is fine. */
TRACE_API void trace_tracing_destroy(struct trace_tracing *tracing);

/*
 * Enabling what is enabled, or disabling what is not, has no effect. An
 * error leaves it as it was: EBUSY (something else has the trace engine of
 * this process), ENOMEM, EAGAIN (no thread), or why there is no file.
 */
TRACE_API int trace_tracing_enable(struct trace_tracing *tracing);
TRACE_API int trace_tracing_disable(struct trace_tracing *tracing);

TRACE_API bool trace_tracing_is_enabled(const struct trace_tracing *tracing);

/* As they were given, with commas between them. */
TRACE_API const char *
trace_tracing_categories(const struct trace_tracing *tracing);

/*
 * The categories that are on, of everybody who has asked for some: sorted,
 * each once, with commas between them; "*" means all. NULL: none. Text that
 * stays for ever.
 */
TRACE_API const char *trace_tracing_enabled_categories(void);

struct trace_tracing_options {
	/*
	 * The names of files; NULL: "trace.${rotation}.json". ${pid} and
	 * ${rotation}, which counts files from 1, are replaced wherever they
	 * stand; anything else is left.
	 */
	const char *pattern;
	/* A file is closed behind so many events; 0: 524288. */
	uint64_t events;
	/* Say on standard error what fails, and what looks like a leak. */
	bool warn;
};

/*
 * For files that are not open yet. The pattern is copied. 0, ENOMEM, or
 * EBUSY: files are being written.
 */
TRACE_API int
trace_tracing_configure(const struct trace_tracing_options *options);

/* Of the caller, who leaves it alone while it observes. */
struct trace_observer {
	/* Categories are on, or none any more. NULL: not interested. */
	void (*started)(struct trace_observer *observer);
	void (*stopped)(struct trace_observer *observer);
	struct trace_observer *next;
};

/* If tracing runs already it is told so before this returns. */
TRACE_API void trace_tracing_observe(struct trace_observer *observer);
TRACE_API void trace_tracing_unobserve(struct trace_observer *observer);

#ifdef __cplusplus
}
#endif

#endif
