/*
 * provider.h - libtrace-provider: lets a process be traced from outside.
 *
 *	trace_provider_t *provider = trace_provider_create(dispatcher);
 *	...
 *	trace_provider_destroy(provider);
 *
 * A provider registers the process with the trace manager and, when that
 * says so, starts and stops the trace engine (<trace/engine.h>) with the
 * buffer that the manager gave. All that happens on a thread of its own,
 * which has every signal blocked; the threads of the program are never
 * used, and a dispatcher is taken only because programs have one to give.
 *
 * The manager is reached by a socket: the one that TRACE_MANAGER in the
 * environment names (`trace2 record -- command` sets it), else
 * $XDG_RUNTIME_DIR/trace-manager. Where nobody listens the provider tries
 * again, less and less often, up to once a minute; it says nothing about
 * it, and the program runs as it would without. So it does when the
 * manager goes away or breaks the rules. A program that runs with
 * privileges of its file (set-user-ID) does not look at the environment.
 *
 * One provider is enough for a process: while there is one, others do
 * nothing. A forked child has none, and is not traced, until it creates its
 * own; all that it may do with its parent's is destroy it.
 */
#ifndef TRACE_PROVIDER_PROVIDER_H
#define TRACE_PROVIDER_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * ---- The FIFO protocol ---------------------------------------------------
 *
 * Provider and manager tell each other how tracing goes in packets of 16
 * bytes, least significant byte first (SPEC.md, "Providers").
 */
typedef struct trace_provider_packet {
	/* One of TRACE_PROVIDER_*. */
	uint16_t request;

	/* Zero, but in alerts, whose text begins here. */
	union {
		uint16_t reserved;
		uint16_t data16;
	};

	/* What the request says; zero if it says nothing of them. */
	uint32_t data32;
	uint64_t data64;
} trace_provider_packet_t;

#define TRACE_PROVIDER_FIFO_PROTOCOL_VERSION 1

/* From provider to manager. */
#define TRACE_PROVIDER_STARTED 0x1     /* data32: the protocol's version */
#define TRACE_PROVIDER_SAVE_BUFFER 0x2 /* wrapped count, durable end */
#define TRACE_PROVIDER_STOPPED 0x3
#define TRACE_PROVIDER_ALERT 0x4 /* data16 to data64: 14 characters */

/* From manager to provider. */
#define TRACE_PROVIDER_BUFFER_SAVED 0x100 /* as in SAVE_BUFFER */

#define TRACE_PROVIDER_ALERT_BYTES 14

/*
 * ---- Providers -----------------------------------------------------------
 */

/* As in <lib/async/dispatcher.h>. */
typedef struct trace_loop async_dispatcher_t;
typedef struct trace_provider trace_provider_t;

/* A category that `trace2 list-categories` tells of. */
struct trace_known_category {
	const char *name;
	const char *description; /* or NULL */
};

/*
 * What a provider may be told. All zero is as good as none: the name is the
 * program's, the socket as above.
 */
struct trace_provider_options {
	const char *name;   /* at most 255 bytes of it count */
	const char *socket; /* at most 107 bytes */
	const struct trace_known_category *categories;
	size_t category_count;
	/*
	 * How long creating it may take for tracing to begin, in
	 * milliseconds: nothing of a trace that runs already is missed.
	 * Without it no time, but half a second where TRACE_MANAGER is set.
	 */
	unsigned wait_ms;
};

/*
 * NULL where memory fails. A provider that can't do its work, because no
 * socket is known or there is another provider, does nothing: no program
 * has to care. Strings are copied.
 */
TRACE_API trace_provider_t *
trace_provider_create(async_dispatcher_t *dispatcher);
TRACE_API trace_provider_t *
trace_provider_create_with_name(async_dispatcher_t *dispatcher,
				const char *name);
TRACE_API trace_provider_t *trace_provider_create_with_options(
	const struct trace_provider_options *options);

/* Waits, and tells whether tracing has begun. */
TRACE_API trace_provider_t *
trace_provider_create_synchronously(async_dispatcher_t *dispatcher,
				    const char *name,
				    bool *out_already_started);

/*
 * Stops the engine if it runs; the manager gets what was traced. No other
 * thread may use the provider any more. NULL is nothing to do.
 */
TRACE_API void trace_provider_destroy(trace_provider_t *provider);

#ifdef __cplusplus
}

namespace trace
{

class TraceProvider
{
      public:
	explicit TraceProvider(async_dispatcher_t *dispatcher)
	    : provider_(trace_provider_create(dispatcher))
	{
	}

	TraceProvider(async_dispatcher_t *dispatcher, const char *name)
	    : provider_(trace_provider_create_with_name(dispatcher, name))
	{
	}

	TraceProvider(const TraceProvider &) = delete;
	TraceProvider &operator=(const TraceProvider &) = delete;

	~TraceProvider()
	{
		trace_provider_destroy(provider_);
	}

	bool is_valid() const
	{
		return provider_ != nullptr;
	}

      private:
	trace_provider_t *provider_;
};

/* Fuchsia reaches its manager in two ways, Linux in one. */
using TraceProviderWithFdio = TraceProvider;

} /* namespace trace */
#endif

#endif
