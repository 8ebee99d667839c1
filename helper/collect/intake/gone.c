/* Files that went, and when one may go. */
#include <string.h>
#include <unistd.h>

#include "collect/intake/sight.h"
#include "collect/intake/watched.h"
#include "lib/files/linux.h"

#define UNSEEN_MOST 20 /* looks: readdir(3) may miss a file that is renamed */
#define AWAITED_MOST 7200 /* for a file of another disk, or an earlier run */

/*
 * What is known about files that are there no more is forgotten in a while, but
 * not while there are none at all: their disk may not be mounted now.
 */
static bool is_forgotten(const struct tr2_sight *sight,
			 struct tr2_watched *file)
{
	const unsigned most = file->seen ? UNSEEN_MOST + 1 : AWAITED_MOST;

	if (file->unseen >= most && sight->watch->bare)
		return false;
	return ++file->unseen > most;
}

void tr2_gone_keep(const struct tr2_sight *sight, struct tr2_watched_table *old,
		   enum tr2_gone which)
{
	struct tr2_watched *file = old->files.items;
	uint32_t left = old->files.count;

	for (; left; left--, file++) {
		if (which == TR2_GONE_CUT ? !file->cut : file->taken)
			continue;
		if ((!file->offset &&
		     (which == TR2_GONE_READ || !file->inode)) ||
		    is_forgotten(sight, file))
			continue;
		file->taken = true;
		tr2_watched_keep(&sight->watch->table, file, file->cut);
	}
}

void tr2_gone_tell(const struct tr2_sight *sight)
{
	struct tr2_watched *file = sight->watch->table.files.items;
	const unsigned most = sight->watches->last ? 0 : UNSEEN_MOST;
	uint32_t left = sight->watch->table.files.count;

	for (; left; left--, file++) {
		if (file->unseen <= most || file->lost)
			continue;
		tr2_sight_lose(sight->intake, sight->watch, file);
		file->lost = true;
	}
}

/*
 * ---- Removal
 */

/* Seconds without a change. */
#define QUIET_END 2
#define QUIET_DAY (24 * 60 * 60)

/* Of an earlier process only this is known: what was passed on by now. */
void tr2_removal_begin(struct tr2_watches *watches)
{
	struct tr2_watched *file;
	uint32_t i, left;

	for (i = 0; i < watches->count; i++) {
		file = watches->items[i].table.files.items;
		for (left = watches->items[i].table.files.count; left; left--)
			file++->begin = watches->marks.needed;
	}
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

void tr2_gone_forget(const struct tr2_sight *sight, struct tr2_watched *file)
{
	file->offset = file->size = 0; /* as of a file that was not read */
	file->ended = false;
	file->mark = (struct tr2_mark){ 0 };
	tr2_watched_note(&sight->watches->log, sight->watch->path, file);
	file->inode = 0;
}

/* It does not go while it has other names. */
static void remove_file(const struct tr2_sight *sight)
{
	if (unlinkat(sight->dir, sight->name, 0) || sight->st.st_nlink > 1)
		return;
	tr2_gone_forget(sight, sight->file);
	if (sight->known)
		sight->known->inode = 0;
}

/* What an output has missed, the file alone still has. */
void tr2_removal_notice(const struct tr2_sight *sight)
{
	const struct tr2_watches *watches = sight->watches;
	struct tr2_watched *file = sight->file;

	if (!file->holed && file->begin < file->end &&
	    file->begin < watches->marks.lost) {
		file->holed = true;
		tr2_watched_note(&sight->watches->log, sight->watch->path,
				 file);
	}
	if (file->end <= watches->marks.needed)
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

	if (sight->watches->marks.needed < file->end || !is_finished(sight))
		return;
	if (file->holed)
		keep_holed(sight);
	else
		remove_file(sight);
}
