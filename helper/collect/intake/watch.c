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

/* Has the file its name in the directory that it was in? */
static bool is_there(const struct tr2_sight *sight,
		     const struct tr2_watched *file)
{
	struct stat st;

	return file->watch->held &&
	       !fstatat(file->watch->held - 1, file->name, &st,
			AT_SYMLINK_NOFOLLOW) &&
	       st.st_ino == sight->st.st_ino && st.st_dev == sight->st.st_dev;
}

/* It was moved here. A kill between the two notes loses nothing. */
static void take_over(const struct tr2_sight *sight, struct tr2_watched *file)
{
	const struct tr2_watched left = { .watch = file->watch,
					  .name = file->name,
					  .number = file->number };

	file->watch = sight->watch;
	file->unsure = true;
	file->unseen = 1;
	tr2_watched_note(&sight->watches->table, file);
	tr2_watched_note(&sight->watches->table, &left);
}

/*
 * A file of which nothing was read comes after all others, also of other
 * directories, or of none: they tell what it is a copy of. Of these, the name
 * of a copy begins with that of its original, which comes first.
 */
struct fresh {
	struct tr2_watch *watch;
	int dir;
	char *name;
};

TR2_COMPARE(compare_fresh, fresh, TR2_BY_TEXT(name, 0));

/* By another name; one that waits for its visit (`due`) was not. */
static bool was_seen(const struct tr2_sight *sight,
		     const struct tr2_watched *file, bool due)
{
	if (file->watch != sight->watch)
		return is_there(sight, file);
	return !file->unseen && !due;
}

/* Nothing of it is read, for its bytes were cut away. */
static bool is_unread(const struct tr2_watched *file)
{
	return file->number && !file->offset;
}

static void put_fresh(const struct tr2_sight *sight, struct tr2_watched *known,
		      struct tr2_vec *fresh)
{
	if (known)
		known->unseen = 0;
	TR2_VEC_PUT(fresh, struct fresh, .watch = sight->watch,
		    .dir = sight->dir, .name = tr2_must_copy(sight->name));
}

static void look_at(struct tr2_sight *sight, struct tr2_vec *fresh)
{
	struct tr2_watched *known = tr2_watched_find(
		&sight->watches->table,
		tr2_watched_number(sight->st.st_dev, sight->st.st_ino));
	const bool is_new = !known || !known->offset;

	if (known && was_seen(sight, known, !fresh && is_new))
		return;
	if (known && known->watch != sight->watch)
		take_over(sight, known);
	if (!fresh || !is_new)
		tr2_sight_visit(sight, known);
	else
		put_fresh(sight, known, fresh);
	if (fresh && !is_new && is_unread(sight->file))
		put_fresh(sight, sight->file, fresh);
}

