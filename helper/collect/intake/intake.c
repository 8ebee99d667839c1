#include "collect/intake/intake.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collect/intake/lines.h"
#include "collect/intake/watch.h"
#include "lib/common/memory.h"
#include "lib/files/clock.h"
#include "host/system.h"
#include "lib/text/text.h"

#define CHUNK ((size_t)64 << 10)     /* bytes of one read */
#define DATAGRAM ((size_t)256 << 10) /* more than a datagram can hold */
#define REST_LONG (4 * CHUNK)	     /* takes no room in the journal yet */
#define READS 8			     /* before the next connection's turn */
#define LAST_READS 4096
#define ACCEPTS 256	   /* before connections that are open have theirs */
#define LAST_ACCEPTS 65536 /* more than can wait */
#define CROWDED_MS 500	   /* until a connection is accepted again */
#define CROWDED_NS (CROWDED_MS * UINT64_C(1000000))
#define TELL_NS UINT64_C(60000000000) /* between two messages of a kind */
#define FAILED_MS 100 /* until a wait that failed is tried again */
#define RETRY_MS 1    /* until a read that failed is tried again */

/*
 * ---- Lines
 */

/* `bytes` is room that was made; it begins with the writer's rest. */
static void take_bytes(struct tr2_collect_intake *intake,
		       struct tr2_writer *writer, const char *bytes, size_t got)
{
	size_t rest = writer->rest.len;
	const char *end = tr2_text_find_end(bytes + rest, got);

	if (end) {
		tr2_rest_forget(intake, writer);
		tr2_intake_keep_lines(intake, bytes, (size_t)(end - bytes));
		got = (size_t)(bytes + rest + got - end);
	} else {
		end = bytes + rest;
	}
	if (got)
		tr2_rest_keep(intake, writer, end, got);
}

/* ---- What can be read */

/*
 * Where to read to: without a filter into the journal itself, so that nothing
 * is lost between a read and a write; or to nowhere. The rest comes first:
 * after a SIGKILL no half line may be before an LF.
 */
static char *find_room(struct tr2_collect_intake *intake,
		       const struct tr2_writer *writer, size_t len)
{
	const struct tr2_buf *rest = &writer->rest;
	char *room = writer->skipping
			     ? NULL
			     : tr2_intake_make_room(intake, rest->len + len);

	if (room && rest->len)
		memcpy(room, rest->bytes, rest->len);
	return room;
}

/* A line that its writer did not finish gets an LF. */
static void end_writer(struct tr2_collect_intake *intake,
		       struct tr2_writer *writer)
{
	size_t len = writer->rest.len;
	char *room = len ? find_room(intake, writer, 1) : NULL;

	if (room) {
		room[len] = '\n';
		tr2_intake_keep_lines(intake, room, len + 1);
		intake->counts.torn++;
	} else if (len) {
		tr2_intake_drop(intake, tr2_intake_find_lack(intake), 1);
	}
	tr2_intake_drop_unread(intake, writer);
	tr2_rest_forget(intake, writer);
	tr2_buf_release(&writer->rest);
	close(writer->fd);
	writer->fd = -1;
	intake->crowded = 0;
}

/*
 * These bytes were read where no line can be kept. What follows the line that
 * is skipped is kept if there is space now.
 *
 * A long line without an end stays in memory: room in the journal could be
 * made only by removing lines of others.
 */
static void take_scratch(struct tr2_collect_intake *intake,
			 struct tr2_writer *writer, size_t got)
{
	const char *bytes = intake->scratch, *end = bytes + got;
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
		tr2_rest_keep(intake, writer, bytes, got);
		return;
	}
	room = find_room(intake, writer, got);
	if (!room) {
		tr2_rest_drop(intake, writer, tr2_intake_find_lack(intake),
			      bytes, got);
		return;
	}
	memcpy(room + rest, bytes, got);
	take_bytes(intake, writer, room, got);
}

static ssize_t read_stream(struct tr2_collect_intake *intake,
			   struct tr2_writer *writer)
{
	size_t rest = writer->rest.len;
	char *room = rest > REST_LONG ? NULL : find_room(intake, writer, CHUNK);
	ssize_t got;

	if (!room) {
		got = recv(writer->fd, intake->scratch, CHUNK, MSG_DONTWAIT);
		if (got > 0)
			take_scratch(intake, writer, (size_t)got);
		return got;
	}
	got = recv(writer->fd, room + rest, CHUNK, MSG_DONTWAIT);
	if (got > 0)
		take_bytes(intake, writer, room, (size_t)got);
	else if (got < 0 && errno == EFAULT)
		tr2_intake_test_room(intake, room + rest, CHUNK);
	return got;
}

