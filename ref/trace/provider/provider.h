/*
 * provider.h - the trace provider: lets other programs trace this process.
 * Fuchsia calls this library libtrace-provider.
 *
 *	trace_provider_t *provider = trace_provider_create(dispatcher);
 *	...
 *	trace_provider_destroy(provider);
 *
 * A provider registers the process with the trace manager. When the manager
 * asks for it, the provider starts and stops the trace engine
 * (<trace/engine.h>) with the buffer that the manager sent. A thread of the
 * library does this, with all signals blocked. The threads of the program
 * are not used. The dispatcher may be NULL; if it is a loop, the provider
 * begins when the loop does, and while it has not begun, nothing is traced.
 *
 * The provider connects to the manager's socket: the one that the variable
 * TRACE_MANAGER names (`trace2 record -- command` sets it), otherwise
 * $XDG_RUNTIME_DIR/trace-manager. If no manager listens, the provider tries
 * again, first often and in the end once a minute. It prints nothing, and
 * the program runs as it would without a provider. The same holds when the
 * manager ends or violates the protocol. In a set-user-ID program the
 * provider ignores both variables.
 *
 * If TRACE_MANAGER is set when a program starts, the library makes a provider
 * for it, and one for each child that it forks. The first provider that the
 * program itself creates takes that one over.
 *
 * A process has one active provider; further ones do nothing. A forked child
 * is not traced by a provider that its parent created. The only thing that a
 * child may do with its parent's provider is to destroy it.
 *
 * Threads: any thread may create a provider. trace_provider_destroy() must
 * not run at the same time as another call with the same provider.
 * SPEC: chapter provider.*
 */
#ifndef TR2_TRACE_PROVIDER_PROVIDER_H
#define TR2_TRACE_PROVIDER_PROVIDER_H

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
 * bytes, least significant byte first (TRACING.md, "Providers").
 */
typedef struct trace_provider_packet {
	/* One of TRACE_PROVIDER_*. */
	uint16_t request;

	/* Zero; in an alert, the text begins here. */
	union {
		uint16_t reserved;
		uint16_t data16;
	};

	/* Their meaning depends on the request; zero if it has none. */
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

/* A category for `trace2 list-categories` to print. */
struct trace_known_category {
	const char *name;
	const char *description; /* or NULL */
};

/*
 * Options of a provider. Zero means the default everywhere: the name of the
 * program, the socket named above, no list of categories.
 */
struct trace_provider_options {
	const char *name;   /* cut after 255 bytes */
	const char *socket; /* a path of at most 107 bytes */
	const struct trace_known_category *categories;
	size_t category_count;
	/*
	 * How long creating the provider may wait for tracing to begin, in
	 * milliseconds, so that a trace that already runs contains the start
	 * of the program. Default: 0, or 500 where TRACE_MANAGER is set.
	 */
	unsigned wait_ms;
};

/*
 * Create a provider. The strings are copied. Returns NULL only if there is
 * no memory. A provider that cannot work (no socket is known, or the process
 * has another provider) does nothing, so programs need not care.
 */
TRACE_API trace_provider_t *
trace_provider_create(async_dispatcher_t *dispatcher);
TRACE_API trace_provider_t *
trace_provider_create_with_name(async_dispatcher_t *dispatcher,
				const char *name);
TRACE_API trace_provider_t *trace_provider_create_with_options(
	const struct trace_provider_options *options);

/* The same, but wait up to half a second and tell whether tracing began. */
TRACE_API trace_provider_t *
trace_provider_create_synchronously(async_dispatcher_t *dispatcher,
				    const char *name,
				    bool *out_already_started);

/*
 * Stop the engine if it runs, hand the trace to the manager, and free the
 * provider. No other thread may use the provider any more. NULL is allowed.
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
