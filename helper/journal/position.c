#include "journal/position.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "files/own.h"
#include "journal/recover.h"

#define NUMBERS "%020" PRIu64 " %020" PRIu64 " %020" PRIu64 " %020" PRIu64
#define SCANNED "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %255[^\n]"
#define TEXT (4 * 21 + NAME_MAX + 2)

/* What is no position counts as none: its output begins with new lines. */
static void read_position(int fd, struct tr2_position *position)
{
	char text[TEXT + 1];
	ssize_t got = pread(fd, text, TEXT, 0);

	*position = (struct tr2_position){ .at = UINT64_MAX };
	text[got > 0 ? got : 0] = '\0';
	if (sscanf(text, SCANNED, &position->at, &position->line,
		   &position->missed, &position->size, position->file) < 4)
		*position = (struct tr2_position){ .at = UINT64_MAX };
}

int tr2_position_open(struct tr2_position *position, const char *dir,
		      const char *name)
{
	char path[TR2_SEGMENT_PATH];
	int fd;

	snprintf(path, sizeof(path), "%s/%s.position", dir, name);
	fd = tr2_own_open(path, O_RDWR | O_CREAT, 0600, TR2_OWN_PRIVATE);
	if (fd >= 0)
		read_position(fd, position);
	return fd;
}

/* Old text after a shorter name is after an LF, where nobody reads it. */
int tr2_position_write(int fd, const struct tr2_position *position)
{
	char text[TEXT + 1];
	int len = snprintf(text, sizeof(text), NUMBERS " %s\n", position->at,
			   position->line, position->missed, position->size,
			   position->file);

	errno = 0;
	if (pwrite(fd, text, (size_t)len, 0) == len)
		return 0;
	return errno ? errno : ENOSPC;
}
