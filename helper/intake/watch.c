#include "intake/watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "intake/lines.h"
#include "files/clock.h"
#include "log/block.h"
#include "text/foreign.h"
#include "text/text.h"

#define SENTINEL "git-trace2-discard"
#define MS UINT64_C(1000000)
#define SECOND INT64_C(1000000000)
#define EVERY (500 * MS)
#define SHARE 20 /* times as long as the last look took */
#define BUDGET 256
#define CHUNK ((size_t)64 << 10)

/* Seconds without a change. */
#define QUIET_END 2
#define QUIET_TORN 60
#define QUIET_DAY (24 * 60 * 60)

/* A file of the present look. */
struct sight {
	struct tr2_watches *watches;
	struct tr2_collect_intake *intake;
	struct tr2_watch *watch;
	struct tr2_watched *file;
	int dir;
	struct stat st;
};

static void report_directory(const char *path, const char *what)
{
	fputs("trace2 collect: ", stderr);
	tr2_foreign_print(stderr, path);
	fprintf(stderr, ": %s\n", what);
}

static bool is_quiet(const struct sight *sight, int64_t seconds)
{
	return (int64_t)tr2_clock_now() - sight->file->changed >=
	       seconds * SECOND;
}

/*
 * ---- One file
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

/* Are these the last lines of a process? */
static bool has_end(const char *bytes, size_t len)
{
	const char *last = tr2_text_find_end(bytes, len - 1);

	last = last ? last : bytes;
	len -= (size_t)(last - bytes);
	return has_pair(last, len, "\"event\":\"atexit\"") ||
	       has_pair(last, len, "\"event\":\"signal\"");
}

static void note_read(const struct sight *sight, size_t len)
{
	struct tr2_watched *file = sight->file;

	file->offset += len;
	file->end = sight->intake->journal->end;
	tr2_watched_note(&sight->watches->log, sight->watch->path, file);
}

/* False: there is no space. They are read again when there is. */
static bool keep_whole(const struct sight *sight, char *bytes, size_t len)
{
	bool ended = has_end(bytes, len); /* a filter changes the bytes */

	if (!tr2_intake_try_lines(sight->intake, bytes, len))
		return false;
	sight->file->ended = ended;
	note_read(sight, len);
	return true;
}

/* There is no LF in sight. True: go on with the file. */
static bool take_rest(const struct sight *sight, char *bytes, size_t len)
{
	bool ended;

	if (len >= TR2_LINE_MAX) {
		sight->intake->counts.dropped++;
		sight->file->skipping = true;
		note_read(sight, len);
		return true;
	}
	if (!is_quiet(sight, QUIET_TORN))
		return false;
	/* The last event may be whole and lack nothing but its LF. */
	ended = bytes[len - 1] == '}' && has_end(bytes, len);
	bytes[len] = '\n';
	if (!tr2_intake_try_lines(sight->intake, bytes, len + 1))
		return false;
	sight->intake->counts.torn++;
	sight->file->ended = ended;
	note_read(sight, len);
	return false;
}

/*
 * Skip the rest of a line that is too long. It is not read into the journal:
 * after a SIGKILL all lines in its file count. False: there is no more.
 */
static bool skip_line(const struct sight *sight, int fd)
{
	const char *bytes = sight->intake->scratch, *lf;
	ssize_t got = pread(fd, sight->intake->scratch, CHUNK,
			    (off_t)sight->file->offset);

	if (got <= 0)
		return false;
	lf = memchr(bytes, '\n', (size_t)got);
	sight->file->skipping = !lf;
	note_read(sight, lf ? (size_t)(lf + 1 - bytes) : (size_t)got);
	return true;
}

/* Read so many bytes. Returns how many, or 0: no more, or no space. */
static size_t read_bytes(const struct sight *sight, int fd, size_t len,
			 char **bytes)
{
	ssize_t got;

	/* A filter has room, but what it lets pass may have none. */
	if (!tr2_journal_room(sight->intake->journal, len + 1))
		return 0;
	*bytes = tr2_intake_make_room(sight->intake, len + 1);
	if (!*bytes)
		return 0;
	got = pread(fd, *bytes, len, (off_t)sight->file->offset);
	return got > 0 ? (size_t)got : 0;
}

/* True: there may be more. */
static bool read_chunk(const struct sight *sight, int fd)
{
	size_t room = CHUNK, got;
	const char *end = NULL;
	char *bytes;

	if (sight->file->skipping)
		return skip_line(sight, fd);
	do {
		got = read_bytes(sight, fd, room, &bytes);
		end = got ? tr2_text_find_end(bytes, got) : NULL;
	} while (!end && got == room && room < TR2_LINE_MAX && (room *= 4));
	if (!got)
		return false;
	if (end)
		return keep_whole(sight, bytes, (size_t)(end - bytes));
	return take_rest(sight, bytes, got);
}

