#define _GNU_SOURCE /* F_SETLEASE, statx and renameat2 are not of POSIX */
#include "lib/files/linux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Nobody gets a lease for reading while the file is open for writing. Whoever
 * opens it before the lease is given back waits for that, and we get a signal,
 * which must not be SIGIO: that would end the process.
 */
int tr2_find_writer(int fd)
{
#ifdef F_SETLEASE
	if (fcntl(fd, F_SETSIG, SIGURG))
		return -1;
	if (fcntl(fd, F_SETLEASE, F_RDLCK))
		return errno == EAGAIN ? 1 : -1;
	fcntl(fd, F_SETLEASE, F_UNLCK);
	return 0;
#else
	(void)fd;
	return -1;
#endif
}

bool tr2_is_full(int fd)
{
#ifdef FALLOC_FL_KEEP_SIZE
	struct stat st;

	return !fstat(fd, &st) &&
	       fallocate(fd, FALLOC_FL_KEEP_SIZE, st.st_size, 1) &&
	       (errno == ENOSPC || errno == EDQUOT);
#else
	(void)fd;
	return false;
#endif
}

int tr2_try_file(const char *name)
{
	const int flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	struct stat st;
	int fd, error = 0;

	if (stat(name, &st))
		return errno == ENOENT ? 0 : errno;
	if (S_ISFIFO(st.st_mode))
		return 0;
	fd = open(name, flags);
	if (fd < 0 || write(fd, "", 0) < 0)
		error = errno;
	if (fd >= 0)
		close(fd);
	return error;
}

int tr2_move_file(const char *from, const char *to)
{
#ifdef RENAME_NOREPLACE
	if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE))
		return 0;
	if (errno == EEXIST || errno == ENOENT)
		return -1;
#endif
	return link(from, to) || unlink(from) ? -1 : 0;
}

uint64_t tr2_birth_find(int dir, const char *name)
{
#ifdef STATX_BTIME
	struct statx found;

	if (statx(dir, name, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &found) ||
	    !(found.stx_mask & STATX_BTIME))
		return 0;
	return (uint64_t)found.stx_btime.tv_sec * 1000000000 +
	       found.stx_btime.tv_nsec;
#else
	(void)dir, (void)name;
	return 0;
#endif
}
