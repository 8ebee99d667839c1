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

/* What another watched directory knows of the file, or NULL. */
static struct tr2_watched *find_elsewhere(const struct tr2_sight *sight,
					  struct tr2_watch **watch)
{
	struct tr2_watched *file = NULL;

	for (uint32_t i = 0; i < sight->watches->count && !file; i++) {
		*watch = &sight->watches->items[i];
		if (*watch != sight->watch)
			file = tr2_watched_find_inode(&(*watch)->table,
						      tr2_sight_number(sight,
								       *watch));
	}
	return file;
}

static bool is_there(const struct tr2_sight *sight,
		     const struct tr2_watch *watch,
		     const struct tr2_watched *file)
{
	struct stat st;

	return watch->held &&
	       !fstatat(watch->held - 1, file->name, &st,
			AT_SYMLINK_NOFOLLOW) &&
	       st.st_ino == sight->st.st_ino && st.st_dev == sight->st.st_dev;
}

/* It was moved here. The other directory forgets it. */
static struct tr2_watched *take_over(const struct tr2_sight *sight,
				     struct tr2_watched *other)
{
	struct tr2_watched *file =
		tr2_watched_add(&sight->watch->table, other->name,
				tr2_sight_number(sight, sight->watch));
	const struct tr2_watched fresh = *file;

	*file = *other;
	file->name = fresh.name;
	file->inode = fresh.inode;
	file->watch = sight->watch;
	file->unsure = true;
	file->unseen = 1;
	tr2_watched_note(&sight->watches->log, sight->watch->path, file);
	other->held = 0;
	tr2_gone_forget(sight, other);
	return file;
}

/* Files that were read before come first: they tell what is their copy. */
static void look_at(struct tr2_sight *sight, struct tr2_vec *fresh)
{
	struct tr2_watched *other = NULL,
			   *known = tr2_watched_find_inode(
				   &sight->watch->table,
				   tr2_sight_number(sight, sight->watch));
	struct tr2_watch *watch;

	if (!known)
		other = find_elsewhere(sight, &watch);
	if ((known && !known->unseen) ||
	    (other && is_there(sight, watch, other)))
		return; /* by another name */
	if (other)
		known = take_over(sight, other);
	if (fresh && !(known && known->offset))
		*(char **)tr2_vec_add(fresh, sizeof(char *)) =
			tr2_must_copy(sight->name);
	else
		tr2_sight_visit(sight, known);
}

