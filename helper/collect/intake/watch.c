#include "collect/intake/watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/intake/sight.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/files/clock.h"
#include "lib/files/linux.h"

#define MS UINT64_C(1000000)
#define EVERY (500 * MS)
#define SHARE 20     /* times as long as the last look took */
#define BUDGET 256   /* chunks that one look reads, which visits all files, */
#define FILES_EACH 8 /* and one for so many, so that few looks are enough */

/*
 * ---- A directory
 */

/* Only what the user could have written to a socket is read. */
static bool is_ours(const struct tr2_sight *sight)
{
	uid_t uid = sight->st.st_uid;

	return sight->intake->writers.others || uid == geteuid() || !uid;
}

/* False: there is no file to read. */
static bool find_file(struct tr2_sight *sight, bool *hidden, bool *foreign)
{
	if (*sight->name == '.')
		return false;
	if (fstatat(sight->dir, sight->name, &sight->st, AT_SYMLINK_NOFOLLOW)) {
		if (errno != ENOENT && !sight->watch->hidden && !*hidden)
			tr2_sight_report(sight->watch, sight->name,
					 strerror(errno));
		*hidden |= errno != ENOENT;
		return false;
	}
	if (!S_ISREG(sight->st.st_mode))
		return false;
	*foreign |= !is_ours(sight);
	return is_ours(sight);
}

/*
 * A file of which nothing was read comes after all others, also of other
 * directories, or of none: they tell what it is a copy of. Of these, the name
 * of a copy begins with that of its original, which comes first.
 */
struct fresh {
	struct tr2_watch *watch;
	char *name;
};

TR2_COMPARE(compare_fresh, fresh, TR2_BY_TEXT(name, 0));

/*
 * Another file that gets the inode of one that was removed was made at another
 * time.
 */
static uint64_t find_number(const struct tr2_sight *sight)
{
	const uint64_t parts[] = { sight->st.st_dev, sight->st.st_ino,
				   tr2_birth_find(sight->dir, sight->name) };

	return tr2_hash((const char *)parts, sizeof(parts)).a | 1;
}

/* Without a list, it is the turn of those of which nothing was read. */
static void look_at(struct tr2_sight *sight, struct tr2_vec *fresh)
{
	struct tr2_watched *known;
	bool was_read;

	sight->number = find_number(sight);
	known = tr2_watched_find(&sight->watches->table, sight->number);
	was_read = known && known->offset;
	if (was_read && !known->unseen && known->watch->dir)
		return; /* it was seen by another name */
	if (!fresh || was_read)
		tr2_sight_visit(sight, known);
	else if (known)
		known->unseen = 0;
	if (fresh && (!was_read || !sight->file->offset))
		TR2_VEC_PUT(fresh, struct fresh, .watch = sight->watch,
			    .name = tr2_must_copy(sight->name));
}

static void look_at_fresh(struct tr2_sight *sight, struct tr2_vec *fresh)
{
	struct tr2_watches *watches = sight->watches;
	const struct fresh *item = fresh->items;
	bool ignored = false;

	tr2_vec_sort(fresh, sizeof(*item), compare_fresh);
	for (uint32_t left = fresh->count; left; left--, item++) {
		sight->watch = item->watch;
		sight->dir = dirfd(item->watch->dir);
		sight->name = item->name;
		sight->file = NULL;
		if (find_file(sight, &ignored, &ignored))
			look_at(sight, NULL);
		if (sight->file)
			tr2_identity_add(watches, sight->file);
		free(item->name);
	}
	tr2_map_release(&watches->firsts);
	watches->indexed = false;
	tr2_vec_release(fresh);
}

/* Tell once that git does not write there, until it does again. */
static void notice_sentinel(struct tr2_watch *watch, bool full)
{
	if (full && !watch->full)
		tr2_sight_report(
			watch, NULL,
			"git writes no more files here: there is " TR2_WATCH_SENTINEL);
	watch->full = full;
}

static void open_directory(struct tr2_watch *watch)
{
	watch->dir = opendir(watch->path);
	if (!watch->dir && !watch->gone)
		tr2_sight_report(watch, NULL, strerror(errno));
	else if (watch->dir && watch->gone)
		tr2_sight_report(watch, NULL, "can be read again");
	watch->gone = !watch->dir;
}

static void count_unreadable(struct tr2_watches *watches)
{
	const struct tr2_watched *file = watches->table.files.items;
	const struct tr2_watch *watch = watches->items;

	watches->unread = 0;
	for (uint32_t left = watches->table.files.count; left; left--, file++)
		watches->unread += file->told && !file->unseen;
	for (uint32_t left = watches->count; left; left--, watch++)
		watches->unread += (unsigned)watch->hidden + watch->gone;
}

