/*
 * wake_pipe.h - a pipe that wakes a thread of ours.
 *
 * A host may close its ends, or put files of its own on their numbers. What
 * is not ours any more is neither read nor written: a thread that finds its
 * end lost has no descriptor to wait for, and must look for itself now and
 * then.
 */
#ifndef TRACE_WAKE_PIPE_H
#define TRACE_WAKE_PIPE_H

#include <stddef.h>

#include "tr2_descriptor.h"

struct tr2_wake_pipe {
	struct tr2_descriptor reader; /* of the thread that is woken */
	struct tr2_descriptor writer; /* constant until it is closed */
};

/*
 * poll(2) looks its numbers up again whenever something happens: a thread
 * that waits while the host puts its own on the reader's number is not
 * woken any more. So no wait is longer than the first of these, in ms, and
 * where the reader's end is known to be lost none is longer than the second.
 */
#define TR2_WAKE_LONGEST_MS 1000
#define TR2_WAKE_LOST_MS 100

/* `wait_ms`, or as long as the thread may wait; -1 is for ever. */
int tr2_wake_pipe_limit(const struct tr2_wake_pipe *wake, int wait_ms);

/* 0, or -1 and errno; then both ends are none. */
int tr2_wake_pipe_open(struct tr2_wake_pipe *wake);
void tr2_wake_pipe_close(struct tr2_wake_pipe *wake);

/*
 * Put a message of at most PIPE_BUF bytes, if there is room. Async-signal-
 * safe; keeps errno.
 */
void tr2_wake_pipe_put(const struct tr2_wake_pipe *wake, const void *bytes,
		       size_t len);

/*
 * Take at most `size` bytes: how many they were. 0: there are none, or the
 * end is lost, and then `reader` is none from now on.
 */
size_t tr2_wake_pipe_take(struct tr2_wake_pipe *wake, void *bytes, size_t size);

#endif
