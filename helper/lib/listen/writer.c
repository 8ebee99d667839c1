#include "lib/listen/writers.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/files/clock.h"
#include "lib/text/text.h"

#define CHUNK ((size_t)64 << 10)    /* bytes of one read */
#define REST_LONG (4 * CHUNK)	    /* takes no room of the owner yet */
#define REST_KEPT ((size_t)4 << 10) /* memory that a connection keeps */
#define RETRY_MS 1 /* until a read that failed is tried again */

/*
 * ---- Incomplete lines
 */

static void forget_rest(struct tr2_writers *writers,
			struct tr2_connection *writer)
{
	writers->rests -= writer->rest.len;
	if (writer->rest.room > REST_KEPT)
		tr2_buf_release(&writer->rest);
	tr2_buf_reset(&writer->rest);
}

static void lose_lines(struct tr2_writers *writers,
		       struct tr2_connection *writer, enum tr2_lost why,
		       uint64_t lines)
{
	writers->calls->lose(writers->owner, writer, why, lines);
}

/* The rest, which is part of a dropped line, too, goes with these lines. */
static void lose_bytes(struct tr2_writers *writers,
		       struct tr2_connection *writer, enum tr2_lost why,
		       const char *bytes, size_t len)
{
	forget_rest(writers, writer);
	lose_lines(writers, writer, why, tr2_text_count_lines(bytes, len));
	writer->skipping = bytes[len - 1] != '\n';
}

static struct tr2_connection *find_longest(const struct tr2_writers *writers)
{
	struct tr2_connection *writer = writers->items.items, *longest = writer;

	for (uint32_t i = 1; i < writers->items.count; i++)
		if (writer[i].rest.len > longest->rest.len)
			longest = &writer[i];
	return longest;
}

/* The longest ones are dropped first. */
static void spare_memory(struct tr2_writers *writers)
{
	struct tr2_connection *longest;

	while (writers->rests > writers->rests_most) {
		longest = find_longest(writers);
		forget_rest(writers, longest);
		lose_lines(writers, longest, TR2_LOST_MEMORY, 1);
		longest->skipping = true;
	}
}

/* These bytes come after those that are kept. */
static void keep_rest(struct tr2_writers *writers,
		      struct tr2_connection *writer, const char *bytes,
		      size_t len)
{
	if (writer->rest.len + len > writers->line_most) {
		lose_bytes(writers, writer, TR2_LOST_LONG, bytes, len);
		return;
	}
	tr2_buf_add(&writer->rest, bytes, len);
	if (writer->rest.failed) {
		lose_bytes(writers, writer, TR2_LOST_MEMORY, bytes, len);
		return;
	}
	writers->rests += len;
	spare_memory(writers);
}

/* ---- What can be read */

/*
 * Where to read to: to the owner's own room, so that nothing is lost between a
 * read and a write; or to nowhere. The rest comes first: after a SIGKILL no
 * half line may be before an LF.
 */
static char *find_room(const struct tr2_writers *writers,
		       const struct tr2_connection *writer, size_t len)
{
	const struct tr2_buf *rest = &writer->rest;
	char *room = writer->skipping
			     ? NULL
			     : writers->calls->make_room(writers->owner,
							 rest->len + len);

	if (room && rest->len)
		memcpy(room, rest->bytes, rest->len);
	return room;
}

/* `bytes` is room that was made; it begins with the writer's rest. */
static void take_bytes(struct tr2_writers *writers,
		       struct tr2_connection *writer, const char *bytes,
		       size_t got)
{
	size_t rest = writer->rest.len;
	const char *end = tr2_text_find_end(bytes + rest, got);

	if (end) {
		forget_rest(writers, writer);
		writers->calls->take(writers->owner, writer, bytes,
				     (size_t)(end - bytes), false);
		got = (size_t)(bytes + rest + got - end);
	} else {
		end = bytes + rest;
	}
	if (got)
		keep_rest(writers, writer, end, got);
}

/*
 * If the last read failed, nobody knows how many lines were there: they count
 * as one.
 */
void tr2_writer_end(struct tr2_writers *writers, struct tr2_connection *writer)
{
	size_t len = writer->rest.len;
	char *room = len ? find_room(writers, writer, 1) : NULL;

	if (room) {
		room[len] = '\n';
		writers->calls->take(writers->owner, writer, room, len + 1,
				     true);
	} else if (len) {
		lose_lines(writers, writer, TR2_LOST_ROOM, 1);
	}
	if (writer->error)
		lose_lines(writers, writer, TR2_LOST_READ, 1);
	if (writers->calls->end)
		writers->calls->end(writers->owner, writer);
	forget_rest(writers, writer);
	tr2_buf_release(&writer->rest);
	if (writer->stream)
		close(writer->fd);
	writer->fd = -1;
	writers->crowded_until = 0;
}

