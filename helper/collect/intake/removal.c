#include "collect/intake/removal.h"

#include <string.h>
#include <unistd.h>

#include "lib/files/linux.h"

/* Seconds without a change. */
#define QUIET_END 2
#define QUIET_DAY (24 * 60 * 60)

/* Of an earlier process only this is known: what was passed on by now. */
static void note_waiting(struct tr2_watch *watch, uint64_t needed)
{
	struct tr2_watched *file = watch->table.files.items;
	uint32_t i;

	for (i = 0; i < watch->table.files.count; i++)
		file[i].begin = needed;
}

void tr2_removal_begin(struct tr2_watches *watches, struct tr2_journal *journal)
{
	const uint64_t needed = tr2_journal_find_needed(journal);
	uint32_t i;

	for (i = 0; i < watches->count; i++)
		note_waiting(&watches->items[i], needed);
}

/* In this order: a reader that has lost lines needs them no more. */
void tr2_removal_look(struct tr2_watches *watches, struct tr2_journal *journal)
{
	watches->needed = tr2_journal_find_needed(journal);
	watches->lost = tr2_journal_find_lost(journal);
}

/* git goes on in the background after its atexit, with the same file. */
static bool is_finished(const struct tr2_sight *sight)
{
	const struct tr2_watched *file = sight->file;

	if (file->offset < (uint64_t)sight->st.st_size)
		return false;
	if ((file->ended || !strcmp(file->name, TR2_WATCH_SENTINEL)) &&
	    tr2_sight_is_quiet(sight, QUIET_END) &&
	    !tr2_is_written(sight->dir, sight->name))
		return true;
	return tr2_sight_is_quiet(sight, QUIET_DAY);
}

/* Its inode may be another file's soon, but not while it has other names. */
static void forget_removed(const struct tr2_sight *sight)
{
	if (!unlinkat(sight->dir, sight->name, 0) && sight->st.st_nlink < 2)
		sight->file->inode = 0;
}

/* What an output has missed, the file alone still has. */
void tr2_removal_notice(const struct tr2_sight *sight)
{
	const struct tr2_watches *watches = sight->watches;
	struct tr2_watched *file = sight->file;

	if (!file->holed && file->begin < file->end &&
	    file->begin < watches->lost) {
		file->holed = true;
		tr2_watched_note(&sight->watches->log, sight->watch->path,
				 file);
	}
	if (file->end <= watches->needed)
		file->begin = file->end;
}

static void keep_holed(const struct tr2_sight *sight)
{
	if (!sight->watch->holed)
		tr2_sight_report(sight->watch, sight->name,
				 "stays, as all files of which a line was "
				 "dropped or missed by an output");
	sight->watch->holed = true;
}

void tr2_removal_try(const struct tr2_sight *sight)
{
	const struct tr2_watched *file = sight->file;

	if (sight->watches->needed < file->end || !is_finished(sight))
		return;
	if (file->holed)
		keep_holed(sight);
	else
		forget_removed(sight);
}
