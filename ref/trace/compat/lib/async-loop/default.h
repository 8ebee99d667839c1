/*
 * lib/async-loop/default.h - the configurations of loops.
 */
#ifndef LIB_ASYNC_LOOP_DEFAULT_H
#define LIB_ASYNC_LOOP_DEFAULT_H

#include <lib/async-loop/loop.h>

#endif
