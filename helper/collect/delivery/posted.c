#include "collect/delivery/spans.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "collect/journal/journal.h"
#include "lib/common/memory.h"
#include "lib/files/own.h"

#define LINE ((size_t)34) /* "HASH PLACE\n", 16 digits each */
#define STALE_MOST 4096	  /* lines that are left in the file */

static struct tr2_posted_process *add_item(struct tr2_posted *posted,
					   uint64_t hash, uint64_t at)
{
	struct tr2_posted_process *item =
		tr2_vec_add(&posted->items, sizeof(*item));

	*item = (struct tr2_posted_process){ hash, at };
	return item;
}

/* A line that a full disk or a person has spoiled is left out. */
static void read_line(struct tr2_posted *posted, const char *line,
		      uint64_t kept)
{
	uint64_t hash, at;

	if (sscanf(line, "%16" SCNx64 " %16" SCNx64, &hash, &at) == 2 &&
	    at >= kept)
		add_item(posted, hash, at);
}

int tr2_posted_open(struct tr2_posted *posted, const char *dir,
		    const char *name, uint64_t kept)
{
	char path[TR2_SEGMENT_PATH], line[LINE + 1] = "";

	*posted = (struct tr2_posted){ .fd = -1 };
	snprintf(path, sizeof(path), "%s/%s.posted", dir, name);
	posted->fd =
		tr2_own_open(path, O_RDWR | O_CREAT, 0600, TR2_OWN_PRIVATE);
	if (posted->fd < 0)
		return errno;
	while (read(posted->fd, line, LINE) == (ssize_t)LINE) {
		read_line(posted, line, kept);
		posted->written++;
	}
	posted->taken = posted->items.count;
	return 0;
}

void tr2_posted_add(struct tr2_posted *posted, uint64_t hash, uint64_t at)
{
	if (posted->fd >= 0)
		add_item(posted, hash, at);
}

/* Keep those whose events may be read again. */
static void forget_items(struct tr2_posted *posted, uint64_t kept)
{
	struct tr2_posted_process *item = posted->items.items;
	uint32_t i, left = 0, taken = 0;

	for (i = 0; i < posted->items.count; i++) {
		if (item[i].at < kept)
			continue;
		taken += i < posted->taken;
		item[left++] = item[i];
	}
	posted->items.count = left;
	posted->taken = taken;
}

/* Write items from this one on, after so many lines. */
static bool write_items(struct tr2_posted *posted, uint32_t from,
			uint32_t lines)
{
	const struct tr2_posted_process *item = posted->items.items;
	uint32_t i, count = posted->items.count - from;
	char *text, *end;
	ssize_t done;

	text = end = tr2_must_grow(NULL, count * LINE + 1);
	for (i = from; i < posted->items.count; i++, end += LINE)
		snprintf(end, LINE + 1, "%016" PRIx64 " %016" PRIx64 "\n",
			 item[i].hash, item[i].at);
	done = pwrite(posted->fd, text, count * LINE, (off_t)(lines * LINE));
	free(text);
	if (done != (ssize_t)(count * LINE))
		return false;
	posted->written = lines + count;
	return !ftruncate(posted->fd, (off_t)(posted->written * LINE));
}

void tr2_posted_commit(struct tr2_posted *posted, uint64_t kept)
{
	uint32_t from;

	if (posted->fd < 0)
		return;
	forget_items(posted, kept);
	from = posted->taken;
	posted->taken = posted->items.count;
	/* All lines have one length, so a kill in between spoils none. */
	if (posted->written > posted->items.count + STALE_MOST ||
	    (posted->written && !from) || posted->behind)
		posted->behind = !write_items(posted, 0, 0);
	else if (from < posted->taken)
		posted->behind = !write_items(posted, from, posted->written);
}

void tr2_posted_close(struct tr2_posted *posted)
{
	if (posted->fd >= 0)
		close(posted->fd);
	tr2_vec_release(&posted->items);
	posted->fd = -1;
}
