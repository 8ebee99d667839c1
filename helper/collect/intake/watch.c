#include "collect/intake/watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/intake/sight.h"
#include "lib/common/memory.h"
#include "lib/files/clock.h"

#define MS UINT64_C(1000000)
#define EVERY (500 * MS)
#define HOUR (UINT64_C(3600000) * MS)
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

/* Files that were read before come first: they tell what is their copy. */
static void look_at(struct tr2_sight *sight,
		    const struct tr2_watched_table *old, struct tr2_vec *fresh)
{
	uint64_t inode = tr2_sight_number(sight);
	struct tr2_watched *known = tr2_watched_find_inode(old, inode);

	if (tr2_watched_find_inode(&sight->watch->table, inode))
		return; /* by another name */
	if (fresh && !(known && known->offset))
		*(char **)tr2_vec_add(fresh, sizeof(char *)) =
			tr2_must_copy(sight->name);
	else
		tr2_sight_visit(sight, known);
}

static void look_at_fresh(struct tr2_sight *sight,
			  const struct tr2_watched_table *old,
			  struct tr2_vec *fresh)
{
	struct tr2_watches *watches = sight->watches;
	char **name = fresh->items;
	bool ignored = false;
	uint32_t i;

	if (fresh->count)
		tr2_identity_index(watches, &sight->watch->table);
	for (i = 0; i < fresh->count; i++) {
		sight->name = name[i];
		if (find_file(sight, &ignored, &ignored))
			look_at(sight, old, NULL);
		free(name[i]);
	}
	tr2_map_release(&watches->heads);
	tr2_vec_release(fresh);
}

/* Tell once that git does not write there, until it does again. */
static void notice_sentinel(struct tr2_watch *watch)
{
	bool full = tr2_watched_find(&watch->table, TR2_WATCH_SENTINEL);

	if (full && !watch->full)
		tr2_sight_report(
			watch, NULL,
			"git writes no more files here: there is " TR2_WATCH_SENTINEL);
	watch->full = full;
}

/*
 * A directory that is renamed is still written to, by programs that have opened
 * its files. It is read until they have ended, or for an hour after the last
 * line.
 */

