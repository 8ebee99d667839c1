#include "files/socket_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * A lock file of ours is recognised by this, from its first moment: it is an
 * empty file of this mode, which no useful file has.
 */
#define MODE S_IWUSR

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

int tr2_socket_lock(const char *path)
{
	const struct lock_name name = lock_name(path);
	const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW |
			  O_NONBLOCK;
	int fd;

	while ((fd = open(name.text, flags, MODE)) >= 0) {
		if (flock(fd, LOCK_EX | LOCK_NB)) {
			close(fd);
			errno = EADDRINUSE;
			return -1;
		}
		if (is_there(fd, &name))
			break;
		close(fd);
	}
	return fd;
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
