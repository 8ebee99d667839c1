#define _DEFAULT_SOURCE /* flock() */
#include "lib/files/held.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/common/memory.h"

#define PARTIAL ".partial"
#define TRIES 1000

int tr2_held_take(int fd)
{
	struct stat st;

	if (flock(fd, LOCK_EX | LOCK_NB) || fstat(fd, &st))
		return -1;
	if (st.st_nlink)
		return 0;
	errno = EWOULDBLOCK;
	return -1;
}

/* A link replaces nothing. */
static char *move_file(const char *partial)
{
	const size_t len = strlen(partial), size = len + 24;
	char *name = tr2_must_grow(NULL, size);
	int try;

	for (try = 1; try < TRIES; try++) {
		snprintf(name, size, "%.*s.%d" PARTIAL,
			 (int)(len - strlen(PARTIAL)), partial, try);
		if (!link(partial, name) && !unlink(partial))
			return name;
		if (errno != EEXIST)
			break;
	}
	free(name);
	return NULL;
}

char *tr2_held_move_away(const char *partial)
{
	const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	const int fd = open(partial, flags);
	struct stat st;
	char *name = NULL;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !tr2_held_take(fd))
		name = move_file(partial);
	close(fd);
	return name;
}
