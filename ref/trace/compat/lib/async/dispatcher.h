/*
 * lib/async/dispatcher.h - where a trace provider runs: a loop.
 */
#ifndef LIB_ASYNC_DISPATCHER_H
#define LIB_ASYNC_DISPATCHER_H

#include <trace/loop.h>

typedef struct trace_loop async_dispatcher_t;

#endif
