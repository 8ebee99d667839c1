/* Is a file that is seen the one that is known? When may it be removed? */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "collect/intake/sight.h"
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

/*
 * Its inode may be another file's soon, in this look or after a restart, but
 * not while it has other names.
 */
static void forget_removed(const struct tr2_sight *sight)
{
	struct tr2_watched *file = sight->file;

	if (unlinkat(sight->dir, sight->name, 0) || sight->st.st_nlink > 1)
		return;
	file->offset = 0; /* as of a file that was not read */
	file->ended = false;
	file->mark = (struct tr2_mark){ 0 };
	tr2_watched_note(&sight->watches->log, sight->watch->path, file);
	file->inode = 0;
	if (sight->known)
		sight->known->inode = 0;
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

/* Seconds without a change. */
#define QUIET_KNOWN 2 /* a change may have the same time as the one before */
#define QUIET_COPY 3
#define COPY_LEAST 64 /* bytes; fewer are often equal by chance */

/* Another file has the name or the inode: what is known is of one that went. */
static void begin_anew(struct tr2_sight *sight)
{
	struct tr2_watched_table *table = &sight->watch->table;
	struct tr2_watched *file = sight->file;

	file->offset = file->begin = file->end = 0;
	file->ended = file->skipping = file->holed = false;
	file->mark = (struct tr2_mark){ 0 };
	tr2_watched_keep(table, sight->known, true);
	sight->file = tr2_watched_find_inode(table, (uint64_t)sight->st.st_ino);
}

static bool may_be_same(const struct tr2_sight *sight, uint64_t birth)
{
	const struct tr2_watched *file = sight->file;

	return file->offset <= (uint64_t)sight->st.st_size &&
	       (!birth || !file->birth || birth == file->birth);
}

bool tr2_identity_find(struct tr2_sight *sight, int fd)
{
	uint64_t birth = tr2_birth_find(fd);
	struct tr2_watched *file = sight->file;
	enum tr2_mark_match match = TR2_MARK_SAME;

	if (file->unsure && file->offset)
		match = may_be_same(sight, birth)
				? tr2_mark_check(&file->mark, file->offset, fd)
				: TR2_MARK_OTHER;
	if (match == TR2_MARK_UNREADABLE)
		tr2_sight_fail(sight, errno);
	else if (match == TR2_MARK_OTHER)
		begin_anew(sight);
	else if (file->offset && !file->mark.line_count)
		tr2_mark_find_lines(&file->mark, file->offset, fd);
	sight->file->birth = birth;
	sight->file->unsure = !tr2_sight_is_quiet(sight, QUIET_KNOWN);
	return match != TR2_MARK_UNREADABLE;
}

/* Is the file the copy of this one, or of its begin? */
static bool is_copy(const struct tr2_sight *sight,
		    const struct tr2_watched *from, int fd)
{
	const struct tr2_mark_begin *begin = &sight->watches->begin;

	return tr2_mark_fits(begin, &from->mark, from->offset) &&
	       tr2_mark_check(&from->mark, from->offset, fd) == TR2_MARK_SAME;
}

/*
 * It was copied, and then more of it was read before it was cut. All lines of
 * such a copy were read, if it is so short that all of it is known.
 */
static bool is_copy_of_begin(const struct tr2_sight *sight,
			     const struct tr2_watched *from)
{
	const struct tr2_mark_begin *begin = &sight->watches->begin;

	return begin->len == (uint64_t)sight->st.st_size &&
	       begin->len < from->offset && begin->lines == begin->len &&
	       tr2_mark_holds(&from->mark, begin);
}

static void note_copy(const struct tr2_sight *sight, struct tr2_watched *from)
{
	struct tr2_watched_table *table = &sight->watch->table;

	sight->file->begin = from->begin;
	sight->file->end = from->end;
	from->cut = false; /* it has no other copy */
	table->cuts--;
	tr2_watched_note(&sight->watches->log, sight->watch->path, sight->file);
}

/*
 * Is a new file the copy of one that was cut, as logrotate makes it with
 * `copytruncate`? It is read from where that one was read.
 */
static bool adopt_copy(const struct tr2_sight *sight, int fd)
{
	struct tr2_watched_table *table = &sight->watch->table;
	struct tr2_watched *from = table->files.items, *file = sight->file;
	const struct tr2_watched *end = from + table->files.count;

	for (; from < end; from++) {
		if (!from->cut)
			continue;
		if (is_copy(sight, from, fd)) {
			file->offset = from->offset;
			file->ended = from->ended;
			file->skipping = from->skipping;
			file->holed = from->holed;
			file->mark = from->mark;
			from->size = 0;
		} else if (is_copy_of_begin(sight, from)) {
			file->offset = (uint64_t)sight->st.st_size;
			file->mark = tr2_mark_of(&sight->watches->begin);
		} else {
			continue;
		}
		note_copy(sight, from);
		return true;
	}
	return false;
}

/* Does the new file begin as one that was read and is still there? */
static bool has_twin(const struct tr2_sight *sight)
{
	const struct tr2_mark_begin *begin = &sight->watches->begin;
	const struct tr2_watched *files = sight->watch->table.files.items;
	const struct tr2_watched *twin;
	uint64_t number;
	size_t len;

	for (len = 1; len <= begin->len; len++) {
		number = tr2_map_value(&sight->watches->heads,
				       begin->heads[len] | 1);
		twin = number ? files + number - 1 : NULL;
		if (twin && twin->offset >= COPY_LEAST &&
		    (tr2_mark_fits(begin, &twin->mark, twin->offset) ||
		     tr2_mark_holds(&twin->mark, begin)))
			return true;
	}
	return false;
}

bool tr2_identity_must_wait(const struct tr2_sight *sight, int fd)
{
	if (sight->file->offset || !sight->watches->heads.count)
		return false;
	tr2_mark_read_begin(&sight->watches->begin, fd);
	if (sight->watch->table.cuts && adopt_copy(sight, fd))
		return false;
	if (!has_twin(sight))
		return false;
	if (!sight->watches->last && !tr2_sight_is_quiet(sight, QUIET_COPY))
		return true;
	sight->intake->counts.repeats++;
	tr2_sight_report(sight->watch, sight->name,
			 "begins as another file that was read, so events may "
			 "come twice");
	return false;
}
