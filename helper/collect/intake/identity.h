/*
 * identity.h - is it still the file that was read so far? One that was cut and
 * written anew, or that got the inode of one that was removed, is read from its
 * begin. The copy that logrotate makes before it cuts a file is read from where
 * the file was read.
 */
#ifndef TR2_INTAKE_IDENTITY_H
#define TR2_INTAKE_IDENTITY_H

#include "collect/intake/sight.h"

/*
 * Find out whether the open file is the one that is known. If not, it is as
 * new. False: nobody knows, and it must not be read.
 */
bool tr2_identity_find(struct tr2_sight *sight, int fd);

/*
 * A new file that begins as one that was read may be its copy, and waits for a
 * while: that one may be cut next.
 */
bool tr2_identity_must_wait(const struct tr2_sight *sight, int fd);

#endif