static ssize_t read_datagram(struct tr2_collect_intake *intake,
			     struct tr2_writer *writer)
{
	char *room = find_room(intake, writer, DATAGRAM + 1);
	char *bytes = room ? room : intake->scratch;
	ssize_t got = recv(writer->fd, bytes, DATAGRAM, MSG_DONTWAIT);
	size_t len = got > 0 ? (size_t)got : 0;

	if (!room && len) {
		tr2_rest_drop(intake, writer, tr2_intake_find_lack(intake),
			      bytes, len);
		writer->skipping = false;
	} else if (len) {
		intake->counts.torn += bytes[len - 1] != '\n';
		if (bytes[len - 1] != '\n')
			bytes[len++] = '\n';
		tr2_intake_keep_lines(intake, bytes, len);
	} else if (got < 0 && errno == EFAULT &&
		   !tr2_intake_test_room(intake, room, DATAGRAM)) {
		tr2_intake_drop(intake, TR2_DROP_SPACE, 1); /* it is gone */
	}
	return got;
}

/* Or the next read may do it. */
static bool has_failed(const struct tr2_writer *writer)
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
static void note_error(struct tr2_writer *writer, ssize_t got)
{
	bool failed = got < 0 && errno != EAGAIN && errno != EINTR &&
		      errno != ECONNRESET;

	writer->error = failed ? errno : 0;
	if (failed)
		tr2_clock_sleep(RETRY_MS); /* it counts as ready */
}

/* False: there is no more for now, or for ever. */
static bool read_once(struct tr2_collect_intake *intake,
		      struct tr2_writer *writer)
{
	ssize_t got = writer->stream ? read_stream(intake, writer)
				     : read_datagram(intake, writer);
	bool reset = got < 0 && errno == ECONNRESET;

	note_error(writer, got);
	if (!writer->stream)
		return got >= 0; /* or empty */
	if (!got || reset || has_failed(writer))
		end_writer(intake, writer);
	return got > 0; /* its end may be next, and a place free */
}

static void read_writer(struct tr2_collect_intake *intake,
			struct tr2_writer *writer, int reads)
{
	while (reads && read_once(intake, writer))
		reads--;
}

/*
 * ---- Connections
 */

static void add_writer(struct tr2_collect_intake *intake, int fd, bool stream)
{
	struct tr2_writer *writer =
		tr2_vec_add(&intake->writers, sizeof(*writer));

	*writer = (struct tr2_writer){ .fd = fd, .stream = stream };
}

/* Root may do anything. If nobody can tell, the socket's mode decides. */
static bool is_allowed(const struct tr2_collect_intake *intake, int fd)
{
	pid_t pid;
	uid_t uid;

	return intake->others || tr2_host_find_peer(fd, &pid, &uid) ||
	       uid == geteuid() || !uid;
}

/* Tell at once, but not for each of many connections. */
static void tell_crowded(struct tr2_collect_intake *intake, const char *what)
{
	uint64_t now = tr2_clock_now();

	if (intake->told && now - intake->told < TELL_NS)
		return;
	intake->told = now;
	fprintf(stderr,
		"trace2 collect: %s: %" PRIu32 " are open, and the limit on "
		"descriptors (ulimit -n) allows no more\n",
		what, intake->writers.count - intake->datagrams);
}

static void admit_writer(struct tr2_collect_intake *intake, int fd)
{
	if (!is_allowed(intake, fd)) {
		intake->counts.refused++;
		close(fd);
		return;
	}
	if (intake->writers.count - intake->datagrams >= intake->most) {
		intake->counts.crowded++;
		close(fd);
		tell_crowded(intake, "connections are refused");
		return;
	}
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	intake->counts.connections++;
	add_writer(intake, fd, true);
}

static void accept_writers(struct tr2_collect_intake *intake, int listener,
			   int most)
{
	int fd;

	for (; most; most--) {
		fd = accept(listener, NULL, NULL);
		if (fd >= 0)
			admit_writer(intake, fd);
		else if (errno != EINTR && errno != ECONNABORTED)
			break;
	}
	if (!most || errno == EAGAIN || errno == EWOULDBLOCK)
		return;
	intake->crowded = tr2_clock_now() + CROWDED_NS;
	if (errno == EMFILE || errno == ENFILE)
		tell_crowded(intake, "connections have to wait");
}

static void forget_ended(struct tr2_collect_intake *intake)
{
	struct tr2_writer *writers = intake->writers.items;
	uint32_t i, count = 0;

	for (i = 0; i < intake->writers.count; i++)
		if (writers[i].fd >= 0)
			writers[count++] = writers[i];
	intake->writers.count = count;
}