static void look_at_fresh(struct tr2_sight *sight, struct tr2_vec *fresh)
{
	struct tr2_watches *watches = sight->watches;
	const struct fresh *item = fresh->items;
	bool ignored = false;

	sight->is_fresh = true;
	tr2_vec_sort(fresh, sizeof(*item), compare_fresh);
	if (fresh->count)
		tr2_identity_index(watches);
	for (uint32_t left = fresh->count; left; left--, item++) {
		sight->watch = item->watch;
		sight->dir = item->dir;
		sight->name = item->name;
		sight->file = NULL;
		if (find_file(sight, &ignored, &ignored))
			look_at(sight, NULL);
		if (sight->file)
			tr2_identity_add(watches, sight->file);
		free(item->name);
	}
	tr2_map_release(&watches->heads);
	tr2_vec_release(&watches->origins);
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

/* What is in it is read to its end, and what is written to its files, too. */
static void leave_directory(struct tr2_watch *watch)
{
	TR2_VEC_COPY(&watch->former, int, watch->held - 1);
	watch->held = 0;
	tr2_sight_report(watch, NULL,
			 "is another directory now; what is written to the "
			 "files of the former one is read, too");
}

static bool is_same(int fd, int other)
{
	struct stat st, there;

	return !fstat(fd, &st) && !fstat(other, &there) &&
	       st.st_dev == there.st_dev && st.st_ino == there.st_ino;
}

/* Hold the directory that the path names now. */
static void open_directory(struct tr2_watch *watch)
{
	const int fd = open(watch->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && !watch->gone)
		tr2_sight_report(watch, NULL, strerror(errno));
	else if (fd >= 0 && watch->gone)
		tr2_sight_report(watch, NULL, "can be read again");
	watch->gone = fd < 0;
	if (fd >= 0 && watch->held && !is_same(fd, watch->held - 1))
		leave_directory(watch);
	if (fd >= 0 && !watch->held)
		watch->held = fd + 1;
	else if (fd >= 0)
		close(fd);
}

/* It may have another name now, or none. */
static DIR *open_again(int held)
{
	int fd = openat(held, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

static void leave_former(struct tr2_watch *watch)
{
	int *fd = watch->former.items;

	while (watch->former.count)
		close(fd[--watch->former.count]);
}

static void count_unreadable(struct tr2_watches *watches)
{
	const struct tr2_watched *file = watches->table.files.items;
	const struct tr2_watch *watch = watches->items;

	watches->unread = 0;
	for (uint32_t left = watches->table.files.count; left; left--, file++)
		watches->unread += file->told && !file->unseen;
	for (uint32_t left = watches->count; left; left--, watch++)
		watches->unread +=
			(unsigned)watch->hidden + watch->gone + watch->ringed;
}

/* Files may be written that have another name, or none, or no directory. */
static void read_held(struct tr2_sight *sight)
{
	const struct tr2_vec *files = &sight->watches->table.files;
	struct tr2_watched *file;

	for (uint32_t i = 0; i < files->count; i++) {
		file = (struct tr2_watched *)files->items + i;
		sight->watch = file->watch;
		if (file->held && (file->unseen || file->watch->hides))
			tr2_sight_read_held(sight, file);
	}
}

static void read_names(struct tr2_sight *sight, DIR *dir, struct tr2_vec *fresh)
{
	bool hidden = false, foreign = false, any = false, full = false;
	const struct dirent *entry;

	while (errno = 0, (entry = readdir(dir))) {
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

static void look_through(struct tr2_sight *sight, int held,
			 struct tr2_vec *fresh)
{
	struct tr2_watched_table *table = &sight->watches->table;
	DIR *dir = open_again(held);
	struct tr2_watched *file;
	struct stat st;

	sight->watch->hides = !dir;
	if (!dir)
		return;
	sight->dir = held;
	if (held == sight->watch->held - 1 && !fstat(held, &st) &&
	    st.st_dev != sight->watch->device)
		tr2_watched_place(table, sight->watch, st.st_dev);
	file = table->files.items;
	for (uint32_t left = table->files.count; left; left--, file++)
		file->unseen += file->watch == sight->watch;
	read_names(sight, dir, fresh);
	closedir(dir);
}

/*
 * ---- All directories
 */

void tr2_watch_begin(struct tr2_watches *watches, struct tr2_journal *journal)
{
	watches->table.dir = journal->dir;
	watches->table.fd = -1;
	tr2_ring_begin(watches, journal->dir);
	if (!watches->count) {
		tr2_watched_make(&watches->table);
		tr2_ring_look(watches);
		return;
	}
	watches->marks = tr2_journal_find_marks(journal);
	tr2_watched_load(&watches->table, watches->items, watches->count,
			 &watches->marks);
	tr2_watched_renew(&watches->table);
}

void tr2_watch_end(struct tr2_watches *watches)
{
	struct tr2_watch *watch = watches->items;
	uint32_t left = watches->count;

	tr2_watched_end(&watches->table, left);
	for (; left; left--, watch++) {
		leave_former(watch);
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

/*
 * Of a file that was cut while no service ran nobody knows how long it was.
 * Its copy, if there is one, was found by now.
 */
static void report_cuts(struct tr2_collect_intake *intake)
{
	struct tr2_watched_table *table = &intake->watches->table;
	struct tr2_watched *file = table->files.items;

	for (uint32_t left = table->files.count; left; left--, file++) {
		if (file->watch->looked || !file->cut || file->lost ||
		    (file->writer && !tr2_gone_may_be_written(file)))
			continue;
		file->lost = true;
		tr2_watched_note(table, file);
		tr2_intake_drop(intake, TR2_DROP_CUT, 1);
		intake->counts.repeats++;
		tr2_sight_report(file->watch, file->name,
				 "was cut or made again while no service ran, "
				 "so events may be lost, or come twice from a "
				 "copy");
	}
}

static void look_once(struct tr2_collect_intake *intake)
{
	struct tr2_sight sight = { .watches = intake->watches,
				   .intake = intake };
	struct tr2_watch *watch = sight.watches->items;
	struct tr2_vec fresh = { 0 };
	const int *former;

	for (uint32_t left = sight.watches->count; left; left--, watch++) {
		sight.watch = watch;
		former = watch->former.items;
		for (uint32_t i = 0; i < watch->former.count; i++)
			look_through(&sight, former[i], &fresh);
		look_through(&sight, watch->held - 1, &fresh);
	}
	read_held(&sight);
	look_at_fresh(&sight, &fresh);
}

static void end_look(struct tr2_collect_intake *intake)
{
	struct tr2_watches *watches = intake->watches;

	report_cuts(intake);
	for (uint32_t i = 0; i < watches->count; i++) {
		watches->items[i].looked |= !watches->items[i].hides;
		if (watches->budget)
			leave_former(&watches->items[i]);
	}
	tr2_gone_end_look(intake);
	count_unreadable(watches);
	intake->counts.unread = watches->unread;
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
	tr2_ring_look(watches);
	for (uint32_t i = 0; i < watches->count; i++)
		open_directory(&watches->items[i]);
	look_once(intake);
	end_look(intake);
	wait = SHARE * (tr2_clock_now() - begin);
	watches->due = tr2_clock_now();
	if (watches->budget)
		watches->due += wait > EVERY ? wait : EVERY;
}
