#include "collect/journal/journal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/files/clock.h"
#include "lib/files/own.h"
#include "lib/files/socket.h"

#define SEGMENT TR2_JOURNAL_SEGMENT
#define LOCK "%s/spool"		     /* the name of what is locked */
#define RETRY_NS UINT64_C(100000000) /* after the disk was full */
#define SEGMENTS_LEAST 2
#define NS UINT64_C(1000000000)
#define REST_MOST (100 * 86400) /* s without a service */

TR2_VEC_AT(segment_at, tr2_journal, segments, tr2_journal_segment);

static struct tr2_journal_segment *
last_segment(const struct tr2_journal *journal)
{
	return segment_at(journal, journal->segments.count - 1);
}

/*
 * ---- Segments. These functions need the mutex, or the time before there are
 * readers.
 */

void tr2_segment_forget(struct tr2_journal *journal, uint32_t number)
{
	close(segment_at(journal, number)->fd);
	tr2_vec_remove(&journal->segments, number,
		       sizeof(struct tr2_journal_segment));
}

static void remove_segment(struct tr2_journal *journal, uint32_t number)
{
	const struct tr2_journal_segment *segment = segment_at(journal, number);
	char path[TR2_SEGMENT_PATH];

	tr2_segment_name(path, journal->dir, segment->begin, segment->line);
	if (tr2_own_has_name(segment->fd, path)) /* and not another's */
		unlink(path);
	tr2_segment_forget(journal, number);
}

/* Bytes before this one are not needed by any reader. */
static uint64_t find_needed(const struct tr2_journal *journal)
{
	const struct tr2_journal_reader *reader = journal->readers;
	uint64_t needed = journal->shown_end;

	for (; reader; reader = reader->next)
		if (reader->kept < needed)
			needed = reader->kept;
	return needed;
}

/*
 * A directory in which nothing happened for so long tells of a wrong clock, and
 * so does one of the future: a machine may begin with a clock that is years
 * behind, and set it later.
 */
static void begin_date(struct tr2_journal *journal)
{
	struct stat st;

	journal->opened = tr2_clock_boot();
	journal->date = time(NULL);
	if (!stat(journal->dir, &st) &&
	    (journal->date < st.st_mtime ||
	     journal->date - st.st_mtime > (time_t)REST_MOST))
		journal->date = st.st_mtime;
}

bool tr2_journal_is_old(const struct tr2_journal *journal, time_t date,
			uint64_t age)
{
	const uint64_t passed = tr2_clock_boot() - journal->opened;
	time_t now = time(NULL), even = journal->date + (time_t)(passed / NS);

	if (now > even)
		now = even;
	return age && now - date > (time_t)age;
}

/* Was the last line of the oldest segment written too long ago? */
static bool is_too_old(const struct tr2_journal *journal)
{
	struct stat st;

	return journal->age && !fstat(segment_at(journal, 0)->fd, &st) &&
	       tr2_journal_is_old(journal, st.st_mtime, journal->age);
}

/* Remove what is not needed, what is too much, or too old. */
static void trim_segments(struct tr2_journal *journal, size_t more)
{
	uint64_t needed = find_needed(journal);
	uint64_t most = journal->limit > more ? journal->limit - more : 0;

	while (journal->segments.count >= SEGMENTS_LEAST &&
	       (segment_at(journal, 1)->begin <= needed ||
		journal->end - segment_at(journal, 0)->begin > most ||
		is_too_old(journal)))
		remove_segment(journal, 0);
}

/*
 * There is no space: give back that of all that was read, also while a reader
 * has its file open, for it waits for lines.
 */
static void free_space(struct tr2_journal *journal)
{
	const uint64_t needed = find_needed(journal);

	while (journal->segments.count >= SEGMENTS_LEAST &&
	       segment_at(journal, 1)->begin <= needed) {
		if (ftruncate(segment_at(journal, 0)->fd, 0))
			return;
		remove_segment(journal, 0);
	}
}

/* A file that somebody removed keeps nothing for the next service. */
static uint64_t find_size(int fd)
{
	struct stat st;

	return fstat(fd, &st) || !st.st_nlink ? 0 : (uint64_t)st.st_size;
}

/*
 * The last segment gets no more lines: give its reserved space back. A file
 * that somebody cut must not get zeros in the place of lines.
 */
static void close_segment(struct tr2_journal *journal)
{
	int fd;

	if (!journal->map)
		return;
	tr2_mapped_end(journal->map, journal->room);
	journal->map = NULL;
	fd = last_segment(journal)->fd;
	if (find_size(fd) > journal->used &&
	    ftruncate(fd, (off_t)journal->used))
		return; /* readers stop before the zeros that stay */
}

