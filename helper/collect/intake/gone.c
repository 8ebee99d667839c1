/* Files that are held, those that went, and when one may go. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/intake/sight.h"
#include "lib/files/clock.h"
#include "lib/files/linux.h"

/* Seconds without a change. */
#define QUIET_END 2
#define QUIET_TORN 60
#define QUIET_HELD (60 * 60)
#define QUIET_DAY (24 * 60 * 60)

#define SECOND INT64_C(1000000000)
#define UNSEEN_MOST 20 /* looks: readdir(3) may miss a file that is renamed */
#define AWAITED_MOST 7200 /* for what comes back, or is on another disk */
#define AWAITED_FILES 4096

/*
 * ---- Files that are written, whatever happens to their names
 */

void tr2_held_let_go(const struct tr2_sight *sight, struct tr2_watched *file)
{
	if (!file->held)
		return;
	close(file->held - 1);
	file->held = 0;
	sight->watches->held--;
}

static bool may_grow(const struct tr2_sight *sight)
{
	return !sight->file->ended && !tr2_sight_is_quiet(sight, QUIET_HELD);
}

/* One that has no name anywhere takes space on its disk, so it goes soon. */
bool tr2_held_must_stay(const struct tr2_sight *sight, int fd)
{
	return (sight->st.st_nlink && may_grow(sight)) || tr2_is_written(fd);
}

/* The other half of the places is for those of which a writer is known. */
bool tr2_held_has_place(const struct tr2_sight *sight)
{
	return may_grow(sight) &&
	       sight->watches->held < sight->watches->held_most / 2;
}

void tr2_held_keep(const struct tr2_sight *sight, int fd)
{
	struct tr2_watches *watches = sight->watches;

	tr2_held_let_go(sight, sight->file);
	if (watches->held >= watches->held_most ||
	    !(tr2_held_has_place(sight) || tr2_is_written(fd))) {
		close(fd);
		return;
	}
	sight->file->held = fd + 1;
	watches->held++;
}

bool tr2_held_is_written(struct tr2_sight *sight)
{
	const int held = sight->file->held;
	const int fd = held ? held - 1 : tr2_sight_open(sight);
	const bool written = fd >= 0 && tr2_is_written(fd);

	if (fd >= 0 && !held)
		close(fd);
	return written;
}

/*
 * ---- Files that went
 */

/* Its last event is not the end of a process, and it is not old. */
static bool may_be_written(const struct tr2_watched *file)
{
	return file->offset && !file->ended && !file->cut &&
	       strcmp(file->name, TR2_WATCH_SENTINEL) != 0 &&
	       (int64_t)tr2_clock_now() - file->changed < QUIET_TORN * SECOND;
}

static void tell_loss(const struct tr2_sight *sight,
		      const struct tr2_watched *file)
{
	char what[96];

	if (file->skipping || file->size <= file->offset) {
		if (may_be_written(file))
			tr2_sight_report(sight->watch, file->name,
					 "was removed while its process ran, "
					 "so what it writes now is lost");
		return;
	}
	snprintf(what, sizeof(what),
		 "was cut or removed before its last %" PRIu64
		 " bytes were read",
		 file->size - file->offset);
	tr2_sight_report(sight->watch, file->name, what);
	tr2_intake_drop(sight->intake, TR2_DROP_CUT, 1);
}

/*
 * What is known about files that are there no more is forgotten in a while, but
 * not while there are none at all: their disk may not be mounted now.
 */
static bool is_forgotten(const struct tr2_sight *sight,
			 struct tr2_watched *file, bool many)
{
	const unsigned most = file->seen && (many || file->cut)
				      ? UNSEEN_MOST + 1
				      : AWAITED_MOST;

	if (file->unseen > most && sight->watch->bare)
		file->unseen = most;
	return file->unseen > most;
}

static uint32_t count_gone(const struct tr2_watched_table *table)
{
	const struct tr2_watched *file = table->files.items;
	uint32_t left = table->files.count, gone = 0;

	for (; left; left--, file++)
		gone += file->unseen && !file->cut;
	return gone;
}

/* The file is not held, or this is the last look. */
static void end_look_at(const struct tr2_sight *sight, struct tr2_watched *file,
			bool many)
{
	const unsigned most = sight->watches->last ? 0 : UNSEEN_MOST;

	if (file->unseen > most && !file->lost) {
		tell_loss(sight, file);
		file->lost = true;
	}
	if (!is_forgotten(sight, file, many))
		return;
	sight->watch->table.cuts -= file->cut;
	file->offset = file->inode = 0;
}

void tr2_gone_end_look(const struct tr2_sight *sight)
{
	struct tr2_watched_table *table = &sight->watch->table;
	const bool many = count_gone(table) > AWAITED_FILES;
	struct tr2_watched *file = table->files.items;
	uint32_t left = table->files.count;

	for (; left; left--, file++)
		if (file->unseen && (file->offset || file->inode) &&
		    (!file->held || sight->watches->last))
			end_look_at(sight, file, many);
	tr2_watched_sweep(table);
}

/*
 * ---- Removal
 */

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
static bool is_finished(struct tr2_sight *sight)
{
	const struct tr2_watched *file = sight->file;

	if (file->offset < (uint64_t)sight->st.st_size)
		return false;
	if ((file->ended || !strcmp(file->name, TR2_WATCH_SENTINEL)) &&
	    tr2_sight_is_quiet(sight, QUIET_END) && !tr2_held_is_written(sight))
		return true;
	return tr2_sight_is_quiet(sight, QUIET_DAY);
}

void tr2_gone_forget(const struct tr2_sight *sight, struct tr2_watched *file)
{
	tr2_held_let_go(sight, file);
	file->offset = file->size = 0; /* as of a file that was not read */
	file->ended = false;
	file->mark = (struct tr2_mark){ 0 };
	tr2_watched_note(&sight->watches->log, sight->watch->path, file);
	file->inode = 0;
}

void tr2_gone_replace(const struct tr2_sight *sight, struct tr2_watched *file)
{
	if (!file->held || !tr2_is_written(file->held - 1))
		tr2_gone_forget(sight, file);
}

/* It does not go while it has other names. */
static void remove_file(const struct tr2_sight *sight)
{
	if (unlinkat(sight->dir, sight->name, 0) || sight->st.st_nlink > 1)
		return;
	tr2_gone_forget(sight, sight->file);
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

void tr2_removal_try(struct tr2_sight *sight)
{
	const struct tr2_watched *file = sight->file;

	if (sight->watches->marks.needed < file->end || !is_finished(sight))
		return;
	if (file->holed)
		keep_holed(sight);
	else
		remove_file(sight);
}
