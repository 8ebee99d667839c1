#include "collect/intake/sight.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/intake/intake.h"
#include "lib/common/memory.h"
#include "lib/files/clock.h"
#include "read/bytes/block.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"

#define SECOND TR2_WATCHED_SECOND
#define CHUNK ((size_t)64 << 10)

/* Seconds without a change. */
#define QUIET_TORN 60

void tr2_sight_report(const struct tr2_watch *watch, const char *name,
		      const char *what)
{
	fputs("trace2 collect: ", stderr);
	tr2_foreign_print(stderr, watch->path);
	if (name)
		putc('/', stderr);
	if (name)
		tr2_foreign_print(stderr, name);
	fprintf(stderr, ": %s\n", what);
}

void tr2_sight_fail(const struct tr2_sight *sight, int error)
{
	if (!sight->file->told)
		tr2_sight_report(sight->watch, sight->name, strerror(error));
	sight->file->told = true;
}

bool tr2_sight_is_quiet(const struct tr2_sight *sight, int64_t seconds)
{
	return (int64_t)tr2_clock_now() - sight->file->changed >=
	       seconds * SECOND;
}

/*
 * ---- One file
 */

static void note_read(const struct tr2_sight *sight,
		      const struct tr2_mark *mark, size_t len)
{
	struct tr2_watched *file = sight->file;

	file->mark = *mark;
	file->offset += len;
	file->copied = false;
	file->end = sight->intake->journal->end;
	tr2_watched_note(&sight->watches->table, file);
}

/* What is known of the file when these bytes are read, too. */
static struct tr2_mark extend_mark(const struct tr2_sight *sight,
				   const char *bytes, size_t len)
{
	struct tr2_mark mark = sight->file->mark;

	tr2_mark_add(&mark, sight->file->offset, bytes, len);
	return mark;
}

static uint64_t count_lost(const struct tr2_sight *sight)
{
	const struct tr2_line_filter *filter = sight->intake->filter;

	return filter ? filter->counts.unknown + filter->counts.unkept : 0;
}

/* False: there is no space. They are read again when there is. */
static bool try_lines(const struct tr2_sight *sight, const char *bytes,
		      size_t len)
{
	const uint64_t end = sight->intake->journal->end;
	const uint64_t lost = count_lost(sight);
	struct tr2_watched *file = sight->file;

	if (!tr2_intake_try_lines(sight->intake, bytes, len))
		return false;
	if (file->begin >= file->end)
		file->begin = end;
	file->holed |= count_lost(sight) != lost;
	return true;
}

static bool keep_whole(const struct tr2_sight *sight, char *bytes, size_t len)
{
	/* A filter changes the bytes. */
	struct tr2_mark mark = extend_mark(sight, bytes, len);
	bool ended = tr2_held_find_end(sight->file, bytes, len);

	if (!try_lines(sight, bytes, len))
		return false;
	sight->file->ended = ended;
	note_read(sight, &mark, len);
	return true;
}

/* There is no LF in sight. True: go on with the file. */
static bool take_rest(const struct tr2_sight *sight, char *bytes, size_t len)
{
	struct tr2_mark mark = extend_mark(sight, bytes, len);
	bool ended;

	if (len >= TR2_LINE_MAX) {
		tr2_intake_drop(sight->intake, TR2_DROP_LONG, 1);
		sight->file->skipping = true;
		sight->file->holed = true;
		note_read(sight, &mark, len);
		return true;
	}
	if (!sight->complete && !tr2_sight_is_quiet(sight, QUIET_TORN))
		return false;
	/* The last event may be whole and lack nothing but its LF. */
	ended = bytes[len - 1] == '}' &&
		tr2_held_find_end(sight->file, bytes, len);
	bytes[len] = '\n';
	if (!try_lines(sight, bytes, len + 1))
		return false;
	sight->intake->counts.torn++;
	sight->file->ended = ended;
	note_read(sight, &mark, len);
	return false;
}

