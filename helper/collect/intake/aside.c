#include "collect/intake/aside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/own.h"
#include "collect/journal/recover.h"
#include "lib/text/foreign.h"

static void open_file(struct tr2_aside *aside)
{
	char path[TR2_SEGMENT_PATH];

	snprintf(path, sizeof(path), "%s/broken.log", aside->dir);
	aside->fd = tr2_own_open(path, O_WRONLY | O_APPEND | O_CREAT, 0600,
				 TR2_OWN_PRIVATE);
	if (aside->fd < 0 && !aside->told)
		tr2_foreign_complain("collect", tr2_own_explain(errno), path);
	aside->told = aside->fd < 0;
}

void tr2_aside_close(struct tr2_aside *aside)
{
	if (aside->fd >= 0)
		close(aside->fd);
	aside->fd = -1;
}

/* Returns the size of the file, which is a new one if it was removed. */
static uint64_t find_size(struct tr2_aside *aside)
{
	struct stat st;

	if (aside->fd >= 0 && (fstat(aside->fd, &st) || !st.st_nlink)) {
		tr2_aside_close(aside);
		aside->added = 0; /* it went with the file */
	}
	if (aside->fd < 0)
		open_file(aside);
	if (aside->fd < 0 || fstat(aside->fd, &st) || !S_ISREG(st.st_mode))
		return UINT64_MAX;
	return (uint64_t)st.st_size;
}

void tr2_aside_begin(struct tr2_aside *aside)
{
	aside->added = 0;
	aside->refused = false;
}

void tr2_aside_undo(struct tr2_aside *aside)
{
	struct stat st;

	if (!aside->added || aside->fd < 0 || fstat(aside->fd, &st) ||
	    (uint64_t)st.st_size < aside->added)
		return;
	if (ftruncate(aside->fd, st.st_size - (off_t)aside->added))
		tr2_aside_close(aside);
	aside->added = 0;
}

bool tr2_aside_keep(struct tr2_aside *aside, const char *line, size_t len)
{
	uint64_t size = find_size(aside);

	aside->refused |= size == UINT64_MAX;
	if (size > aside->limit || aside->limit - size < len)
		return false;
	if (write(aside->fd, line, len) == (ssize_t)len) {
		aside->added += len;
		return true;
	}
	aside->refused = true;
	if (ftruncate(aside->fd, (off_t)size)) /* no half line stays */
		tr2_aside_close(aside);
	return false;
}