/*
 * Somebody may remove the directory, or the file of its lock, and then another
 * service may begin there, to which the directory belongs then, even after it
 * has ended. A directory that has vanished is made again. 0, or -1 and errno.
 */
static int hold_directory(struct tr2_journal *journal)
{
	char path[TR2_SEGMENT_PATH];
	int fd;

	if (tr2_own_make(journal->dir))
		return -1;
	snprintf(path, sizeof(path), LOCK, journal->dir);
	fd = journal->taken ? -1 : tr2_socket_lock_again(path, journal->lock);
	if (fd >= 0)
		journal->lock = fd;
	journal->taken |= fd < 0 && errno == EADDRINUSE;
	errno = journal->taken ? EADDRINUSE : errno;
	return fd < 0 ? -1 : 0;
}

/* Is the directory still that of this service? */
static bool holds_directory(struct tr2_journal *journal)
{
	const uint64_t now = tr2_clock_now();
	const int lock = journal->lock;

	if (now - journal->looked < NS)
		return true;
	journal->looked = now;
	return !hold_directory(journal) && journal->lock == lock;
}

/* Reserve and map the space of a new file. 0, or an errno value. */
static int map_file(struct tr2_journal *journal, int fd, size_t room)
{
	int error;

	journal->map = tr2_mapped_begin(fd, room);
	error = errno;
	if (!journal->map)
		return ftruncate(fd, 0) ? errno : error;
	journal->room = room;
	journal->used = 0;
	return 0;
}

/* A segment without lines would have the name of the one after it. */
static void drop_empty(struct tr2_journal *journal)
{
	if (journal->segments.count &&
	    last_segment(journal)->begin == journal->end)
		remove_segment(journal, journal->segments.count - 1);
}

/* 0, or an errno value. */
static int add_segment(struct tr2_journal *journal)
{
	char path[TR2_SEGMENT_PATH];
	int fd;

	tr2_segment_name(path, journal->dir, journal->end, journal->lines);
	fd = hold_directory(journal) ? -1 : tr2_own_create(path, 0600);
	if (fd < 0)
		return errno;
	TR2_VEC_PUT(&journal->segments, struct tr2_journal_segment,
		    .begin = journal->end, .line = journal->lines, .fd = fd);
	return 0;
}

/*
 * The name of the new file tells where the next process goes on. So all files
 * before it can go, if they were read, when there is no other space. Then it
 * stays, although it has no lines.
 */
static int begin_segment(struct tr2_journal *journal, size_t room)
{
	int error;

	drop_empty(journal);
	trim_segments(journal, room);
	error = add_segment(journal);
	if (error)
		return error;
	error = map_file(journal, last_segment(journal)->fd, room);
	if (error == ENOSPC || error == EDQUOT) {
		free_space(journal);
		error = map_file(journal, last_segment(journal)->fd, room);
	}
	if (error &&
	    (journal->segments.count >= SEGMENTS_LEAST || !journal->end))
		drop_empty(journal);
	return error;
}

/*
 * ---- Open and close
 */

const char *tr2_journal_explain(int error)
{
	return error == EADDRINUSE ? "another service uses this directory"
				   : tr2_own_explain(error);
}

static void release_journal(struct tr2_journal *journal)
{
	char path[TR2_SEGMENT_PATH];

	while (journal->segments.count)
		close(segment_at(journal, --journal->segments.count)->fd);
	tr2_vec_release(&journal->segments);
	pthread_cond_destroy(&journal->changed);
	pthread_mutex_destroy(&journal->mutex);
	snprintf(path, sizeof(path), LOCK, journal->dir);
	tr2_socket_unlock(path, journal->lock);
}

const char *tr2_journal_open(struct tr2_journal *journal, const char *dir,
			     uint64_t limit)
{
	pthread_condattr_t clock; /* the one that nobody sets */
	const char *why;

	*journal =
		(struct tr2_journal){ .dir = dir, .limit = limit, .lock = -1 };
	if (strlen(dir) > TR2_SEGMENT_DIR)
		return "the name is too long";
	if (tr2_own_make(dir))
		return tr2_journal_explain(errno);
	begin_date(journal);
	if (hold_directory(journal))
		return tr2_journal_explain(errno);
	pthread_mutex_init(&journal->mutex, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&journal->changed, &clock);
	pthread_condattr_destroy(&clock);
	why = tr2_journal_recover(journal);
	if (why)
		release_journal(journal);
	journal->shown_end = journal->end;
	journal->shown_lines = journal->lines;
	return why;
}