/* Files may be written that have another name, or none, or no directory. */
static void read_held(struct tr2_sight *sight)
{
	const struct tr2_vec *files = &sight->watches->table.files;
	struct tr2_watched *file;

	for (uint32_t i = 0; i < files->count; i++) {
		file = (struct tr2_watched *)files->items + i;
		sight->watch = file->watch;
		if (!file->held || (!file->unseen && file->watch->dir))
			continue;
		tr2_sight_read_held(sight, file);
		tr2_identity_add(sight->watches, sight->file);
	}
}

static void read_names(struct tr2_sight *sight, struct tr2_vec *fresh)
{
	bool hidden = false, foreign = false, any = false, full = false;
	const struct dirent *entry;

	while (errno = 0, (entry = readdir(sight->watch->dir))) {
		sight->name = entry->d_name;
		if (!find_file(sight, &hidden, &foreign))
			continue;
		any = true;
		full |= !strcmp(sight->name, TR2_WATCH_SENTINEL);
		look_at(sight, fresh);
	}
	if (errno && !sight->watch->hidden)
		tr2_sight_report(sight->watch, NULL, strerror(errno));
	hidden |= errno;
	sight->watch->bare = !any;
	if (foreign && !sight->watch->foreign)
		tr2_sight_report(sight->watch, NULL,
				 "files of other users are not read");
	sight->watch->foreign = foreign;
	sight->watch->hidden = hidden;
	notice_sentinel(sight->watch, full);
}

/*
 * ---- All directories
 */

void tr2_watch_begin(struct tr2_watches *watches, struct tr2_journal *journal)
{
	watches->table.dir = journal->dir;
	watches->table.fd = -1;
	if (!watches->count) {
		tr2_watched_make(&watches->table);
		return;
	}
	watches->marks = tr2_journal_find_marks(journal);
	tr2_watched_load(&watches->table, watches->items, watches->count,
			 &watches->marks);
	tr2_watched_renew(&watches->table);
}

void tr2_watch_end(struct tr2_watches *watches)
{
	tr2_watched_end(&watches->table, watches->count);
}

int tr2_watch_timeout(const struct tr2_watches *watches)
{
	uint64_t now = tr2_clock_now();

	if (!watches->count)
		return -1;
	return watches->due > now ? (int)((watches->due - now) / MS) + 1 : 0;
}

static void look_once(struct tr2_collect_intake *intake)
{
	struct tr2_watches *watches = intake->watches;
	struct tr2_sight sight = { .watches = watches, .intake = intake };
	struct tr2_watched *file = watches->table.files.items;
	struct tr2_vec fresh = { 0 };

	for (uint32_t i = 0; i < watches->count; i++)
		open_directory(&watches->items[i]);
	for (uint32_t left = watches->table.files.count; left; left--, file++)
		file->unseen += file->watch->dir != NULL;
	for (uint32_t i = 0; i < watches->count; i++) {
		sight.watch = &watches->items[i];
		if (!sight.watch->dir)
			continue;
		sight.dir = dirfd(sight.watch->dir);
		read_names(&sight, &fresh);
	}
	sight.is_fresh = true;
	read_held(&sight);
	look_at_fresh(&sight, &fresh);
}

static void end_look(struct tr2_collect_intake *intake)
{
	struct tr2_watches *watches = intake->watches;
	struct tr2_watch *watch = watches->items;

	tr2_gone_end_look(intake);
	count_unreadable(watches);
	intake->counts.unread = watches->unread;
	for (uint32_t left = watches->count; left; left--, watch++) {
		if (!watch->dir)
			continue;
		watch->looked = true;
		closedir(watch->dir);
		watch->dir = NULL;
	}
}

void tr2_watch_read(struct tr2_watches *watches,
		    struct tr2_collect_intake *intake, bool now)
{
	uint64_t begin = tr2_clock_now(), wait;

	if (!watches->count || (!now && begin < watches->due))
		return;
	if (tr2_watched_is_long(&watches->table))
		tr2_watched_renew(&watches->table);
	watches->budget = BUDGET + watches->table.files.count / FILES_EACH;
	watches->marks = tr2_journal_find_marks(intake->journal);
	watches->last = now;
	look_once(intake);
	end_look(intake);
	wait = SHARE * (tr2_clock_now() - begin);
	watches->due = tr2_clock_now();
	if (watches->budget)
		watches->due += wait > EVERY ? wait : EVERY;
}