static void look_at_fresh(struct tr2_sight *sight, struct tr2_vec *fresh)
{
	struct tr2_watches *watches = sight->watches;
	char **name = fresh->items;
	bool ignored = false;

	if (fresh->count)
		tr2_identity_index(watches, sight->watch);
	for (uint32_t i = 0; i < fresh->count; i++) {
		sight->name = name[i];
		if (find_file(sight, &ignored, &ignored))
			look_at(sight, NULL);
		free(name[i]);
	}
	tr2_map_release(&watches->heads);
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

static bool is_held(const struct tr2_watch *watch, const struct stat *st)
{
	struct stat held;

	return watch->held && !fstat(watch->held - 1, &held) &&
	       held.st_dev == st->st_dev && held.st_ino == st->st_ino;
}

/* One that may have another name now, or none. */
static DIR *open_again(int held)
{
	int fd = openat(held, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

static DIR *open_directory(struct tr2_watch *watch)
{
	DIR *dir = opendir(watch->path);

	if (!dir && !watch->gone)
		tr2_sight_report(watch, NULL, strerror(errno));
	else if (dir && watch->gone)
		tr2_sight_report(watch, NULL, "can be read again");
	watch->gone = !dir;
	return dir;
}

static void count_unreadable(struct tr2_watches *watches,
			     const struct tr2_watch *watch)
{
	const struct tr2_watched *file = watch->table.files.items;

	for (uint32_t i = 0; i < watch->table.files.count; i++)
		watches->unread += file[i].told && !file[i].unseen;
	watches->unread +=
		(unsigned)watch->hidden + watch->gone + watch->ringed;
}

/* Files may be written that have another name, or none; all without `dir`. */
static void read_held(struct tr2_sight *sight, const DIR *dir)
{
	const struct tr2_watched_table *table = &sight->watch->table;
	struct tr2_watched *file;

	for (uint32_t i = 0; i < table->files.count; i++) {
		file = (struct tr2_watched *)table->files.items + i;
		if (file->held && (file->unseen || !dir))
			tr2_sight_read_held(sight, file);
	}
}

static void read_names(struct tr2_sight *sight, DIR *dir)
{
	bool hidden = false, foreign = false, any = false, full = false;
	struct tr2_vec fresh = { 0 };
	const struct dirent *entry;

	while (errno = 0, (entry = readdir(dir))) {
		sight->name = entry->d_name;
		if (!find_file(sight, &hidden, &foreign))
			continue;
		any = true;
		full |= !strcmp(sight->name, TR2_WATCH_SENTINEL);
		look_at(sight, &fresh);
	}
	if (errno && !sight->watch->hidden)
		tr2_sight_report(sight->watch, NULL, strerror(errno));
	hidden |= errno;
	sight->watch->bare = !any;
	look_at_fresh(sight, &fresh);
	read_held(sight, dir);
	if (foreign && !sight->watch->foreign)
		tr2_sight_report(sight->watch, NULL,
				 "files of other users are not read");
	sight->watch->foreign = foreign;
	sight->watch->hidden = hidden;
	notice_sentinel(sight->watch, full);
}

/*
 * Of a file that was cut while no service ran nobody knows how long it was.
 * Its copy, if there is one, was found by now.
 */
static void report_cuts(const struct tr2_watch *watch,
			struct tr2_collect_intake *intake)
{
	struct tr2_watched *file = watch->table.files.items;

	for (uint32_t i = 0; i < watch->table.files.count; i++)
		if (file[i].cut && !file[i].lost &&
		    !(file[i].writer && file[i].ended)) {
			file[i].lost = true;
			tr2_watched_note(&intake->watches->log, watch->path,
					 &file[i]);
			tr2_intake_drop(intake, TR2_DROP_CUT, 1);
			intake->counts.repeats++;
			tr2_sight_report(watch, file[i].name,
					 "was cut or made again while no "
					 "service ran, so events may be lost, "
					 "or come twice from a copy");
		}
}

static void look_through(struct tr2_sight *sight, DIR *dir)
{
	struct tr2_watched *file = sight->watch->table.files.items;
	uint32_t left = sight->watch->table.files.count;

	for (; left; left--)
		file++->unseen++;
	read_names(sight, dir);
}

static void read_directory(struct tr2_watches *watches,
			   struct tr2_collect_intake *intake,
			   struct tr2_watch *watch, DIR *dir)
{
	struct tr2_sight sight = { .watches = watches,
				   .intake = intake,
				   .watch = watch };
	struct stat st;

	if (!dir) {
		read_held(&sight, NULL);
		return;
	}
	sight.dir = dirfd(dir);
	if (!fstat(sight.dir, &st) && st.st_dev != watch->device)
		tr2_sight_change_device(watch, st.st_dev);
	look_through(&sight, dir);
	if (!watch->looked && watch->table.cuts) {
		rewinddir(dir); /* one may be another's copy */
		look_through(&sight, dir);
	}
	closedir(dir);
	if (!watch->looked)
		report_cuts(watch, intake);
	watch->looked = true;
}

/*
 * What is in directories that had the path before is read to its end, and what
 * is written to their files as long as they are held.
 */
static void read_former(struct tr2_watches *watches,
			struct tr2_collect_intake *intake,
			struct tr2_watch *watch)
{
	const uint32_t count = watch->former.count;
	int *fd = watch->former.items;

	watch->former.count = 0;
	for (uint32_t i = 0; i < count; i++) {
		read_directory(watches, intake, watch, open_again(fd[i]));
		if (watches->budget)
			close(fd[i]);
		else
			fd[watch->former.count++] = fd[i];
	}
}

static void leave_directory(struct tr2_watch *watch)
{
	TR2_VEC_COPY(&watch->former, int, watch->held - 1);
	watch->held = 0;
	tr2_sight_report(watch, NULL,
			 "is another directory now; what is written to the "
			 "files of the former one is read, too");
}

static void read_path(struct tr2_watches *watches,
		      struct tr2_collect_intake *intake,
		      struct tr2_watch *watch)
{
	DIR *dir = open_directory(watch);
	struct stat st;

	if (dir && watch->held && !fstat(dirfd(dir), &st) &&
	    !is_held(watch, &st))
		leave_directory(watch);
	if (dir && !watch->held)
		watch->held = fcntl(dirfd(dir), F_DUPFD_CLOEXEC, 0) + 1;
	read_former(watches, intake, watch);
	if (!dir && watch->held)
		dir = open_again(watch->held - 1);
	read_directory(watches, intake, watch, dir);
}

/*
 * ---- All directories
 */

void tr2_watch_begin(struct tr2_watches *watches, struct tr2_journal *journal)
{
	struct stat st;

	watches->log =
		(struct tr2_watched_log){ .dir = journal->dir, .fd = -1 };
	tr2_ring_begin(watches, journal->dir);
	if (!watches->count) {
		tr2_watched_make(&watches->log);
		tr2_ring_look(watches);
		return;
	}
	for (uint32_t i = 0; i < watches->count; i++)
		if (!stat(watches->items[i].path, &st))
			watches->items[i].device = st.st_dev;
	tr2_watched_load(&watches->log, watches->items, watches->count,
			 journal->end);
	watches->marks = tr2_journal_find_marks(journal);
	tr2_removal_begin(watches);
	tr2_watched_renew(&watches->log, watches->items, watches->count);
}

void tr2_watch_end(struct tr2_watches *watches)
{
	struct tr2_watch *watch = watches->items;
	uint32_t left = watches->count;

	tr2_watched_end(&watches->log, watches->items, watches->count);
	for (; left; left--, watch++) {
		tr2_watched_release(&watch->table);
		while (watch->former.count)
			close(((int *)watch->former
				       .items)[--watch->former.count]);
		tr2_vec_release(&watch->former);
		if (watch->held)
			close(watch->held - 1);
	}
}

int tr2_watch_timeout(const struct tr2_watches *watches)
{
	uint64_t now = tr2_clock_now();

	if (!watches->count)
		return -1;
	return watches->due > now ? (int)((watches->due - now) / MS) + 1 : 0;
}

/* What is in no directory is gone. */
static void end_looks(struct tr2_watches *watches,
		      struct tr2_collect_intake *intake)
{
	struct tr2_sight sight = { .watches = watches, .intake = intake };
	unsigned wanted = watches->wanting;

	watches->wanted = wanted;
	watches->wanting = 0;
	for (uint32_t i = 0; i < watches->count; i++) {
		sight.watch = &watches->items[i];
		tr2_gone_end_look(&sight, &wanted);
		count_unreadable(watches, sight.watch);
	}
}

void tr2_watch_read(struct tr2_watches *watches,
		    struct tr2_collect_intake *intake, bool now)
{
	uint64_t begin = tr2_clock_now(), wait;
	struct tr2_watch *watch;

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
	for (uint32_t i = 0; i < watches->count; i++) {
		watch = &watches->items[i];
		watches->budget += watch->table.files.count / FILES_EACH;
		read_path(watches, intake, watch);
	}
	end_looks(watches, intake);
	intake->counts.unread = watches->unread;
	wait = SHARE * (tr2_clock_now() - begin);
	watches->before = watches->due = tr2_clock_now();
	if (watches->budget)
		watches->due += wait > EVERY ? wait : EVERY;
}
