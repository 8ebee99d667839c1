/* Files that are held, those that went, and when one may go. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/intake/sight.h"
#include "lib/files/clock.h"
#include "lib/files/linux.h"
#include "lib/text/text.h"

/* Seconds without a change. */
#define QUIET_END 2
#define QUIET_HELD (60 * 60)

#define SECOND TR2_WATCHED_SECOND
#define SID "\"sid\":\""
#define UNSEEN_MOST 20 /* looks: readdir(3) may miss a file that is renamed */

/*
 * ---- Files that are written, whatever happens to their names
 */

/*
 * Does the line's event have this key and value? An object in it does not
 * count: the value of a data_json event may be anything.
 */
static bool has_pair(const char *line, size_t len, const char *pair)
{
	const char *at = tr2_text_find(line, len, pair);

	return at && !memchr(line + 1, '{', (size_t)(at - line));
}

/* git gives a file the name that is the end of its process's SID. */
static bool has_name_of_sid(const char *line, size_t len, const char *name)
{
	const char *sid = tr2_text_find(line, len, SID);
	const size_t size = strlen(name);
	const char *end;

	if (!sid)
		return false;
	sid += strlen(SID);
	end = memchr(sid, '"', (size_t)(line + len - sid));
	return end && (size_t)(end - sid) >= size &&
	       !memcmp(end - size, name, size);
}

bool tr2_held_find_end(struct tr2_watched *file, const char *bytes, size_t len)
{
	const char *last = tr2_text_find_end(bytes, len - 1);
	bool ended;

	last = last ? last : bytes;
	len -= (size_t)(last - bytes);
	ended = has_pair(last, len, "\"event\":\"atexit\"") ||
		has_pair(last, len, "\"event\":\"signal\"");
	file->done = ended && has_name_of_sid(last, len, file->name);
	return ended;
}

void tr2_held_let_go(struct tr2_watches *watches, struct tr2_watched *file)
{
	if (!file->held)
		return;
	close(file->held - 1);
	file->held = 0;
	watches->held--;
}

static bool may_grow(const struct tr2_watched *file)
{
	return !file->done &&
	       (int64_t)tr2_clock_now() - file->changed < QUIET_HELD * SECOND;
}

static bool is_written(struct tr2_watched *file, int fd)
{
	file->writer = tr2_find_writer(fd);
	return file->writer > 0;
}

/* One that has no name anywhere takes space on its disk, so it goes soon. */
bool tr2_held_must_stay(const struct tr2_sight *sight, int fd)
{
	return (sight->st.st_nlink && may_grow(sight->file)) ||
	       is_written(sight->file, fd);
}

bool tr2_held_has_place(const struct tr2_sight *sight)
{
	const struct tr2_watches *watches = sight->watches;

	return watches->held < watches->held_most &&
	       (sight->file->writer > 0 || may_grow(sight->file));
}

void tr2_held_keep(const struct tr2_sight *sight, int fd)
{
	tr2_held_let_go(sight->watches, sight->file);
	is_written(sight->file, fd);
	if (!tr2_held_has_place(sight)) {
		close(fd);
		return;
	}
	sight->file->held = fd + 1;
	sight->watches->held++;
}

/*
 * ---- Files that went, and what was cut
 */

/* Of a log that was shared, nobody knows what it got while no service ran. */
static bool may_be_written(const struct tr2_watched *file)
{
	return !file->packed && strcmp(file->name, TR2_WATCH_SENTINEL) != 0 &&
	       (file->writer > 0 || (file->writer && may_grow(file) &&
				     !(file->seen && file->ended)));
}

bool tr2_gone_tell_loss(struct tr2_collect_intake *intake,
			struct tr2_watched *file)
{
	const bool unread = !file->skipping && !file->packed &&
			    file->size > file->offset;
	const bool cut = !file->number && !file->done && !file->copied;
	char what[128] = "was moved or removed, and its process may not have "
			 "ended, so what it wrote since may be lost";

	if (file->held)
		is_written(file, file->held - 1);
	if (unread)
		snprintf(what, sizeof(what),
			 "was cut or removed before its last %" PRIu64
			 " bytes were read",
			 file->size - file->offset);
	else if (cut)
		snprintf(what, sizeof(what),
			 "was cut, and no copy was found, so its last lines "
			 "may be lost");
	else if (!file->number || !may_be_written(file))
		return false;
	tr2_sight_report(file->watch, file->name, what);
	tr2_intake_drop(intake, unread || cut ? TR2_DROP_CUT : TR2_DROP_GONE,
			1);
	return true;
}

/* It went, so its inode may be another file's soon, or after a restart. */
static void forget_file(struct tr2_watches *watches, struct tr2_watched *file)
{
	tr2_held_let_go(watches, file);
	file->offset = file->size = 0; /* as of a file that was not read */
	file->ended = file->done = false;
	file->mark = (struct tr2_mark){ 0 };
	tr2_watched_note(&watches->table, file);
	file->number = 0;
}

void tr2_gone_replace(struct tr2_watches *watches, struct tr2_watched *file)
{
	if (file->held ? !is_written(file, file->held - 1) : file->writer <= 0)
		forget_file(watches, file);
}

/*
 * Where there is no file at all, a disk may not be mounted now. What is not told
 * at the last look may be there again, and the next service tells nothing of it.
 */
static void end_look_at(struct tr2_collect_intake *intake,
			struct tr2_watched *file)
{
	const bool last = intake->watches->last;
	const bool awaited = file->watch->bare && !(last && file->seen);

	if (file->unseen <= (last ? 0 : UNSEEN_MOST) || (file->held && !last) ||
	    awaited)
		return;
	if (tr2_gone_tell_loss(intake, file) || !last) {
		forget_file(intake->watches, file);
		return;
	}
	file->done = true;
	tr2_watched_note(&intake->watches->table, file);
}

void tr2_gone_end_look(struct tr2_collect_intake *intake)
{
	struct tr2_watched_table *table = &intake->watches->table;
	struct tr2_watched *file = table->files.items;

	for (uint32_t left = table->files.count; left; left--)
		end_look_at(intake, file++);
	tr2_watched_sweep(table);
}

/*
 * ---- Removal
 */

/* False also if nobody knows. */
static bool is_open(struct tr2_sight *sight)
{
	const int held = sight->file->held;
	const int fd = held ? held - 1 : tr2_sight_open(sight);
	const bool written = fd >= 0 && is_written(sight->file, fd);

	if (fd >= 0 && !held)
		close(fd);
	return written;
}

/* git goes on in the background after its atexit, with the same file. */
static bool is_finished(struct tr2_sight *sight)
{
	const struct tr2_watched *file = sight->file;

	if (file->offset < (uint64_t)sight->st.st_size)
		return false;
	if ((file->ended || !strcmp(file->name, TR2_WATCH_SENTINEL)) &&
	    tr2_sight_is_quiet(sight, QUIET_END) && !is_open(sight))
		return true;
	return tr2_sight_is_quiet(sight, TR2_WATCHED_DAY);
}

/* It does not go while it has other names. */
static void remove_file(const struct tr2_sight *sight)
{
	if (unlinkat(sight->dir, sight->name, 0) || sight->st.st_nlink > 1)
		return;
	forget_file(sight->watches, sight->file);
}

/* What an output has missed, the file alone still has. */
void tr2_removal_notice(const struct tr2_sight *sight)
{
	const struct tr2_watches *watches = sight->watches;
	struct tr2_watched *file = sight->file;

	if (!file->holed && file->begin < file->end &&
	    file->begin < watches->marks.lost) {
		file->holed = true;
		tr2_watched_note(&sight->watches->table, file);
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
