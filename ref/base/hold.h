/*
 * hold.h - keep from the host the signals that a write(2) may raise in
 * it: SIGPIPE (the reader is gone) and SIGXFSZ (the file may not grow).
 *
 * Holds for the calling thread alone, and leaves dispositions, and signals
 * that were pending before, as they are. May be used in a signal handler.
 */
#ifndef TR2_BASE_HOLD_H
#define TR2_BASE_HOLD_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/host.h"

struct tr2_hold {
	sigset_t mask; /* the thread's own */
	sigset_t mine; /* those that can only come from the write */
};

void tr2_hold_begin(struct tr2_hold *hold);

/*
 * `put` is what the write of `len` bytes gave, errno as it left it. Takes
 * back the signal that it raised, if it did. Keeps errno.
 */
void tr2_hold_end(const struct tr2_hold *hold, ssize_t put, size_t len);

/* The host's write, inside of a hold. */
static inline ssize_t tr2_hold_write(int fd, const void *bytes, size_t len)
{
	struct tr2_hold hold;
	ssize_t put;

	tr2_hold_begin(&hold);
	put = tr2_host->write(fd, bytes, len);
	tr2_hold_end(&hold, put, len);
	return put;
}

#endif
