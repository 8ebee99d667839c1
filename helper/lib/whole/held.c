#define _DEFAULT_SOURCE /* flock() */
#include "lib/whole/held.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/linux.h"
#include "lib/text/text.h"
#include "lib/whole/whole_file.h"

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

/* Is it a file that is ours, and whose process is dead? */
static bool is_left(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	       st.st_uid == geteuid() && !tr2_held_take(fd);
}

static char *move_to_free_name(const char *partial)
{
	const size_t len = strlen(partial) - strlen(PARTIAL);
	char *stem = tr2_text_print("%.*s", (int)len, partial), *name = NULL;
	char ending[32];

	for (int number = 1; !name && number < TRIES; number++) {
		snprintf(ending, sizeof(ending), ".%d" PARTIAL, number);
		name = tr2_whole_file_name(stem, ending);
		if (!tr2_move_file(partial, name))
			break;
		if (errno != EEXIST)
			number = TRIES;
		free(name);
		name = NULL;
	}
	free(stem);
	return name;
}

char *tr2_held_move_away(const char *partial)
{
	const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	const int fd = open(partial, flags);
	char *name = NULL;

	if (fd < 0)
		return NULL;
	if (is_left(fd))
		name = move_to_free_name(partial);
	close(fd);
	return name;
}
