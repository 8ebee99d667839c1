/*
 * lib/async-loop/loop.h - Fuchsia's names for <trace/loop.h>.
 */
#ifndef LIB_ASYNC_LOOP_LOOP_H
#define LIB_ASYNC_LOOP_LOOP_H

#include <lib/async/dispatcher.h>
#include <zircon/types.h>

typedef struct trace_loop async_loop_t;

/* Nothing can be chosen here. */
typedef struct async_loop_config {
	int unused;
} async_loop_config_t;

static const async_loop_config_t kAsyncLoopConfigNoAttachToCurrentThread = {
	0
};

static inline zx_status_t async_loop_create(const async_loop_config_t *config,
					    async_loop_t **loop)
{
	(void)config;
	*loop = trace_loop_create();
	return *loop ? ZX_OK : ZX_ERR_NO_MEMORY;
}

/* `thread` is NULL, or where to say which thread it is: not supported. */
static inline zx_status_t
async_loop_start_thread(async_loop_t *loop, const char *name, void *thread)
{
	if (thread)
		return ZX_ERR_INTERNAL;
	return trace_loop_start_thread(loop, name) ? ZX_ERR_NO_RESOURCES
						   : ZX_OK;
}

/* Until async_loop_quit(); there are no deadlines. */
static inline void async_loop_run(async_loop_t *loop)
{
	trace_loop_run(loop);
}

static inline void async_loop_quit(async_loop_t *loop)
{
	trace_loop_quit(loop);
}

static inline async_dispatcher_t *async_loop_get_dispatcher(async_loop_t *loop)
{
	return loop;
}

static inline void async_loop_shutdown(async_loop_t *loop)
{
	trace_loop_shutdown(loop);
}

static inline void async_loop_destroy(async_loop_t *loop)
{
	trace_loop_destroy(loop);
}

#endif