static DIR *open_held(const struct tr2_watch *watch)
{
	struct stat st;
	DIR *dir;
	int fd;

	if (!watch->held || fstat(watch->held - 1, &st) || !st.st_nlink)
		return NULL;
	fd = openat(watch->held - 1, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

static bool is_held(const struct tr2_watch *watch, DIR *dir)
{
	struct stat held, st;

	return watch->held && !fstat(watch->held - 1, &held) &&
	       !fstat(dirfd(dir), &st) && held.st_dev == st.st_dev &&
	       held.st_ino == st.st_ino;
}

static void leave_directory(struct tr2_watch *watch)
{
	struct tr2_watch *left = tr2_must_grow(NULL, sizeof(*left));

	*left = *watch;
	watch->left = left;
	watch->held = 0;
	watch->table = (struct tr2_watched_table){ 0 };
	tr2_sight_report(watch, NULL,
			 "is another directory now; what is written to the "
			 "files of the former one is read, too");
}

/* It may get its name back. */
static void find_left(struct tr2_watch *watch, DIR *dir)
{
	struct tr2_watch **at = &watch->left, *left;

	while (*at && !is_held(*at, dir))
		at = &(*at)->left;
	left = *at;
	if (!left)
		return;
	*at = left->left;
	watch->table = left->table;
	watch->held = left->held;
	free(left);
}

static void hold_directory(struct tr2_watch *watch, DIR *dir)
{
	if (watch->held && !is_held(watch, dir))
		leave_directory(watch);
	if (!watch->held)
		find_left(watch, dir);
	if (!watch->held && watch->left)
		tr2_watched_inherit(&watch->table, &watch->left->table);
	if (!watch->held)
		watch->held = fcntl(dirfd(dir), F_DUPFD_CLOEXEC, 0) + 1;
}

static DIR *open_directory(struct tr2_watch *watch)
{
	DIR *dir = opendir(watch->path);

	if (!dir && !watch->gone)
		tr2_sight_report(watch, NULL, strerror(errno));
	else if (dir && watch->gone)
		tr2_sight_report(watch, NULL, "can be read again");
	watch->gone = !dir;
	if (!dir)
		return open_held(watch);
	hold_directory(watch, dir);
	return dir;
}

static void count_unreadable(struct tr2_watches *watches,
			     const struct tr2_watch *watch)
{
	const struct tr2_watched *file = watch->table.files.items;
	uint32_t i;

	for (i = 0; i < watch->table.files.count; i++)
		watches->unread += file[i].told && !file[i].unseen;
	watches->unread +=
		(unsigned)watch->hidden + watch->gone + watch->ringed;
}

static void read_names(struct tr2_sight *sight, DIR *dir,
		       struct tr2_watched_table *old)
{
	bool hidden = false, foreign = false;
	struct tr2_vec fresh = { 0 };
	const struct dirent *entry;

	while (errno = 0, (entry = readdir(dir))) {
		sight->name = entry->d_name;
		if (find_file(sight, &hidden, &foreign))
			look_at(sight, old, &fresh);
	}
	if (errno && !sight->watch->hidden)
		tr2_sight_report(sight->watch, NULL, strerror(errno));
	hidden |= errno;
	sight->watch->bare = !fresh.count && sight->watch->table.files.count ==
						     sight->watch->table.cuts;
	tr2_gone_keep(sight, old, TR2_GONE_READ);
	look_at_fresh(sight, old, &fresh);
	if (foreign && !sight->watch->foreign)
		tr2_sight_report(sight->watch, NULL,
				 "files of other users are not read");
	sight->watch->foreign = foreign;
	sight->watch->hidden = hidden;
}

/*
 * Of a file that was cut while no service ran nobody knows how long it was.
 * Its copy, if there is one, was found by now.
 */
static void report_cuts(const struct tr2_watch *watch,
			struct tr2_collect_intake *intake)
{
	const struct tr2_watched *file = watch->table.files.items;
	uint32_t i;

	for (i = 0; i < watch->table.files.count; i++)
		if (file[i].cut && !file[i].lost) {
			intake->counts.repeats++;
			tr2_sight_report(watch, file[i].name,
					 "was cut or made again while no "
					 "service ran, so events may be lost, "
					 "or come twice from a copy");
		}
}

static void look_through(struct tr2_sight *sight, DIR *dir)
{
	struct tr2_watched_table old = sight->watch->table;

	sight->watch->table = (struct tr2_watched_table){ 0 };
	tr2_gone_keep(sight, &old, TR2_GONE_CUT);
	read_names(sight, dir, &old);
	tr2_gone_keep(sight, &old, TR2_GONE_REST);
	tr2_gone_tell(sight);
	tr2_watched_release(&old);
}

static void read_directory(struct tr2_watches *watches,
			   struct tr2_collect_intake *intake,
			   struct tr2_watch *watch, DIR *dir)
{
	struct tr2_sight sight = { .watches = watches,
				   .intake = intake,
				   .watch = watch };
	struct stat st;

	if (dir) {
		sight.dir = dirfd(dir);
		sight.device = fstat(sight.dir, &st) ? 0 : st.st_dev;
		look_through(&sight, dir);
		if (!watch->looked && watch->table.cuts) {
			rewinddir(dir); /* one may be another's copy */
			look_through(&sight, dir);
		}
		closedir(dir);
		if (!watch->looked)
			report_cuts(watch, intake);
		watch->looked = true;
		notice_sentinel(watch);
	}
	count_unreadable(watches, watch);
}

/*
 * ---- Directories that had the path before
 */

static bool is_done(const struct tr2_watch *left)
{
	const struct tr2_watched *file = left->table.files.items;
	const uint64_t now = tr2_clock_now();
	uint32_t i;

	for (i = 0; i < left->table.files.count; i++)
		if (!file[i].ended && now - (uint64_t)file[i].changed < HOUR)
			return false;
	return true;
}

static void end_directory(struct tr2_watch *watch)
{
	tr2_watched_release(&watch->table);
	if (watch->held)
		close(watch->held - 1);
}

static void end_left(struct tr2_watch **at)
{
	struct tr2_watch *left = *at;

	*at = left->left;
	end_directory(left);
	free(left);
}

static void lose_directory(struct tr2_collect_intake *intake,
			   const struct tr2_watch *left)
{
	const struct tr2_watched *file = left->table.files.items;
	uint32_t i;

	for (i = 0; i < left->table.files.count; i++)
		tr2_sight_lose(intake, left, &file[i]);
}

static void read_left(struct tr2_watches *watches,
		      struct tr2_collect_intake *intake,
		      struct tr2_watch *watch)
{
	struct tr2_watch **at = &watch->left;
	DIR *dir;

	while (*at) {
		dir = open_held(*at);
		if (!dir)
			lose_directory(intake, *at);
		read_directory(watches, intake, *at, dir);
		if (dir && !is_done(*at))
			at = &(*at)->left;
		else
			end_left(at);
	}
}

/*
 * ---- All directories
 */

void tr2_watch_begin(struct tr2_watches *watches, struct tr2_journal *journal)
{
	watches->log =
		(struct tr2_watched_log){ .dir = journal->dir, .fd = -1 };
	tr2_ring_begin(watches, journal->dir);
	if (!watches->count) {
		tr2_watched_make(&watches->log);
		tr2_ring_look(watches);
		return;
	}
	tr2_watched_load(&watches->log, watches->items, watches->count,
			 journal->end);
	watches->marks = tr2_journal_find_marks(journal);
	tr2_removal_begin(watches);
	tr2_watched_renew(&watches->log, watches->items, watches->count);
}

void tr2_watch_end(struct tr2_watches *watches)
{
	uint32_t i;

	tr2_watched_end(&watches->log, watches->items, watches->count);
	for (i = 0; i < watches->count; i++) {
		while (watches->items[i].left)
			end_left(&watches->items[i].left);
		end_directory(&watches->items[i]);
	}
}

int tr2_watch_timeout(const struct tr2_watches *watches)
{
	uint64_t now = tr2_clock_now();

	if (!watches->count)
		return -1;
	return watches->due > now ? (int)((watches->due - now) / MS) + 1 : 0;
}

void tr2_watch_read(struct tr2_watches *watches,
		    struct tr2_collect_intake *intake, bool now)
{
	uint64_t begin = tr2_clock_now(), wait;
	struct tr2_watch *watch;
	uint32_t i;
	DIR *dir;

	if (!watches->count || (!now && begin < watches->due))
		return;
	if (tr2_watched_is_long(&watches->log))
		tr2_watched_renew(&watches->log, watches->items,
				  watches->count);
	watches->budget = BUDGET;
	watches->marks = tr2_journal_find_marks(intake->journal);
	watches->last = now;
	watches->unread = 0;
	tr2_ring_look(watches);
	for (i = 0; i < watches->count; i++) {
		watch = &watches->items[i];
		watches->budget += watch->table.files.count / FILES_EACH;
		dir = open_directory(watch);
		read_left(watches, intake, watch);
		read_directory(watches, intake, watch, dir);
	}
	intake->counts.unread = watches->unread;
	wait = SHARE * (tr2_clock_now() - begin);
	watches->due = tr2_clock_now();
	if (watches->budget)
		watches->due += wait > EVERY ? wait : EVERY;
}
