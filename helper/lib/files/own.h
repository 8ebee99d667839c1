/*
 * own.h - files and directories that a service keeps for itself.
 *
 * What another user can replace, a service of root would overwrite or believe.
 * So these functions check, as sshd does with its own files, every directory
 * from / on: it belongs to root or to this user, and no other user can write
 * to it; in one that everybody shares, such as /tmp, the sticky bit must keep
 * what others have made. Each is opened in the one before it, so that nothing
 * can be exchanged between the check and the use, and a link is followed only
 * if root or this user has made it. A group that has no other member is no
 * other user.
 *
 * A directory that others can only read is as good as any.
 */
#ifndef TR2_FILES_OWN_H
#define TR2_FILES_OWN_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

enum tr2_own_place {
	TR2_OWN_PRIVATE, /* nobody else can write into the directory */
	TR2_OWN_SHARED,	 /* or it is sticky: for a socket in /tmp */
};

/*
 * These functions return -1 with errno on failure; EPERM if a check failed,
 * which tr2_own_explain() tells more about.
 *
 * Returns a descriptor for openat(2) and the like.
 */
int tr2_own_enter(const char *path, enum tr2_own_place place);
/* Make a directory for this user only if it does not exist, and check it. 0. */
int tr2_own_make(const char *path);

/*
 * Open a file in a checked directory, itself not through a link: it is a
 * regular one that belongs to root or to this user and has no other name. In a
 * private directory no
 * other user can write to it, either. O_TRUNC comes after these checks.
 */
int tr2_own_open(const char *path, int flags, mode_t mode,
		 enum tr2_own_place place);
/* The same to read, in a private directory; NULL on failure. */
FILE *tr2_own_read(const char *path);
/* Make a new file in a private directory, which replaces one of this name. */
int tr2_own_create(const char *path, mode_t mode);

/*
 * Check a file that the user named, and which may be anywhere: if it is a
 * regular one, no other user can change it. 0.
 */
int tr2_own_check(int fd, const char *path);

/* Is it this file that has the name, and no other, or a link? */
bool tr2_own_has_name(int fd, const char *path);

/* Close what is of no use, and keep errno. Returns -1. */
int tr2_own_close_failed(int fd);

/*
 * As strerror(3). After the last call of this thread has failed with EPERM:
 * what it found, what it expected, and what to do.
 */
const char *tr2_own_explain(int error);

/* Groups that have nobody but this user and root. */

/*
 * Does what the group may do to the file help no other user? So it is with the
 * group that many systems make for each user, which has his name, and with
 * root's, if the file has no list of more permissions.
 */
bool tr2_own_has_group(const char *path, gid_t gid);

#endif
