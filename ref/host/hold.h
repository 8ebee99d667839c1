/*
 * hold.h - hide from the host the signals that one of our writes may raise:
 * SIGPIPE (the reader is gone) and SIGXFSZ (the file may not grow).
 *
 * This affects only the calling thread. Dispositions, and signals that were
 * pending before, stay as they are. Nor is the thread cancelled meanwhile. A
 * signal handler may use it.
 */
#ifndef TR2_HOST_HOLD_H
#define TR2_HOST_HOLD_H

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

#include "host/host.h"

struct tr2_hold {
	int cancel;    /* the thread's own state */
	sigset_t mask; /* the thread's own mask */
	sigset_t mine; /* those that only our write can raise */
};

void tr2_hold_begin(struct tr2_hold *hold);

/*
 * The same for all signals but those that a fault of the code raises, while
 * the thread has a lock: a handler that does not come back would keep it.
 */
void tr2_hold_begin_all(struct tr2_hold *hold);

/* Block these signals again, which the holder has let in for a wait. */
void tr2_hold_block_all(void);

/*
 * `put` is the result of the write of `len` bytes, and errno is unchanged
 * since then. Discards the signal that the write raised, if any. Keeps errno.
 */
void tr2_hold_end(const struct tr2_hold *hold, ssize_t put, size_t len);

/* So often a file system may end a write with EINTR. */
#define TR2_WRITE_TRIES 100

/* The host's write, inside of a hold; of all signals, if one interrupts it. */
static inline ssize_t tr2_hold_write(int fd, const void *bytes, size_t len)
{
	int tries = TR2_WRITE_TRIES;
	struct tr2_hold hold;
	ssize_t put;

	tr2_hold_begin(&hold);
	while ((put = tr2_host->write(fd, bytes, len)) < 0 && errno == EINTR &&
	       --tries)
		tr2_hold_block_all();
	tr2_hold_end(&hold, put, len);
	return put;
}

#endif
