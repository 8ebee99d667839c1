/*
 * intake_kit.h - an intake, its journal, and what the journal has got.
 */
#ifndef UNIT_INTAKE_INTAKE_KIT_H
#define UNIT_INTAKE_INTAKE_KIT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_cond_clockwait() */
#endif
#include "kit/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "collect/intake/watch.h"
#include "kit/clock.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "kit/limits.h"
#include "read/bytes/block.h"

#define LIMIT ((uint64_t)1 << 30)

static struct tr2_journal journal;
static struct tr2_line_filter filter;
static struct tr2_collect_intake intake;
static struct tr2_watches watches;
static struct tr2_watch watched[2];
static uint64_t read_before; /* bytes of the journal that a test has seen */

static inline void begin_intake(void)
{
	limit_disk((rlim_t)LIMIT); /* one that went wrong takes no more */
	intake = (struct tr2_collect_intake){ .journal = &journal,
					      .watches = &watches,
					      .writers.most = 100 };
	watches = (struct tr2_watches){ .items = watched };
	read_before = 0;
	tap_need(!tr2_journal_open(&journal, "spool", LIMIT));
}

/* The disk is full, or has space again. */
static inline void fill_disk(bool is_full)
{
	limit_disk(is_full ? 100 : (rlim_t)LIMIT);
	pass_time(CLOCK_SECOND); /* the journal does not ask all the time */
}

static inline void end_intake(void)
{
	tr2_journal_close(&journal);
	remove_all("spool");
}

/* Lines pass a filter, of which `check` and so on may be set afterwards. */
static inline void add_filter(enum tr2_filter_check check, bool redact)
{
	filter = (struct tr2_line_filter){
		.check = check,
		.redact = redact,
		.aside = { .dir = "spool", .limit = 1 << 20 },
	};
	tr2_filter_begin(&filter);
	intake.filter = &filter;
}

/* Returns what was committed after this place; valid until the next call. */
static inline const char *read_from(uint64_t at)
{
	static char bytes[1 << 16];
	struct tr2_journal_reader reader;
	size_t len = 0, got = 1;
	bool ended;

	pthread_mutex_lock(&journal.mutex);
	tr2_journal_show(&journal);
	pthread_mutex_unlock(&journal.mutex);
	tr2_journal_join(&journal, &reader, at, 0);
	for (; got && reader.at < journal.shown_end; len += got)
		got = tr2_journal_read(&reader, bytes + len,
				       sizeof(bytes) - 1 - len, 0, &ended);
	bytes[len] = '\0';
	if (reader.fd >= 0)
		close(reader.fd);
	journal.readers = reader.next;
	return bytes;
}

/* Returns what is new since it was asked last. */
static inline const char *read_new(void)
{
	const char *bytes = read_from(read_before);

	read_before = journal.end;
	return bytes;
}

#endif
