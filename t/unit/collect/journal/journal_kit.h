/* journal_kit.h - write to a journal, and read from it. */
#ifndef TRACE2_UNIT_JOURNAL_KIT_H
#define TRACE2_UNIT_JOURNAL_KIT_H

#include "kit/directory.h"
#include "kit/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/journal/journal.h"

#define LIMIT ((uint64_t)1 << 30)

static inline void show_lines(struct tr2_journal *journal)
{
	pthread_mutex_lock(&journal->mutex);
	tr2_journal_show(journal);
	pthread_mutex_unlock(&journal->mutex);
}

static inline bool add_text(struct tr2_journal *journal, const char *text,
			    unsigned long lines)
{
	size_t len = strlen(text);
	char *room = tr2_journal_room(journal, len);

	if (!room)
		return false;
	memcpy(room, text, len);
	tr2_journal_commit(journal, len, lines);
	show_lines(journal);
	return true;
}

/* One line of so many bytes. */
static inline bool add_long(struct tr2_journal *journal, size_t len)
{
	char *room = tr2_journal_room(journal, len);

	if (!room)
		return false;
	memset(room, 'x', len);
	room[len - 1] = '\n';
	tr2_journal_commit(journal, len, 1);
	show_lines(journal);
	return true;
}

#endif
