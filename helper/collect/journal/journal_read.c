/* The side of the journal's readers. */
#include "collect/journal/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/common/hash.h"
#include "lib/files/clock.h"
#include "lib/files/own.h"
#include "lib/text/text.h"

#define NUMBERS "%020" PRIu64 " %020" PRIu64 " %020" PRIu64 " %020" PRIu64
#define SCANNED "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 "%n %255[^\n]"
#define CHECK "check "
#define CHECK_LINE "\n" CHECK "%016" PRIx64 " %020" PRIu64 "\n"
#define CHECK_SCANNED "\n" CHECK "%" SCNx64 " %" SCNu64
#define NUMBERS_LEN (4 * 20 + 3)
#define TEXT (4 * 21 + NAME_MAX + 64)

/* Returns the length of the first line, without its LF. */
static int put_place(char text[TEXT + 1], const struct tr2_position *position)
{
	return snprintf(text, TEXT + 1, NUMBERS " %s", position->at,
			position->line, position->missed, position->size,
			position->file);
}

static uint64_t find_hash(const char *text, size_t len, uint64_t shown)
{
	return tr2_hash_mix(tr2_hash(text, len).a, shown, UINT64_MAX / 7 | 1);
}

/* Is it the end of a longer name, as an earlier version left it, or nothing? */
static bool is_left(const char *text)
{
	text += strspn(text, "0123456789-.logzst");
	return !*text || !strcmp(text, "\n");
}

/*
 * False: the text is not as it was written. A first line alone, which has its
 * end, is that of an earlier version.
 */
static bool scan_position(const char *text, struct tr2_position *position)
{
	const char *end;
	uint64_t hash;
	int len = 0;

	if (sscanf(text, SCANNED, &position->at, &position->line,
		   &position->missed, &position->size, &len,
		   position->file) < 4 ||
	    len != NUMBERS_LEN || text[len] != ' ')
		return false;
	end = text + strcspn(text, "\n");
	if (end == text + len + 1)
		*position->file = '\0'; /* it has what is in the next line */
	if (*end && is_left(end + 1))
		return true;
	return sscanf(end, CHECK_SCANNED, &hash, &position->shown) == 2 &&
	       hash == find_hash(text, (size_t)(end - text), position->shown);
}

/* What is no position counts as none. A new file is empty. */
static void read_position(int fd, struct tr2_position *position)
{
	char text[TEXT + 1];
	ssize_t got = pread(fd, text, TEXT, 0);

	*position = (struct tr2_position){ .at = UINT64_MAX };
	text[got > 0 ? got : 0] = '\0';
	if (!scan_position(text, position))
		*position = (struct tr2_position){ .at = UINT64_MAX,
						   .lost = got > 0 };
}

static int open_note(const char *dir, const char *name, int flags)
{
	char path[TR2_SEGMENT_PATH];

	snprintf(path, sizeof(path), "%s/%s.output", dir, name);
	return tr2_own_open(path, O_WRONLY | flags, 0600, TR2_OWN_PRIVATE);
}

/* Returns whether the file was there; makes it, or empties it. */
static bool note_output(const char *dir, const char *name)
{
	int fd = open_note(dir, name, O_TRUNC);
	const bool old = fd >= 0;

	if (!old)
		fd = open_note(dir, name, O_CREAT | O_EXCL);
	if (fd >= 0)
		close(fd);
	return old;
}

bool tr2_position_leave(struct tr2_position *position, const char *dir,
			const char *name)
{
	int fd = open_note(dir, name, O_CREAT);
	const bool told = fd < 0 || lseek(fd, 0, SEEK_END) > 0 ||
			  write(fd, "left\n", 5) < 0;
	char path[TR2_SEGMENT_PATH];

	if (fd >= 0)
		close(fd);
	snprintf(path, sizeof(path), "%s/%s.position", dir, name);
	fd = told ? -1 : tr2_own_open(path, O_RDONLY, 0, TR2_OWN_PRIVATE);
	if (fd < 0)
		return false;
	read_position(fd, position);
	close(fd);
	return !position->lost;
}

int tr2_position_open(struct tr2_position *position, const char *dir,
		      const char *name)
{
	char path[TR2_SEGMENT_PATH];
	int fd;

	snprintf(path, sizeof(path), "%s/%s.position", dir, name);
	fd = tr2_own_open(path, O_RDWR | O_CREAT, 0600, TR2_OWN_PRIVATE);
	if (fd < 0)
		return -1;
	read_position(fd, position);
	position->lost |= note_output(dir, name) && position->at == UINT64_MAX;
	return fd;
}

/* Old text after a shorter name is in a third line, which nobody reads. */
int tr2_position_write(int fd, const struct tr2_position *position)
{
	char text[TEXT + 1];
	int len = put_place(text, position);

	len += snprintf(text + len, sizeof(text) - (size_t)len, CHECK_LINE,
			find_hash(text, (size_t)len, position->shown),
			position->shown);
	errno = 0;
	if (pwrite(fd, text, (size_t)len, 0) == len)
		return 0;
	return errno ? errno : ENOSPC;
}

