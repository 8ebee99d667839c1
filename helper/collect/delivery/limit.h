/*
 * limit.h - the total limit of an output's files (--files-limit).
 *
 * The file NAME.files of the spool lists the complete files that the output
 * wrote, oldest first, each as a line of its inode and its name. Only what is
 * listed, and is still this inode, is ever removed. When others have removed
 * more than a hundred of them, the list is written anew without these.
 */
#ifndef TR2_DELIVERY_LIMIT_H
#define TR2_DELIVERY_LIMIT_H

#include "collect/delivery/delivery.h"

/* The output is about to give a file with this inode its final name. */
void tr2_limit_note(const struct tr2_delivery *delivery, ino_t inode,
		    const char *name);

/*
 * Remove the oldest files of the directory while those that are listed have
 * more bytes than the limit, and those beyond their age; the last one stays.
 * Counts them.
 */
void tr2_limit_files(struct tr2_delivery *delivery, const char *directory);

#endif