static void read_file(const struct sight *sight)
{
	unsigned *budget = &sight->watches->budget;
	int fd = openat(sight->dir, sight->file->name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return;
	while (*budget && read_chunk(sight, fd))
		--*budget;
	close(fd);
}

static bool is_finished(const struct sight *sight)
{
	const struct tr2_watched *file = sight->file;

	if (file->offset < (uint64_t)sight->st.st_size)
		return false;
	if (file->ended || !strcmp(file->name, SENTINEL))
		return is_quiet(sight, QUIET_END);
	return is_quiet(sight, QUIET_DAY);
}

static void remove_finished(const struct sight *sight)
{
	if (sight->watches->remove && is_finished(sight) &&
	    tr2_journal_find_needed(sight->intake->journal) >= sight->file->end)
		unlinkat(sight->dir, sight->file->name, 0);
}

/*
 * ---- A directory
 */

/* Only what the user could have written to a socket is read. */
static bool is_ours(const struct sight *sight)
{
	uid_t uid = sight->st.st_uid;

	return S_ISREG(sight->st.st_mode) &&
	       (sight->intake->others || uid == geteuid() || !uid);
}

/* How long ago the file was written to, as the files themselves tell. */
static int64_t find_age(const struct sight *sight)
{
	int64_t age = (int64_t)time(NULL) - (int64_t)sight->st.st_mtime;

	if (sight->watch->looked || age < 0)
		return 0;
	return age < QUIET_DAY ? age : QUIET_DAY;
}

/*
 * Somebody may set the clock, and then a file that is being written could seem
 * to be old. So only the age of a file that was there before this run is of
 * that clock.
 */
static void notice_change(const struct sight *sight)
{
	struct tr2_watched *file = sight->file;
	uint64_t size = (uint64_t)sight->st.st_size;
	int64_t mtime = (int64_t)sight->st.st_mtime;

	if (file->seen && file->size == size && file->mtime == mtime)
		return;
	file->changed = (int64_t)tr2_clock_now();
	if (!file->seen)
		file->changed -= find_age(sight) * SECOND;
	file->seen = true;
	file->size = size;
	file->mtime = mtime;
}

/* What is known about the file; nothing, if another one has its name now. */
static void continue_file(struct sight *sight,
			  const struct tr2_watched_table *old, const char *name)
{
	const struct tr2_watched *known = tr2_watched_find(old, name);
	struct tr2_watched *file = tr2_watched_add(&sight->watch->table, name,
						   (uint64_t)sight->st.st_ino);
	char *own = file->name;

	if (known && known->inode == file->inode &&
	    known->offset <= (uint64_t)sight->st.st_size) {
		*file = *known;
		file->name = own;
	}
	sight->file = file;
	notice_change(sight);
}

static void look_at(struct sight *sight, const struct tr2_watched_table *old,
		    const char *name)
{
	if (*name == '.' || strchr(name, '\n') ||
	    fstatat(sight->dir, name, &sight->st, AT_SYMLINK_NOFOLLOW) ||
	    !is_ours(sight))
		return;
	continue_file(sight, old, name);
	if (sight->file->offset < (uint64_t)sight->st.st_size)
		read_file(sight);
	remove_finished(sight);
}

/* Tell once that git does not write there, until it does again. */
static void notice_sentinel(struct tr2_watch *watch)
{
	bool full = tr2_watched_find(&watch->table, SENTINEL);

	if (full && !watch->full)
		report_directory(watch->path, "git writes no more files here: "
					      "there is " SENTINEL);
	watch->full = full;
}

static DIR *open_directory(struct tr2_watch *watch)
{
	DIR *dir = opendir(watch->path);

	if (!dir && !watch->gone)
		report_directory(watch->path, strerror(errno));
	else if (dir && watch->gone)
		report_directory(watch->path, "can be read again");
	watch->gone = !dir;
	return dir;
}

/* What is known about files that are there no more is forgotten. */
static void read_directory(struct tr2_watches *watches,
			   struct tr2_collect_intake *intake,
			   struct tr2_watch *watch)
{
	struct sight sight = { watches, intake, watch, NULL, -1, { 0 } };
	struct tr2_watched_table old = watch->table;
	const struct dirent *entry;
	DIR *dir = open_directory(watch);

	if (!dir)
		return;
	sight.dir = dirfd(dir);
	watch->table = (struct tr2_watched_table){ 0 };
	while ((entry = readdir(dir)))
		look_at(&sight, &old, entry->d_name);
	closedir(dir);
	watch->looked = true;
	tr2_watched_release(&old);
	notice_sentinel(watch);
}

/*
 * ---- All directories
 */

void tr2_watch_begin(struct tr2_watches *watches, struct tr2_journal *journal)
{
	watches->log =
		(struct tr2_watched_log){ .dir = journal->dir, .fd = -1 };
	tr2_watched_load(&watches->log, watches->items, watches->count,
			 journal->end);
	if (watches->count)
		tr2_watched_renew(&watches->log, watches->items,
				  watches->count);
}

void tr2_watch_end(struct tr2_watches *watches)
{
	uint32_t i;

	for (i = 0; i < watches->count; i++)
		tr2_watched_release(&watches->items[i].table);
	if (watches->log.fd >= 0)
		close(watches->log.fd);
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
	uint32_t i;

	if (!watches->count || (!now && begin < watches->due))
		return;
	watches->budget = BUDGET;
	for (i = 0; i < watches->count; i++)
		read_directory(watches, intake, &watches->items[i]);
	if (tr2_watched_is_long(&watches->log))
		tr2_watched_renew(&watches->log, watches->items,
				  watches->count);
	wait = SHARE * (tr2_clock_now() - begin);
	watches->due = tr2_clock_now();
	if (watches->budget)
		watches->due += wait > EVERY ? wait : EVERY;
}
