
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/files/own.h"
#include "collect/journal/journal.h"
#include "lib/common/hash.h"

#define NUMBERS "%020" PRIu64 " %020" PRIu64 " %020" PRIu64 " %020" PRIu64
#define SCANNED "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 "%n %255[^\n]"
#define CHECK "check "
#define CHECK_LINE "\n" CHECK "%016" PRIx64 " %020" PRIu64 "\n"
#define CHECK_SCANNED "\n" CHECK "%" SCNx64 " %" SCNu64
#define NUMBERS_LEN (4 * 20 + 3)
#define TEXT (4 * 21 + NAME_MAX + 64)

/* Returns the length of the first line, without its LF. */
static int put_place(char text[TEXT + 1], const struct tr2_position *position)
{
	return snprintf(text, TEXT + 1, NUMBERS " %s", position->at,
			position->line, position->missed, position->size,
			position->file);
}

static uint64_t find_hash(const char *text, size_t len, uint64_t shown)
{
	return tr2_hash_mix(tr2_hash(text, len).a, shown, UINT64_MAX / 7 | 1);
}

/*
 * False: the text is not as it was written. A first line alone, which has its
 * end, is that of an earlier version.
 */
static bool scan_position(const char *text, struct tr2_position *position)
{
	const char *end;
	uint64_t hash;
	int len = 0;

	if (sscanf(text, SCANNED, &position->at, &position->line,
		   &position->missed, &position->size, &len,
		   position->file) < 4 ||
	    len != NUMBERS_LEN || text[len] != ' ')
		return false;
	end = text + strcspn(text, "\n");
	if (!strcmp(end, "\n"))
		return true;
	return sscanf(end, CHECK_SCANNED, &hash, &position->shown) == 2 &&
	       hash == find_hash(text, (size_t)(end - text), position->shown);
}

/* What is no position counts as none. */
static void read_position(int fd, struct tr2_position *position)
{
	char text[TEXT + 1];
	ssize_t got = pread(fd, text, TEXT, 0);

	*position = (struct tr2_position){ .at = UINT64_MAX };
	text[got > 0 ? got : 0] = '\0';
	if (!scan_position(text, position))
		*position =
			(struct tr2_position){ .at = UINT64_MAX, .lost = true };
}

/* Returns whether the file was there; makes it. */
static bool note_output(const char *dir, const char *name)
{
	char path[TR2_SEGMENT_PATH];
	int fd;

	snprintf(path, sizeof(path), "%s/%s.output", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	return fd < 0 && errno == EEXIST;
}

int tr2_position_open(struct tr2_position *position, const char *dir,
		      const char *name)
{
	char path[TR2_SEGMENT_PATH];
	int fd;

	snprintf(path, sizeof(path), "%s/%s.position", dir, name);
	fd = tr2_own_open(path, O_RDWR, 0, TR2_OWN_PRIVATE);
	if (fd < 0 && errno != ENOENT)
		return -1;
	*position = (struct tr2_position){ .at = UINT64_MAX };
	if (fd >= 0)
		read_position(fd, position);
	else
		fd = tr2_own_open(path, O_RDWR | O_CREAT | O_EXCL, 0600,
				  TR2_OWN_PRIVATE);
	if (fd >= 0)
		position->lost |= note_output(dir, name) &&
				  position->at == UINT64_MAX;
	return fd;
}

/* Old text after a shorter name is in a third line, which nobody reads. */
int tr2_position_write(int fd, const struct tr2_position *position)
{
	char text[TEXT + 1];
	int len = put_place(text, position);

	len += snprintf(text + len, sizeof(text) - (size_t)len, CHECK_LINE,
			find_hash(text, (size_t)len, position->shown),
			position->shown);
	errno = 0;
	if (pwrite(fd, text, (size_t)len, 0) == len)
		return 0;
	return errno ? errno : ENOSPC;
}
