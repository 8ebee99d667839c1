#define _GNU_SOURCE /* F_SETLEASE is not of POSIX */
#include "lib/files/written.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/*
 * Nobody gets a lease for reading while the file is open for writing. Whoever
 * opens it before the lease is given back waits for that, and we get a signal,
 * which must not be SIGIO: that would end the process.
 */
static bool is_leased_out(int fd)
{
#ifdef F_SETLEASE
	if (fcntl(fd, F_SETSIG, SIGURG))
		return false;
	if (fcntl(fd, F_SETLEASE, F_RDLCK))
		return errno == EAGAIN;
	fcntl(fd, F_SETLEASE, F_UNLCK);
#else
	(void)fd;
#endif
	return false;
}

bool tr2_is_written(int dir, const char *name)
{
	const int fd = openat(dir, name,
			      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
				      O_CLOEXEC);
	bool written;

	if (fd < 0)
		return false;
	written = is_leased_out(fd);
	close(fd);
	return written;
}
