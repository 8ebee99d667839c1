#include "lib/files/socket_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/own.h"

/*
 * A lock file of ours is recognised by this, from its first moment: it is an
 * empty file of this mode, which no useful file has.
 */
#define MODE S_IWUSR
#define TRIES 1000 /* while others make and remove it */

/* A name that is cut is still too long for open(). */
struct lock_name {
	char text[PATH_MAX + 1];
};

static struct lock_name lock_name(const char *path)
{
	struct lock_name name;

	snprintf(name.text, sizeof(name.text), "%s.lock", path);
	return name;
}

/* Or has the previous owner of the lock removed it meanwhile? */
static bool is_there(int fd, const struct lock_name *name)
{
	struct stat ours = { 0 }, there;

	fstat(fd, &ours);
	return !lstat(name->text, &there) && ours.st_dev == there.st_dev &&
	       ours.st_ino == there.st_ino;
}

static bool is_ours(int fd)
{
	struct stat st = { 0 };

	fstat(fd, &st);
	return S_ISREG(st.st_mode) && !st.st_size &&
	       (st.st_mode & 07777) == MODE && st.st_uid == geteuid();
}

static int close_failed(int fd)
{
	int error = errno;

	close(fd);
	errno = error;
	return -1;
}

int tr2_socket_lock(const char *path)
{
	const struct lock_name name = lock_name(path);
	int fd, tries;

	for (tries = 0; tries < TRIES; tries++) {
		fd = tr2_own_open(name.text, O_WRONLY | O_CREAT, MODE,
				  TR2_OWN_SHARED);
		if (fd < 0)
			return -1;
		if (flock(fd, LOCK_EX | LOCK_NB)) {
			errno = errno == EWOULDBLOCK ? EADDRINUSE : errno;
			return close_failed(fd);
		}
		if (is_there(fd, &name))
			return fd;
		close(fd);
	}
	errno = EADDRINUSE;
	return -1;
}

void tr2_socket_unlock(const char *path, int fd)
{
	const struct lock_name name = lock_name(path);

	if (fd < 0)
		return;
	if (is_ours(fd) && is_there(fd, &name))
		unlink(name.text);
	close(fd);
}
