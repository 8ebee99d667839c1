#define _GNU_SOURCE /* statx is not of POSIX */
#include "lib/files/birth.h"

#include <fcntl.h>
#include <sys/stat.h>

uint64_t tr2_birth_find(int fd)
{
#ifdef STATX_BTIME
	struct statx found;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &found) ||
	    !(found.stx_mask & STATX_BTIME))
		return 0;
	return (uint64_t)found.stx_btime.tv_sec * 1000000000 +
	       found.stx_btime.tv_nsec;
#else
	(void)fd;
	return 0;
#endif
}
