/*
 * wake_pipe.h - a pipe that wakes one of the library's threads.
 *
 * A host may close its ends, or open files of its own with their numbers. The
 * library neither reads nor writes a number that is no longer its own. A
 * thread that has lost its end has no descriptor to wait for, and must check
 * from time to time whether there is work.
 */
#ifndef TR2_DESCRIPTOR_WAKE_PIPE_H
#define TR2_DESCRIPTOR_WAKE_PIPE_H

#include <stddef.h>

#include "descriptor/descriptor.h"

struct tr2_wake_pipe {
	struct tr2_descriptor reader; /* end of the thread that is woken */
	struct tr2_descriptor writer; /* constant until it is closed */
};

/*
 * poll(2) looks up its numbers only when something happens. If the host
 * replaces the reader's number while a thread waits, nothing wakes this
 * thread. Therefore no wait is longer than the first value, in ms, or than
 * the second one if the reader's end is known to be lost.
 */
#define TR2_WAKE_LONGEST_MS 1000
#define TR2_WAKE_LOST_MS 100

/* Returns `wait_ms`, or the longest wait that is allowed; -1 means for ever. */
int tr2_wake_pipe_limit(const struct tr2_wake_pipe *wake, int wait_ms);

/* 0, or -1 and errno; then neither end is open. */
int tr2_wake_pipe_open(struct tr2_wake_pipe *wake);
void tr2_wake_pipe_close(struct tr2_wake_pipe *wake);

/*
 * Write a message of at most PIPE_BUF bytes if there is room.
 * Raises no SIGPIPE if the host has closed the reader. Async-signal-safe; keeps
 * errno.
 */
void tr2_wake_pipe_put(const struct tr2_wake_pipe *wake, const void *bytes,
		       size_t len);

/*
 * Read at most `size` bytes; returns their number. 0: there are none, or the
 * end is lost; in this case `reader` has no descriptor from now on.
 */
size_t tr2_wake_pipe_take(struct tr2_wake_pipe *wake, void *bytes, size_t size);

#endif