static void leave_segment(struct tr2_journal_reader *reader)
{
	if (reader->fd >= 0)
		close(reader->fd);
	reader->fd = -1;
}

static void miss_lines(struct tr2_journal_reader *reader, uint64_t lines,
		       uint64_t end)
{
	reader->missed += lines;
	if (end > reader->journal->lost)
		reader->journal->lost = end;
}

/* What was removed before this place is missed, if it was not read. */
static void skip_missing(struct tr2_journal_reader *reader,
			 const struct tr2_journal_segment *first)
{
	if (first->line > reader->line + reader->ahead)
		miss_lines(reader, first->line - reader->line - reader->ahead,
			   first->begin);
	reader->ahead = 0;
	reader->inside = false;
	reader->line = first->line;
	reader->at = reader->kept = first->begin;
}

/*
 * Here there must be so many lines before the place. If some were lost, those
 * are missed; nobody need wait for what was read before them.
 */
static void match_lines(struct tr2_journal_reader *reader, uint64_t lines)
{
	uint64_t found = reader->line + reader->ahead;

	reader->inside = false;
	if (lines > found)
		miss_lines(reader, lines - found, reader->at);
	if (!reader->ahead)
		reader->line = lines;
	else if (lines >= reader->line)
		reader->ahead = lines - reader->line;
}

static uint32_t find_segment(const struct tr2_journal_reader *reader)
{
	const struct tr2_journal *journal = reader->journal;
	const struct tr2_journal_segment *segment = journal->segments.items;
	uint32_t i = 0;

	while (i + 1 < journal->segments.count &&
	       segment[i + 1].begin <= reader->at)
		i++;
	return i;
}

/* The rest of the segment was lost: go on with the next one. */
static void pass_loss(struct tr2_journal_reader *reader)
{
	struct tr2_journal *journal = reader->journal;
	const struct tr2_journal_segment *segment = journal->segments.items;
	bool done;
	uint32_t i;

	pthread_mutex_lock(&journal->mutex);
	i = find_segment(reader) + 1;
	done = reader->kept == reader->at;
	if (i < journal->segments.count &&
	    segment[i].begin < journal->shown_end) {
		reader->at = segment[i].begin;
		match_lines(reader, segment[i].line);
	} else {
		reader->at = journal->shown_end;
		match_lines(reader, journal->shown_lines);
	}
	if (done)
		reader->kept = reader->at;
	pthread_mutex_unlock(&journal->mutex);
}

/* Returns where the segment ends that begins the place, and opens it. */
static uint64_t enter_segment(struct tr2_journal_reader *reader)
{
	const struct tr2_journal *journal = reader->journal;
	const struct tr2_journal_segment *segment = journal->segments.items;
	uint32_t i, count = journal->segments.count;

	if (count && reader->at < segment->begin)
		skip_missing(reader, segment);
	/* A segment without lines may still be replaced by another file. */
	if (!count || reader->at >= journal->shown_end)
		return reader->at;
	i = find_segment(reader);
	if (reader->fd >= 0 && reader->begin != segment[i].begin)
		leave_segment(reader);
	if (reader->fd < 0 && reader->at == segment[i].begin)
		match_lines(reader, segment[i].line);
	if (reader->fd < 0)
		reader->fd = fcntl(segment[i].fd, F_DUPFD_CLOEXEC, 0);
	reader->begin = segment[i].begin;
	if (i + 1 < count && segment[i + 1].begin < journal->shown_end)
		return segment[i + 1].begin;
	return journal->shown_end;
}

/*
 * A line that is half read is read to its end, even if its segment has been
 * removed meanwhile: the descriptor still has it. A removed segment is not
 * written any more, so its file ends where it ends.
 */
static bool must_finish_line(const struct tr2_journal_reader *reader)
{
	const struct tr2_journal_segment *first =
		reader->journal->segments.items;

	return reader->fd >= 0 && reader->inside &&
	       reader->journal->segments.count && reader->begin < first->begin;
}

static uint64_t find_limit(struct tr2_journal_reader *reader, bool finish)
{
	off_t size = finish ? lseek(reader->fd, 0, SEEK_END) : -1;

	if (size >= 0 && reader->begin + (uint64_t)size > reader->at)
		return reader->begin + (uint64_t)size;
	return enter_segment(reader);
}

void tr2_journal_join(struct tr2_journal *journal,
		      struct tr2_journal_reader *reader, uint64_t at,
		      uint64_t line)
{
	*reader = (struct tr2_journal_reader){ .journal = journal, .fd = -1 };
	pthread_mutex_lock(&journal->mutex);
	if (at > journal->shown_end) {
		at = journal->shown_end;
		line = journal->shown_lines;
	}
	reader->shown = journal->shown_lines;
	reader->at = reader->kept = at;
	reader->line = line;
	reader->next = journal->readers;
	journal->readers = reader;
	pthread_mutex_unlock(&journal->mutex);
}

