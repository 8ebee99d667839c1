/*
 * controller.h - the trace controller: records traces through the trace
 * manager, as `trace2 record` does. Fuchsia calls this library
 * libtrace-controller.
 *
 *	struct trace_controller *controller = trace_controller_connect(NULL);
 *
 *	trace_controller_initialize(controller, &config);
 *	trace_controller_start(controller, TRACE_START_CLEAR_ENTIRE_BUFFER);
 *	trace_controller_wait(controller, -1, 5000);
 *	trace_controller_stop(controller);
 *	trace_controller_terminate(controller);
 *	trace_controller_close(controller);
 *
 * The archive arrives through a socket while these calls wait. They pass it
 * to the function `archive` of the configuration, piece by piece, and alerts
 * and results to `alert` and `result`. These functions run on the caller's
 * thread, inside a call of this header, and must not call this header.
 *
 * A client never sees the buffer of a provider. If it closes its controller
 * or dies, its tracing ends without results. Only one client traces at a
 * time. Other clients get EBUSY, but can list providers and categories.
 *
 * Unless it says otherwise, a function returns 0 or an errno value: EPIPE if
 * the manager is gone (then close the controller), EINVAL for invalid
 * arguments, EPROTO for an invalid answer. No function raises SIGPIPE.
 * Threads: one thread at a time may use a controller.
 * SPEC: chapter provider.*
 */
#ifndef TR2_TRACE_CONTROLLER_CONTROLLER_H
#define TR2_TRACE_CONTROLLER_CONTROLLER_H

#include "trace/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct trace_controller;

/* A registered process. Its texts are valid only during the call. */
struct trace_provider_info {
	uint32_t id; /* this manager never uses it again */
	uint32_t pid;
	const char *name;
};

/* A category that a provider knows. */
struct trace_category_info {
	uint32_t provider;
	const char *name;
	const char *description; /* "" for none */
};

/* What a provider contributed to a trace. */
struct trace_provider_result {
	uint32_t id;
	uint32_t pid;
	const char *name;
	uint64_t events;
	uint64_t bytes;	  /* in the archive */
	uint64_t dropped; /* records that found no room */
	/*
	 * "", or why the manager dropped the provider: the id of a
	 * requirement, a colon, and what was wrong.
	 */
	const char *wrong;
};

struct trace_config {
	enum trace_buffering_mode mode;
	size_t buffer_size;	       /* of each provider; 0: 4 MiB */
	const char *const *categories; /* exact names; none: all */
	size_t category_count;
	/*
	 * Also record when traced processes got and lost a CPU and who woke
	 * them, as a provider named `kernel`. If the kernel refuses, its
	 * result says so.
	 */
	bool kernel;
	bool syscalls; /* and their system calls; implies `kernel` */

	void *context;
	/* Receives the archive. Return non-zero to stop; the rest is lost. */
	int (*archive)(void *context, const void *bytes, size_t len);
	void (*alert)(void *context, uint32_t provider, const char *name);
	void (*result)(void *context, const struct trace_provider_result *);
};

/*
 * Connect to the manager at `path`. NULL stands for the path from the
 * environment, see <trace-provider/provider.h>. Returns NULL and sets errno
 * on failure.
 */
TRACE_API struct trace_controller *trace_controller_connect(const char *path);

/* The same with a connected socket, which the controller then owns. */
TRACE_API struct trace_controller *trace_controller_adopt(int socket);

TRACE_API void trace_controller_close(struct trace_controller *controller);

/*
 * Let the caller give up a manager that does not answer. While a call waits
 * for an answer and `fd` is readable, `gives_up` is called again and again,
 * on the same thread. It must read what makes `fd` readable, and must not
 * call this header. If it returns true, the call returns EINTR, and nothing
 * but trace_controller_close() is useful any more. trace_controller_wait()
 * has a descriptor of its own and does not use this one. `fd` -1: never give
 * up, which is the default.
 */
TRACE_API void
trace_controller_set_interrupt(struct trace_controller *controller, int fd,
			       bool (*gives_up)(void *context), void *context);

/*
 * Give up a manager that sends nothing for so many milliseconds while a call
 * waits for an answer: the call returns ETIMEDOUT, and nothing but
 * trace_controller_close() is useful any more. Starting and ending a trace
 * wait for programs, too; a manager gives each of them five seconds unless it
 * was told otherwise. trace_controller_wait() has a limit of its own. -1: wait
 * for ever, which is the default.
 */
TRACE_API void trace_controller_set_limit(struct trace_controller *controller,
					  int ms);

TRACE_API int trace_controller_get_providers(
	struct trace_controller *controller,
	void (*provider)(void *context, const struct trace_provider_info *),
	void *context);

TRACE_API int trace_controller_get_known_categories(
	struct trace_controller *controller,
	void (*category)(void *context, const struct trace_category_info *),
	void *context);

/*
 * Prepare to trace: every provider gets a buffer, also those that register
 * later. The configuration is copied. Returns EBUSY if another client is
 * tracing.
 */
TRACE_API int trace_controller_initialize(struct trace_controller *controller,
					  const struct trace_config *config);

/*
 * Start, and wait until every provider has started or was dropped because it
 * did not answer. After a stop, `mode` says whether a new start keeps the
 * records.
 */
TRACE_API int trace_controller_start(struct trace_controller *controller,
				     enum trace_start_mode mode);

/*
 * Receive the archive until `fd` (-1: none) becomes readable or `timeout_ms`
 * milliseconds (-1: no limit) have passed. Returns 0 in both cases.
 */
TRACE_API int trace_controller_wait(struct trace_controller *controller, int fd,
				    int timeout_ms);

/* Stop, and wait until every provider has stopped. */
TRACE_API int trace_controller_stop(struct trace_controller *controller);

/* End the trace: when this returns, the archive and results are complete. */
TRACE_API int trace_controller_terminate(struct trace_controller *controller);

#ifdef __cplusplus
}
#endif

#endif
