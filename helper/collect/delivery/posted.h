/*
 * posted.h - the processes that an output has posted although the journal
 * still has their events, because an older process is open. After a restart
 * their events are read again, but must not be posted again.
 *
 * They are lines of one length in a file of the spool: the hash of a SID, and
 * the place of the process's last event.
 */
#ifndef TR2_DELIVERY_POSTED_H
#define TR2_DELIVERY_POSTED_H

#include <stdbool.h>

#include "lib/common/vec.h"

struct tr2_posted_process {
	uint64_t hash, at;
};

struct tr2_posted {
	int fd;		      /* -1: there is no file, and nothing is kept */
	struct tr2_vec items; /* struct tr2_posted_process */
	uint32_t taken;	      /* of them, the receiver has so many */
	uint32_t written;     /* lines of the file */
	bool behind;	      /* it lacks some of those that were taken */
};

/*
 * Open the file DIR/NAME.posted, and read the processes whose last event is
 * not before this place. 0, or an errno value.
 */
int tr2_posted_open(struct tr2_posted *posted, const char *dir,
		    const char *name, uint64_t kept);

/* The spans of this process are in the present body. */
void tr2_posted_add(struct tr2_posted *posted, uint64_t hash, uint64_t at);

/*
 * The receiver has them. What ended before `kept` will not be read again and
 * is forgotten. A full disk leaves the file as it is until there is space.
 */
void tr2_posted_commit(struct tr2_posted *posted, uint64_t kept);

void tr2_posted_close(struct tr2_posted *posted);

#endif