static void wait_for_change(struct tr2_journal *journal, int timeout_ms)
{
	const uint64_t then = tr2_clock_now() + (uint64_t)timeout_ms * 1000000;
	const struct timespec until = { .tv_sec = (time_t)(then / 1000000000),
					.tv_nsec = (long)(then % 1000000000) };

	pthread_cond_timedwait(&journal->changed, &journal->mutex, &until);
}

static void note_lines(struct tr2_journal_reader *reader, const char *bytes,
		       size_t len)
{
	const char *end = tr2_text_find_end(bytes, len);
	size_t whole = end ? (size_t)(end - bytes) : 0;
	unsigned long lines = tr2_text_count_lines(bytes, whole);

	pthread_mutex_lock(&reader->journal->mutex);
	reader->ahead += lines;
	reader->inside = whole != len;
	pthread_mutex_unlock(&reader->journal->mutex);
}

static ssize_t find_line_end(const char *bytes, ssize_t len)
{
	const char *lf = memchr(bytes, '\n', (size_t)len);

	return lf ? lf + 1 - bytes : len;
}

/*
 * The file ends before the journal says so: somebody cut it. Returns how many
 * bytes are whole lines, or end one that was begun.
 */
static ssize_t end_cut(struct tr2_journal_reader *reader, char *bytes,
		       ssize_t len)
{
	const char *end = tr2_text_find_end(bytes, (size_t)len);

	if (end)
		return end - bytes;
	if (!reader->inside) {
		pass_loss(reader);
		return 0;
	}
	*bytes = '\n';
	pthread_mutex_lock(&reader->journal->mutex);
	reader->missed++;
	pthread_mutex_unlock(&reader->journal->mutex);
	return 1;
}

/* Returns where what can be read now ends. */
static uint64_t wait_for_limit(struct tr2_journal_reader *reader,
			       int timeout_ms, bool *finish, bool *ended)
{
	struct tr2_journal *journal = reader->journal;
	uint64_t limit;

	pthread_mutex_lock(&journal->mutex);
	if (reader->at >= journal->shown_end && !journal->ended)
		wait_for_change(journal, timeout_ms);
	*ended = journal->ended && reader->at >= journal->shown_end;
	*finish = must_finish_line(reader);
	limit = find_limit(reader, *finish);
	reader->shown = journal->shown_lines;
	pthread_mutex_unlock(&journal->mutex);
	return limit;
}

size_t tr2_journal_read(struct tr2_journal_reader *reader, char *bytes,
			size_t room, int timeout_ms, bool *ended)
{
	bool finish;
	uint64_t limit = wait_for_limit(reader, timeout_ms, &finish, ended);
	uint64_t at = reader->at;
	ssize_t got;

	if (at >= limit)
		return 0;
	if (room > limit - at)
		room = (size_t)(limit - at);
	got = pread(reader->fd, bytes, room, (off_t)(at - reader->begin));
	if (got < 0) {
		/* The disk has failed, or there is no descriptor. */
		tr2_clock_sleep(timeout_ms);
		return 0;
	}
	if (finish)
		got = find_line_end(bytes, got);
	else if ((size_t)got < room)
		got = end_cut(reader, bytes, got);
	if (!got)
		return 0;
	reader->at += (uint64_t)got;
	note_lines(reader, bytes, (size_t)got);
	return (size_t)got;
}

void tr2_journal_join_first(struct tr2_journal *journal,
			    struct tr2_journal_reader *reader)
{
	const struct tr2_journal_segment *first = journal->segments.items;

	if (journal->segments.count)
		tr2_journal_join(journal, reader, first->begin, first->line);
	else
		tr2_journal_join(journal, reader, UINT64_MAX, 0);
}

void tr2_journal_keep(struct tr2_journal_reader *reader, uint64_t at,
		      uint64_t line)
{
	pthread_mutex_lock(&reader->journal->mutex);
	reader->ahead -= line - reader->line;
	reader->kept = at;
	reader->line = line;
	pthread_mutex_unlock(&reader->journal->mutex);
}

void tr2_journal_rewind(struct tr2_journal_reader *reader)
{
	struct tr2_journal *journal = reader->journal;
	const struct tr2_journal_segment *first;

	leave_segment(reader);
	pthread_mutex_lock(&journal->mutex);
	reader->at = reader->kept;
	reader->ahead = 0;
	reader->inside = false;
	reader->shown = journal->shown_lines;
	first = journal->segments.items;
	if (journal->segments.count && reader->at < first->begin)
		skip_missing(reader, first);
	pthread_mutex_unlock(&journal->mutex);
}

bool tr2_journal_pause(struct tr2_journal *journal, int timeout_ms)
{
	uint64_t until = tr2_clock_now() + (uint64_t)timeout_ms * 1000000;
	bool ended;

	pthread_mutex_lock(&journal->mutex);
	while (!journal->ended && tr2_clock_now() < until)
		wait_for_change(journal, timeout_ms);
	ended = journal->ended;
	pthread_mutex_unlock(&journal->mutex);
	return ended;
}