/*
 * ---- The loop
 */

static void add_poll(struct tr2_collect_intake *intake, int fd)
{
	struct pollfd *polled = tr2_vec_add(&intake->polls, sizeof(*polled));

	*polled = (struct pollfd){ .fd = fd, .events = POLLIN };
}

/*
 * First the stop, then sockets that accept, then all writers. A descriptor may
 * also become free elsewhere in the process, so a socket that could not accept
 * has its turn again after a while.
 */
static const struct pollfd *wait_for_bytes(struct tr2_collect_intake *intake,
					   int stop_fd)
{
	const struct tr2_writer *writers = intake->writers.items;
	int timeout =
		tr2_space_shorten(intake, tr2_watch_timeout(intake->watches));
	bool crowded = tr2_clock_now() < intake->crowded;
	uint32_t i;

	if (crowded && (timeout < 0 || timeout > CROWDED_MS))
		timeout = CROWDED_MS;
	tr2_vec_clear(&intake->polls);
	add_poll(intake, stop_fd);
	for (i = 0; i < intake->socket_count; i++)
		add_poll(intake, intake->sockets[i].stream && !crowded
					 ? intake->sockets[i].fd
					 : -1);
	for (i = 0; i < intake->writers.count; i++)
		add_poll(intake, writers[i].fd);
	/* After an interruption no descriptor counts as ready. */
	if (poll(intake->polls.items, intake->polls.count, timeout) < 0 &&
	    errno != EINTR)
		tr2_clock_sleep(FAILED_MS);
	return intake->polls.items;
}

/* Counts and lines are shown together, so that their sums agree. */
static void show_counts(struct tr2_collect_intake *intake)
{
	struct tr2_collect_counts *counts = &intake->counts;

	if (intake->filter)
		counts->filter = intake->filter->counts;
	counts->received = counts->lines + counts->dropped +
			   tr2_filter_count_held(&counts->filter);
	pthread_mutex_lock(&intake->journal->mutex);
	tr2_journal_show(intake->journal);
	intake->shown = *counts;
	pthread_mutex_unlock(&intake->journal->mutex);
}

static void receive_once(struct tr2_collect_intake *intake,
			 const struct pollfd *polled)
{
	uint32_t i, writers = intake->writers.count;

	for (i = 0; i < writers; i++)
		if (polled[1 + intake->socket_count + i].revents)
			read_writer(intake,
				    (struct tr2_writer *)intake->writers.items +
					    i,
				    READS);
	forget_ended(intake); /* their places are free */
	for (i = 0; i < intake->socket_count; i++)
		if (polled[1 + i].revents)
			accept_writers(intake, intake->sockets[i].fd, ACCEPTS);
	tr2_watch_read(intake->watches, intake, false);
	tr2_space_watch(intake);
	show_counts(intake);
}

static void read_writers(struct tr2_collect_intake *intake)
{
	struct tr2_writer *writers = intake->writers.items;
	uint32_t i;

	for (i = 0; i < intake->writers.count; i++)
		read_writer(intake, &writers[i], LAST_READS);
	forget_ended(intake);
}

/*
 * What was written before the signal has arrived by now. Programs that have
 * ended make room for those that wait.
 */
static void receive_last(struct tr2_collect_intake *intake)
{
	struct tr2_writer *writer;
	uint32_t i;

	read_writers(intake);
	for (i = 0; i < intake->socket_count; i++)
		if (intake->sockets[i].stream)
			accept_writers(intake, intake->sockets[i].fd,
				       LAST_ACCEPTS);
	read_writers(intake);
	writer = intake->writers.items;
	for (i = 0; i < intake->writers.count; i++, writer++)
		if (writer->stream)
			end_writer(intake, writer);
		else
			tr2_intake_drop_unread(intake, writer);
}

void tr2_collect_receive(struct tr2_collect_intake *intake, int stop_fd)
{
	const struct pollfd *polled;
	uint32_t i;

	intake->scratch = tr2_must_grow(NULL, DATAGRAM);
	tr2_rest_begin(intake);
	for (i = 0; i < intake->socket_count; i++)
		if (!intake->sockets[i].stream)
			add_writer(intake, intake->sockets[i].fd, false);
	intake->datagrams = intake->writers.count;
	for (;;) {
		polled = wait_for_bytes(intake, stop_fd);
		if (polled[0].revents)
			break;
		receive_once(intake, polled);
	}
	receive_last(intake);
	tr2_watch_read(intake->watches, intake, true);
	tr2_space_watch(intake);
	show_counts(intake);
	free(intake->scratch);
	tr2_vec_release(&intake->writers);
	tr2_vec_release(&intake->polls);
}
