/* watch_kit.h - a directory `in` that is watched, and what is read of it. */
#ifndef UNIT_INTAKE_WATCH_KIT_H
#define UNIT_INTAKE_WATCH_KIT_H

#include "collect/intake/intake_kit.h"

#define END "{\"event\":\"atexit\"}\n"
#define DAY ((uint64_t)24 * 60 * 60 * CLOCK_SECOND)

static int saved = -1;
static char scratch[64 << 10];

static inline void divert_errors(void)
{
	int fd = open("errors", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	saved = dup(2);
	dup2(fd, 2);
	close(fd);
}

/* Returns what was said on standard error. */
static inline const char *show_errors(void)
{
	dup2(saved, 2);
	close(saved);
	return kit_text("errors");
}

static inline void begin_again(void)
{
	watched[0] = (struct tr2_watch){ .path = "in" };
	watches = (struct tr2_watches){ .items = watched, .count = 1 };
	tr2_watch_begin(&watches, &journal);
}

static inline void begin_watch(void)
{
	mkdir("in", 0700);
	begin_intake();
	intake.scratch = scratch;
	begin_again();
	read_new();
}

static inline void end_watch(void)
{
	tr2_watch_end(&watches);
	end_intake();
	remove_all("in");
}

/* Returns what is new in the journal after a look. */
static inline const char *look_once(void)
{
	tr2_watch_read(&watches, &intake, true);
	return read_new();
}

/* The spool's file tells how far each file was read. */
static inline const char *show_file(const char *name)
{
	static char text[64];
	const struct tr2_watched *file =
		tr2_watched_find(&watched[0].table, name);

	if (!file)
		return "none";
	snprintf(text, sizeof(text), "%d%s%s", (int)file->offset,
		 file->ended ? " ended" : "", file->skipping ? " skips" : "");
	return text;
}

#endif