static ssize_t read_at(const struct tr2_sight *sight, int fd, char *bytes,
		       size_t len)
{
	ssize_t got = pread(fd, bytes, len, (off_t)sight->file->offset);

	if (got < 0 && (errno != EFAULT ||
			tr2_intake_test_room(sight->intake, bytes, len)))
		tr2_sight_fail(sight, errno);
	return got;
}

/*
 * Skip the rest of a line that is too long. It is not read into the journal:
 * after a SIGKILL all lines in its file count. False: there is no more.
 */
static bool skip_line(const struct tr2_sight *sight, int fd)
{
	const char *bytes = sight->intake->scratch, *lf;
	ssize_t got = read_at(sight, fd, sight->intake->scratch, CHUNK);
	struct tr2_mark mark;

	if (got <= 0)
		return false;
	lf = memchr(bytes, '\n', (size_t)got);
	got = lf ? lf + 1 - bytes : got;
	mark = extend_mark(sight, bytes, (size_t)got);
	sight->file->skipping = !lf;
	note_read(sight, &mark, (size_t)got);
	return true;
}

/* Read so many bytes. Returns how many, or 0: no more, or no space. */
static size_t read_bytes(const struct tr2_sight *sight, int fd, size_t len,
			 char **bytes)
{
	ssize_t got;

	/* A filter has room, but what it lets pass may have none. */
	if (!tr2_journal_room(sight->intake->journal, len + 1))
		return 0;
	*bytes = tr2_intake_make_room(sight->intake, len + 1);
	if (!*bytes)
		return 0;
	got = read_at(sight, fd, *bytes, len);
	return got > 0 ? (size_t)got : 0;
}

/* True: there may be more. */
static bool read_chunk(const struct tr2_sight *sight, int fd)
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

/*
 * ---- The whole file
 */

int tr2_sight_open(struct tr2_sight *sight)
{
	int fd = openat(sight->dir, sight->name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0 && errno != ENOENT && errno != ELOOP)
		tr2_sight_fail(sight, errno);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) || st.st_ino != sight->st.st_ino ||
	    st.st_dev != sight->st.st_dev || !S_ISREG(st.st_mode)) {
		close(fd); /* another one has its name */
		return -1;
	}
	sight->st = st;
	return fd;
}

/* Does a file of gzip, zstd, xz, bzip2 or lz4 begin like this? */
static bool is_packed(int fd)
{
	static const char *const begins[] = { "\x1f\x8b", "\x28\xb5\x2f\xfd",
					      "\xfd\x37zXZ", "BZh",
					      "\x04\x22\x4d\x18" };
	char bytes[8];
	ssize_t got = pread(fd, bytes, sizeof(bytes), 0);

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (got > 0 && tr2_text_starts(bytes, (size_t)got, begins[i]))
			return true;
	return false;
}

/*
 * logrotate makes such a file of one that was read, so its events would come
 * twice.
 */
static bool skip_packed(const struct tr2_sight *sight, int fd)
{
	struct tr2_watched *file = sight->file;
	const bool packed = !file->offset && is_packed(fd);

	if (packed && !file->packed)
		tr2_sight_report(sight->watch, sight->name,
				 "is compressed, so it is not read");
	file->packed = packed;
	if (packed)
		file->unsure = false;
	return packed;
}

static void read_chunks(const struct tr2_sight *sight, int fd)
{
	const struct tr2_watched_table *table = &sight->watches->table;
	unsigned *budget = &sight->watches->budget;

	/* What nobody can note would come again after a restart. */
	while (table->fd >= 0 && *budget && read_chunk(sight, fd))
		--*budget;
}

static void read_lines(struct tr2_sight *sight, int fd)
{
	if (sight->watches->table.fd >= 0 && tr2_identity_find(sight, fd) &&
	    !skip_packed(sight, fd) && !tr2_identity_must_wait(sight, fd))
		read_chunks(sight, fd);
}

