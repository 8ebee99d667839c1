/* Outputs that accept a stream of bytes: standard output, and sockets. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/delivery/delivery.h"
#include "lib/files/socket.h"
#include "host/system.h"

#define WAIT_MS 200

/* A pipe that poll(2) reports as ready has room for so many bytes. */
#ifdef PIPE_BUF
#define PIPE_ROOM PIPE_BUF
#else
#define PIPE_ROOM 512
#endif

static bool wait_for_room(int fd)
{
	struct pollfd polled = { .fd = fd, .events = POLLOUT };

	return poll(&polled, 1, WAIT_MS) > 0;
}

/* A reader that does not read now is no failure. */
static ssize_t judge_result(ssize_t done)
{
	if (done < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	return done;
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
	delivery->fd = STDOUT_FILENO;
	return 0;
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

static ssize_t write_stdout(struct tr2_delivery *delivery, const char *bytes,
			    size_t len)
{
	ssize_t done;

	if (!wait_for_room(delivery->fd))
		return 0;
	done = send(delivery->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (done < 0 && errno == ENOTSOCK)
		done = write_plain(delivery->fd, bytes, len);
	return judge_result(done);
}

static void close_stdout(struct tr2_delivery *delivery, bool failed)
{
	(void)failed;
	delivery->fd = -1;
}

const struct tr2_output_kind tr2_kind_stdout = {
	.matches = matches_stdout,
	.open = open_stdout,
	.write = write_stdout,
	.close = close_stdout,
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
	int error;

	tr2_socket_parse(&named, delivery->target);
	delivery->fd = tr2_host_open_socket(SOCK_STREAM);
	if (delivery->fd < 0)
		return errno;
	if (!connect(delivery->fd, (const struct sockaddr *)&named.address,
		     sizeof(named.address)))
		return 0;
	error = errno;
	close(delivery->fd);
	delivery->fd = -1;
	return error;
}

static ssize_t write_socket(struct tr2_delivery *delivery, const char *bytes,
			    size_t len)
{
	if (!wait_for_room(delivery->fd))
		return 0;
	return judge_result(
		send(delivery->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL));
}

static void close_socket(struct tr2_delivery *delivery, bool failed)
{
	(void)failed;
	close(delivery->fd);
	delivery->fd = -1;
}

const struct tr2_output_kind tr2_kind_socket = {
	.matches = matches_socket,
	.open = open_socket,
	.write = write_socket,
	.close = close_socket,
};