/*
 * These bytes were read where no line can be kept. What follows the line that
 * is skipped is kept if there is space now.
 *
 * A long line without an end stays in memory: the owner might have to remove
 * lines of others to make room.
 */
static void take_scratch(struct tr2_writers *writers,
			 struct tr2_connection *writer, size_t got)
{
	const char *bytes = writers->scratch, *end = bytes + got;
	size_t rest = writer->rest.len;
	char *room;

	if (writer->skipping) {
		bytes = memchr(bytes, '\n', got);
		if (!bytes || ++bytes == end) {
			writer->skipping = !bytes;
			return;
		}
		writer->skipping = false;
	}
	got = (size_t)(end - bytes);
	if (rest > REST_LONG && !memchr(bytes, '\n', got)) {
		keep_rest(writers, writer, bytes, got);
		return;
	}
	room = find_room(writers, writer, got);
	if (!room) {
		lose_bytes(writers, writer, TR2_LOST_ROOM, bytes, got);
		return;
	}
	memcpy(room + rest, bytes, got);
	take_bytes(writers, writer, room, got);
}

/* After a read that failed: can its room still be written to? */
static bool test_room(const struct tr2_writers *writers, char *room, size_t len)
{
	return errno != EFAULT || !room || !writers->calls->test_room ||
	       writers->calls->test_room(writers->owner, room, len);
}

static ssize_t read_stream(struct tr2_writers *writers,
			   struct tr2_connection *writer)
{
	size_t rest = writer->rest.len;
	char *room = rest > REST_LONG ? NULL
				      : find_room(writers, writer, CHUNK);
	char *bytes = room ? room + rest : writers->scratch;
	ssize_t got = recv(writer->fd, bytes, CHUNK, MSG_DONTWAIT);

	if (got > 0 && room)
		take_bytes(writers, writer, room, (size_t)got);
	else if (got > 0)
		take_scratch(writers, writer, (size_t)got);
	else if (got < 0)
		test_room(writers, room, rest + CHUNK);
	return got;
}

static ssize_t read_datagram(struct tr2_writers *writers,
			     struct tr2_connection *writer)
{
	char *room = find_room(writers, writer, TR2_WRITER_DATAGRAM + 1);
	char *bytes = room ? room : writers->scratch;
	ssize_t got = recv(writer->fd, bytes, TR2_WRITER_DATAGRAM,
			   MSG_DONTWAIT | MSG_TRUNC);
	size_t len = got > 0 ? (size_t)got : 0;
	bool torn;

	if (len > TR2_WRITER_DATAGRAM) {
		lose_lines(writers, writer, TR2_LOST_LONG, 1);
	} else if (!room && len) {
		lose_bytes(writers, writer, TR2_LOST_ROOM, bytes, len);
		writer->skipping = false;
	} else if (len) {
		torn = bytes[len - 1] != '\n';
		if (torn)
			bytes[len++] = '\n';
		writers->calls->take(writers->owner, writer, bytes, len, torn);
	} else if (got < 0 && !test_room(writers, room, TR2_WRITER_DATAGRAM)) {
		lose_lines(writers, writer, TR2_LOST_ROOM, 1); /* it is gone */
	}
	return got;
}

/* Or the next read may do it. */
static bool has_failed(const struct tr2_connection *writer)
{
	switch (writer->error) {
	case 0:
	case EFAULT: /* the file that is written was cut, or has no space */
	case ENOMEM:
	case ENOBUFS:
		return false;
	default:
		return true;
	}
}

/* A socket that has been read to its end gives EAGAIN or ECONNRESET. */
static void note_error(struct tr2_connection *writer, ssize_t got)
{
	bool failed = got < 0 && errno != EAGAIN && errno != EINTR &&
		      errno != ECONNRESET;

	writer->error = failed ? errno : 0;
	if (failed)
		tr2_clock_sleep(RETRY_MS); /* it counts as ready */
}

/* False: there is no more for now, or for ever. */
static bool read_once(struct tr2_writers *writers,
		      struct tr2_connection *writer)
{
	ssize_t got = writer->stream ? read_stream(writers, writer)
				     : read_datagram(writers, writer);
	bool reset = got < 0 && errno == ECONNRESET;

	writers->bytes += got > 0 ? (uint64_t)got : 0;
	note_error(writer, got);
	if (!writer->stream)
		return got >= 0; /* or empty */
	if (!got || reset || has_failed(writer))
		tr2_writer_end(writers, writer);
	return got > 0; /* its end may be next, and a place free */
}

void tr2_writer_read(struct tr2_writers *writers, struct tr2_connection *writer,
		     int reads)
{
	while (reads && read_once(writers, writer))
		reads--;
}