/*
 * What readers still need stays; they are not running any more. The last
 * segment stays in any case: its name has the numbers of bytes and lines with
 * which the next process goes on.
 */
void tr2_journal_close(struct tr2_journal *journal)
{
	const struct tr2_journal_reader *reader;

	close_segment(journal);
	trim_segments(journal, 0);
	for (reader = journal->readers; reader; reader = reader->next)
		if (reader->fd >= 0)
			close(reader->fd);
	release_journal(journal);
}

/*
 * ---- The thread that writes
 */

/* The caller holds the mutex. */
static void note_refusal(struct tr2_journal *journal, int error, size_t room)
{
	journal->refused_why = error;
	if (!error)
		return;
	journal->errors++;
	journal->refused = tr2_clock_now() + RETRY_NS;
	journal->refused_room = room;
}

/* A line that grows piece by piece must not need a new segment for each. */
static bool replace_segment(struct tr2_journal *journal, size_t len)
{
	const size_t room = len > SEGMENT / 2 ? 2 * len : SEGMENT;
	int error;

	if (room >= journal->refused_room && tr2_clock_now() < journal->refused)
		return false;
	pthread_mutex_lock(&journal->mutex);
	close_segment(journal);
	error = begin_segment(journal, room);
	note_refusal(journal, error, room);
	pthread_mutex_unlock(&journal->mutex);
	return !error;
}

static bool is_cut(const struct tr2_journal *journal)
{
	return find_size(last_segment(journal)->fd) < journal->room;
}

/* Is there memory for so many bytes that is still in a file? */
static bool has_room(struct tr2_journal *journal, size_t len)
{
	return journal->map && journal->room - journal->used >= len &&
	       !tr2_mapped_is_broken() && !is_cut(journal) &&
	       holds_directory(journal);
}

char *tr2_journal_room(struct tr2_journal *journal, size_t len)
{
	if (!has_room(journal, len) && !replace_segment(journal, len))
		return NULL;
	return journal->map + journal->used;
}

bool tr2_journal_commit(struct tr2_journal *journal, size_t len,
			unsigned long lines)
{
	if (tr2_mapped_is_broken()) {
		pthread_mutex_lock(&journal->mutex);
		if (!is_cut(journal)) /* a full btrfs takes space back */
			note_refusal(journal, ENOSPC, 0);
		pthread_mutex_unlock(&journal->mutex);
		return false;
	}
	journal->used += len;
	journal->end += len;
	journal->lines += lines;
	return true;
}

/* A machine that rests begins no segment, which would remove old ones. */
static void trim_old(struct tr2_journal *journal)
{
	if (journal->segments.count >= SEGMENTS_LEAST && is_too_old(journal))
		trim_segments(journal, 0);
}

void tr2_journal_show(struct tr2_journal *journal)
{
	trim_old(journal);
	if (journal->shown_end == journal->end)
		return;
	journal->shown_end = journal->end;
	journal->shown_lines = journal->lines;
	pthread_cond_broadcast(&journal->changed);
}

void tr2_journal_end(struct tr2_journal *journal)
{
	pthread_mutex_lock(&journal->mutex);
	journal->shown_end = journal->end;
	journal->shown_lines = journal->lines;
	journal->ended = true;
	pthread_cond_broadcast(&journal->changed);
	pthread_mutex_unlock(&journal->mutex);
}

/* Does the file of a segment lack bytes that are needed? */
static bool lacks_bytes(const struct tr2_journal *journal, uint32_t number,
			uint64_t needed)
{
	const struct tr2_journal_segment *segment = segment_at(journal, number);
	uint64_t end = number + 1 < journal->segments.count ? segment[1].begin
							    : journal->end;

	return needed < end && segment->begin + find_size(segment->fd) < end;
}

bool tr2_journal_is_cut(struct tr2_journal *journal)
{
	bool cut = false;
	uint64_t needed;

	pthread_mutex_lock(&journal->mutex);
	needed = find_needed(journal);
	for (uint32_t i = 0; i < journal->segments.count; i++)
		cut |= lacks_bytes(journal, i, needed);
	pthread_mutex_unlock(&journal->mutex);
	return cut;
}

struct tr2_journal_marks tr2_journal_find_marks(struct tr2_journal *journal)
{
	struct tr2_journal_marks marks = { 0 };

	pthread_mutex_lock(&journal->mutex);
	if (journal->segments.count)
		marks.first = segment_at(journal, 0)->begin;
	marks.needed = find_needed(journal);
	marks.lost = journal->lost;
	marks.end = journal->shown_end;
	pthread_mutex_unlock(&journal->mutex);
	return marks;
}