static void read_file(struct tr2_sight *sight)
{
	bool told = sight->file->told;
	int fd = tr2_sight_open(sight);

	if (fd < 0)
		return;
	sight->file->told = false;
	read_lines(sight, fd);
	if (told && !sight->file->told)
		tr2_sight_report(sight->watch, sight->name,
				 "can be read again");
	tr2_held_keep(sight, fd);
}

static uint64_t find_time(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
}

/*
 * Somebody may set the clock, and then a file that is being written could seem
 * to be old. So only the age of a file that was there before this run is of
 * that clock. A new mode, owner or name is no change of what is in it, but who
 * exchanges that can set the time of a write.
 */
static void notice_change(const struct tr2_sight *sight)
{
	struct tr2_watched *file = sight->file;
	uint64_t size = (uint64_t)sight->st.st_size;
	uint64_t stamp = find_time(&sight->st.st_ctim);
	uint64_t written = find_time(&sight->st.st_mtim);

	if (file->seen && file->size == size && file->stamp == stamp)
		return;
	if (!file->seen || file->size != size || file->written != written)
		file->changed = (int64_t)tr2_clock_now();
	if (!file->seen && !sight->watch->looked)
		file->changed = tr2_watched_change(sight->st.st_mtime);
	file->unsure = file->seen || file->stamp != stamp ||
		       file->offset > size;
	file->seen = true;
	file->size = size;
	file->stamp = stamp;
	file->written = written;
}

/* May there be bytes that were not read? */
static bool is_due(const struct tr2_sight *sight)
{
	const struct tr2_watched *file = sight->file;

	return file->unsure || file->told ||
	       (!file->packed && file->offset < (uint64_t)sight->st.st_size);
}

static void read_if_due(struct tr2_sight *sight)
{
	struct tr2_watched *file = sight->file;
	const bool is_new = !file->held && tr2_held_has_place(sight);

	if (is_due(sight) || is_new)
		read_file(sight);
	else if (file->held && !tr2_held_must_stay(sight, file->held - 1))
		tr2_held_let_go(sight->watches, file);
	if (sight->watches->remove)
		tr2_removal_try(sight);
}

void tr2_sight_visit(struct tr2_sight *sight, struct tr2_watched *known)
{
	const struct tr2_watched new = { .watch = sight->watch,
					 .name = (char *)sight->name,
					 .number = sight->number,
					 .writer = -1 };
	struct tr2_watched *file = known;
	char *name;

	if (!file)
		file = tr2_watched_add(&sight->watches->table, &new);
	name = file->name;
	sight->before = *file;
	file->name = tr2_must_copy(sight->name);
	file->watch = sight->watch;
	file->unseen = 0;
	sight->file = file;
	notice_change(sight);
	tr2_removal_notice(sight);
	read_if_due(sight);
	free(name);
}

static void look_again(struct tr2_sight *sight, int fd)
{
	fstat(fd, &sight->st);
	notice_change(sight);
}

void tr2_sight_read_held(struct tr2_sight *sight, struct tr2_watched *file)
{
	const int fd = file->held - 1;
	bool held, known;

	sight->name = file->name;
	sight->file = file;
	sight->before = *file;
	look_again(sight, fd);
	held = tr2_held_must_stay(sight, fd);
	look_again(sight, fd); /* at what was written by then */
	sight->complete = !held && !sight->st.st_nlink;
	known = !is_due(sight) || tr2_identity_find(sight, fd);
	file = sight->file; /* the table may have moved */
	if (known && is_due(sight) && !file->packed &&
	    !tr2_identity_must_wait(sight, fd))
		read_chunks(sight, fd);
	sight->complete = false;
	if (!held && (!known || file->offset >= file->size || file->packed ||
		      file->told))
		tr2_held_let_go(sight->watches, file);
}
