/* Outputs that accept a stream of bytes: standard output, and sockets. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/delivery/delivery.h"
#include "lib/common/memory.h"
#include "lib/files/clock.h"
#include "lib/files/socket.h"
#include "lib/text/text.h"
#include "views/otlp/otlp.h"
#include "host/system.h"

#define WAIT_MS 200
#define NAP 20 /* ms, between looks at a buffer */

/* A pipe that poll(2) reports as ready has room for so many bytes. */
#ifdef PIPE_BUF
#define PIPE_ROOM PIPE_BUF
#else
#define PIPE_ROOM 512
#endif

/* What poll(2) says of a descriptor for writing; 0: it has no room so far. */
static short wait_for_room(int fd, int timeout_ms)
{
	struct pollfd polled = { .fd = fd, .events = POLLOUT };

	return poll(&polled, 1, timeout_ms) > 0 ? polled.revents : (short)0;
}

/*
 * ---- What the reader has read
 *
 * What a socket or pipe has accepted may be in its buffer, and goes with a reader
 * that ends. So a line is done when the buffer holds only what came after it. One
 * place is waited for at a time, and the last one is known for the end.
 */
struct mark {
	uint64_t sent; /* bytes, up to the end of a line */
	struct tr2_otlp_place place;
};

struct stream_output {
	uint64_t sent;
	struct mark next, last; /* equal: nothing is waited for after `next` */
	struct tr2_otlp_place done;
};

/* A terminal's FIONREAD is what was typed. */
static int ask_unread(int fd)
{
	int unread = 0, error = -1;
	struct stat st;

	if (fstat(fd, &st))
		return 0;
#ifdef FIONREAD
	if (S_ISFIFO(st.st_mode))
		error = ioctl(fd, FIONREAD, &unread);
#endif
#ifdef TIOCOUTQ
	if (S_ISSOCK(st.st_mode))
		error = ioctl(fd, TIOCOUTQ, &unread);
#endif
	return error || unread < 0 ? 0 : unread;
}

static bool is_reader_gone(int fd)
{
	return wait_for_room(fd, 0) & (POLLHUP | POLLERR);
}

/*
 * The bytes that the reader has not read, or more. Nobody knows once it is gone,
 * and it is looked for only after the buffer, which it takes with it.
 */
static uint64_t count_unread(int fd)
{
	const int unread = ask_unread(fd);

	return is_reader_gone(fd) ? UINT64_MAX : (uint64_t)unread;
}

static bool is_waiting(const struct stream_output *output)
{
	return output->done.at < output->last.place.at;
}

static struct tr2_otlp_place find_read(struct tr2_delivery *delivery)
{
	struct stream_output *output = delivery->state;
	const uint64_t unread = is_waiting(output) ? count_unread(delivery->fd)
						   : UINT64_MAX;

	while (unread <= output->sent && is_waiting(output) &&
	       output->next.sent <= output->sent - unread) {
		output->done = output->next.place;
		output->next = output->last;
	}
	return output->done;
}

/* Of `len` bytes up to the reader's place so many were sent. */
static void mark_sent(struct tr2_delivery *delivery, const char *bytes,
		      size_t len, size_t done)
{
	const struct tr2_journal_reader *reader = &delivery->reader;
	struct stream_output *output = delivery->state;
	const char *end = tr2_text_find_end(bytes, done);
	const char *last = tr2_text_find_end(bytes, len);
	const bool waits = is_waiting(output);
	size_t whole = end ? (size_t)(end - bytes) : 0;
	struct mark *mark = &output->last;

	output->sent += done;
	if (!end)
		return;
	mark->sent = output->sent - (done - whole);
	mark->place.at = reader->at - len + whole;
	mark->place.line = reader->line + reader->ahead -
			   tr2_text_count_lines(end, (size_t)(last - end));
	if (!waits)
		output->next = *mark;
}

/* True: the reader has read all, or nothing more can be waited for. */
static bool wait_for_reader(struct tr2_delivery *delivery)
{
	struct stream_output *output = delivery->state;

	for (find_read(delivery); is_waiting(output); find_read(delivery)) {
		if (is_reader_gone(delivery->fd) ||
		    tr2_delivery_must_stop(delivery))
			return false;
		tr2_clock_sleep(NAP);
	}
	return true;
}

/*
 * ---- What both kinds do
 */

static void begin_stream(struct tr2_delivery *delivery, int fd)
{
	delivery->fd = fd;
	delivery->state = tr2_must_zeros(sizeof(struct stream_output));
}

/* Only the write to a file may wait: a pipe gets what it has room for. */
static ssize_t write_plain(int fd, const char *bytes, size_t len)
{
	struct stat st;

	if (fstat(fd, &st))
		return -1;
	if (!S_ISREG(st.st_mode) && len > PIPE_ROOM)
		len = PIPE_ROOM;
	return write(fd, bytes, len);
}

/* A reader that does not read now is no failure. */
static ssize_t write_stream(struct tr2_delivery *delivery, const char *bytes,
			    size_t len)
{
	ssize_t done;

	if (!wait_for_room(delivery->fd, WAIT_MS))
		return 0;
	done = send(delivery->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (done < 0 && errno == ENOTSOCK)
		done = write_plain(delivery->fd, bytes, len);
	if (done > 0)
		mark_sent(delivery, bytes, len, (size_t)done);
	return done < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : done;
}

static void close_stream(struct tr2_delivery *delivery, bool failed)
{
	(void)failed;
	if (delivery->fd != STDOUT_FILENO)
		close(delivery->fd);
	delivery->fd = -1;
	free(delivery->state);
	delivery->state = NULL;
}

/*
 * ---- Standard output
 */

static bool matches_stdout(const char *text)
{
	return !strcmp(text, "stdout");
}

static int open_stdout(struct tr2_delivery *delivery)
{
	begin_stream(delivery, STDOUT_FILENO);
	return 0;
}

/* A reader that is still there can read the buffer after the service's end. */
static void finish_stdout(struct tr2_delivery *delivery)
{
	struct stream_output *output = delivery->state;

	if (wait_for_reader(delivery) || is_reader_gone(delivery->fd))
		return;
	output->done = output->last.place;
}

const struct tr2_output_kind tr2_kind_stdout = {
	.matches = matches_stdout,
	.open = open_stdout,
	.write = write_stream,
	.close = close_stream,
	.finish = finish_stdout,
	.find_done = find_read,
	.final = true,
};

/*
 * ---- Sockets
 */

static bool matches_socket(const char *text)
{
	struct tr2_socket named;

	return tr2_socket_parse(&named, text) && named.stream;
}

static int open_socket(struct tr2_delivery *delivery)
{
	struct tr2_socket named;
	int fd = tr2_host_open_socket(SOCK_STREAM), error;

	if (fd < 0)
		return errno;
	tr2_socket_parse(&named, delivery->target);
	if (!connect(fd, (const struct sockaddr *)&named.address,
		     sizeof(named.address))) {
		begin_stream(delivery, fd);
		return 0;
	}
	error = errno;
	close(fd);
	return error;
}

static void finish_socket(struct tr2_delivery *delivery)
{
	wait_for_reader(delivery);
}

const struct tr2_output_kind tr2_kind_socket = {
	.matches = matches_socket,
	.open = open_socket,
	.write = write_stream,
	.close = close_stream,
	.finish = finish_socket,
	.find_done = find_read,
};
