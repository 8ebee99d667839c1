/*
 * controller.h - libtrace-controller: collects traces by way of the trace
 * manager, as `trace2 record` does.
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
 * The archive arrives through a socket while these calls wait and is given
 * to `archive` of the configuration, piece by piece; what an alert or a
 * result has to say goes to `alert` and `result`. They run on the caller's
 * thread, inside a call of this header, and must not call it themselves.
 *
 * A client never sees a provider's buffer. Its tracing ends, without
 * results, when it closes its controller or dies. One client traces at a
 * time; others are told EBUSY, and may list providers and categories.
 *
 * Unless it says otherwise a function returns 0, or an errno value:
 * EPIPE where the manager is gone (close the controller then), EINVAL for
 * what makes no sense, EPROTO for an answer that makes none. None raises
 * SIGPIPE. A controller is for one thread at a time.
 */
#ifndef TRACE_CONTROLLER_CONTROLLER_H
#define TRACE_CONTROLLER_CONTROLLER_H

#include "trace/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct trace_controller;

/* Of a process that is registered. Text is valid during the call only. */
struct trace_provider_info {
	uint32_t id; /* never used again by this manager */
	uint32_t pid;
	const char *name;
};

/* Of a category that a provider knows. */
struct trace_category_info {
	uint32_t provider;
	const char *name;
	const char *description; /* "" for none */
};

/* What a provider gave to a trace. */
struct trace_provider_result {
	uint32_t id;
	uint32_t pid;
	const char *name;
	uint64_t events;
	uint64_t bytes;	  /* in the archive */
	uint64_t dropped; /* records that found no room */
	/*
	 * "", or why the manager let go of it: a requirement's id, a colon
	 * and half a sentence.
	 */
	const char *wrong;
};

struct trace_config {
	enum trace_buffering_mode mode;
	size_t buffer_size;	       /* of each provider; 0: 4 MiB */
	const char *const *categories; /* exact names; none: all */
	size_t category_count;
	/*
	 * When traced processes got and lost a CPU, as a provider `kernel`;
	 * its result says so where the kernel refuses.
	 */
	bool kernel;

	void *context;
	/* Not 0 to give up: the archive is cut off there. */
	int (*archive)(void *context, const void *bytes, size_t len);
	void (*alert)(void *context, uint32_t provider, const char *name);
	void (*result)(void *context, const struct trace_provider_result *);
};

/*
 * Connect to the manager at `path`, or NULL: to the one of the environment,
 * as <trace-provider/provider.h> says. NULL and errno where that fails.
 */
TRACE_API struct trace_controller *trace_controller_connect(const char *path);

/* The same with a socket that is connected; it is the controller's then. */
TRACE_API struct trace_controller *trace_controller_adopt(int socket);

TRACE_API void trace_controller_close(struct trace_controller *controller);

TRACE_API int trace_controller_get_providers(
	struct trace_controller *controller,
	void (*provider)(void *context, const struct trace_provider_info *),
	void *context);

TRACE_API int trace_controller_get_known_categories(
	struct trace_controller *controller,
	void (*category)(void *context, const struct trace_category_info *),
	void *context);

/*
 * Make ready to trace: each provider, those that register later too, gets
 * a buffer. The configuration is copied. EBUSY: somebody else traces.
 */
TRACE_API int trace_controller_initialize(struct trace_controller *controller,
					  const struct trace_config *config);

/*
 * Start, and wait until every provider has (or was dropped because it did
 * not answer). Starting again after a stop keeps or clears what was traced
 * as `mode` says.
 */
TRACE_API int trace_controller_start(struct trace_controller *controller,
				     enum trace_start_mode mode);

/*
 * Wait until `fd` (-1: none) can be read, or for `timeout_ms` (-1: without
 * end), and take what arrives meanwhile. Returns as others do; where `fd`
 * can be read, and after the time, 0.
 */
TRACE_API int trace_controller_wait(struct trace_controller *controller, int fd,
				    int timeout_ms);

/* Stop, and wait until every provider has. */
TRACE_API int trace_controller_stop(struct trace_controller *controller);

/* End: what was traced is in the archive now, and the results told. */
TRACE_API int trace_controller_terminate(struct trace_controller *controller);

#ifdef __cplusplus
}
#endif

#endif
