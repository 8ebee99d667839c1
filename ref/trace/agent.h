/*
 * agent.h - clients of the agent: consumers of trace events inside the
 * program that is traced.
 *
 *	static void take(void *context, const struct trace_reader_record *r)
 *	{
 *		count(context, r->name.bytes, r->name.len);
 *	}
 *
 *	static const char *const categories[] = { "app" };
 *	const struct trace_agent_consumer consumer = { .record = take };
 *	struct trace_agent_client *client =
 *		trace_agent_add_client(categories, 1, &consumer);
 *	...
 *	trace_agent_remove_client(client);
 *
 * The agent is a thread of the library that reads the records of all threads
 * of the program (see <trace/tracing.h>). The file of the tracing objects is
 * one client of it; a program may add up to fifteen of its own. Each client
 * has its own categories, and receives only events of these.
 *
 * A client chooses one of three formats:
 *
 * - TRACE_AGENT_RECORDS: each record is decoded, as <trace/reader.h> returns
 *   it. The client receives events, and the names of processes and threads
 *   (kernel objects). A client that comes later first receives all names and
 *   metadata events.
 * - TRACE_AGENT_FXT: pieces of bytes which, one after the other, are an
 *   archive of the Fuchsia trace format. Each piece ends with a whole record.
 * - TRACE_AGENT_JSON: pieces of text which, one after the other, are an array
 *   of Chrome's trace events, one on each line. Each piece ends with a whole
 *   line; the last one, `]`, comes when the client is removed.
 *
 * A client receives an event within a second, and earlier if somebody calls
 * trace_tracing_flush(). At exit, and before the process dies of a signal
 * that the library handles, each client receives what was traced so far.
 *
 * Threads: any thread may call the functions of this header. A client's own
 * functions are called one at a time, on the agent's thread or on a thread
 * that is inside a function of this header or of <trace/tracing.h>, or at
 * exit. While one runs, the agent reads nothing: records that then find no
 * room are dropped and counted. These functions must not call the functions
 * of either header, must not write trace records, and must not fork. They must
 * return: a C++ exception or longjmp(3) out of one leaves the agent locked.
 *
 * Ownership: the library copies the categories and the consumer. What
 * `context` points to belongs to the caller, and must live until the client
 * is removed. Records and bytes are valid only during the call.
 *
 * A forked child has no agent: its parent's clients receive nothing from it,
 * and only trace_agent_remove_client() may be called for them there.
 *
 * All functions keep errno unless they report an error.
 * SPEC: chapter tracing.*
 */
#ifndef TRACE_AGENT_H
#define TRACE_AGENT_H

#include <stddef.h>
#include <stdint.h>

#include "buffer.h"
#include "reader.h"

#ifdef __cplusplus
extern "C" {
#endif

enum trace_agent_format {
	TRACE_AGENT_RECORDS, /* calls `record` */
	TRACE_AGENT_FXT,     /* calls `bytes` */
	TRACE_AGENT_JSON,    /* calls `bytes` */
};

/* What a client does with its events. */
struct trace_agent_consumer {
	enum trace_agent_format format;
	void *context; /* passed to the functions */

	/* Receives a record. Needed for records, else unused. */
	void (*record)(void *context, const struct trace_reader_record *record);
	/* Receives the next piece. Needed for FXT and JSON, else unused. */
	void (*bytes)(void *context, const void *bytes, size_t len);
	/*
	 * Called after the records that were waiting. `dropped` counts the
	 * events that this process or this client has lost so far. May be
	 * NULL.
	 */
	void (*flush)(void *context, uint64_t dropped);
};

struct trace_agent_client;

/*
 * Add a client, which receives the events of these categories from now on.
 * `count` 0 means events of all categories. Returns NULL and sets errno:
 * EINVAL (a NULL or a comma in the categories, an unknown format, or its
 * function missing), EBUSY (another part of the program uses the trace
 * engine), ENOSPC (there are too many clients), EAGAIN (the thread could not
 * be started) or ENOMEM.
 */
TRACE_API struct trace_agent_client *
trace_agent_add_client(const char *const *categories, size_t count,
		       const struct trace_agent_consumer *consumer);

/*
 * These two calls wait until all clients have received what was traced before:
 * up to 64 MiB of records. Where other threads write millions of records a
 * second and a client takes JSON, this lasts seconds.
 */

/*
 * Change the categories of a client. First it receives what was traced so
 * far. Returns 0, or EINVAL or ENOMEM, and then nothing changes.
 */
TRACE_API int trace_agent_change_client(struct trace_agent_client *client,
					const char *const *categories,
					size_t count);

/*
 * Remove a client and free it. Before the call returns, the client receives
 * what was traced so far, and the end of its text. NULL is allowed.
 */
TRACE_API void trace_agent_remove_client(struct trace_agent_client *client);

#ifdef __cplusplus
}
#endif

#endif
