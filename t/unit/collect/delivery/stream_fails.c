/*
 * Streams whose reader is slow or gone, as the system reports it: what is a
 * failure, and what is only a reason to wait.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* ppoll(), syscall() */
#endif
#include "kit/tap.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "collect/delivery/delivery.h"
#include "lib/files/socket.h"
#include "kit/directory.h"
#include "kit/limits.h"

static struct tr2_delivery delivery;

/* What the next call of the system returns, once. */
static struct {
	int send_error, write_error, stat_error;
	int waits; /* how often poll(2) was called */
} system_calls;

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	struct timespec limit = { .tv_nsec = timeout * 1000000L };

	system_calls.waits++;
	return ppoll(fds, count, &limit, NULL);
}

/* What succeeds leaves errno as it is. */
static bool fails_once(int *error)
{
	if (!*error)
		return false;
	errno = *error;
	*error = 0;
	return true;
}

ssize_t send(int fd, const void *bytes, size_t len, int flags)
{
	if (fails_once(&system_calls.send_error))
		return -1;
	return sendto(fd, bytes, len, flags, NULL, 0);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	if (fails_once(&system_calls.write_error))
		return -1;
	return syscall(SYS_write, fd, bytes, len);
}

int fstat(int fd, struct stat *st)
{
	if (fails_once(&system_calls.stat_error))
		return -1;
	return fstatat(fd, "", st, AT_EMPTY_PATH);
}

static int stdout_before;

/* Standard output is this descriptor until the end. */
static void begin_stdout(int fd)
{
	fflush(stdout);
	stdout_before = dup(1);
	dup2(fd, 1);
	delivery = (struct tr2_delivery){ .kind = &tr2_kind_stdout,
					  .fd = -1,
					  .position_fd = -1 };
	delivery.kind->open(&delivery);
}

static void end_stdout(void)
{
	delivery.kind->close(&delivery, false);
	dup2(stdout_before, 1);
	close(stdout_before);
}

static int write_bytes(const char *bytes)
{
	return (int)delivery.kind->write(&delivery, bytes, strlen(bytes));
}

/* Returns all that can be read now. */
static const char *read_bytes(int fd)
{
	static char bytes[256];
	ssize_t got = recv(fd, bytes, sizeof(bytes) - 1, MSG_DONTWAIT);

	bytes[got > 0 ? got : 0] = '\0';
	return bytes;
}

/*
 * ---- Standard output
 */

static void test_stdout_socket(void)
{
	int ends[2], busy, cut, gone, error;

	(void)!socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	begin_stdout(ends[1]);
	errno = ENOTSOCK; /* of something before */
	write_bytes("a line\n");
	system_calls.send_error = EAGAIN;
	busy = write_bytes("x");
	system_calls.send_error = EINTR;
	cut = write_bytes("x");
	system_calls.send_error = ECONNRESET;
	gone = write_bytes("x");
	error = errno;
	end_stdout();
	tap_str(read_bytes(ends[0]), "a line\n",
		"a socket as standard output gets each byte once");
	tap_int(busy, 0, "one without room for it is no failure");
	tap_int(cut, 0, "nor is one that a signal interrupts");
	tap_int(gone, -1, "one without a reader is a failure");
	tap_int(error, ECONNRESET, "whose reason is kept");
	close(ends[0]);
	close(ends[1]);
}

/* The signal would end the service. */
static void test_stdout_gone(void)
{
	int ends[2], gone;

	(void)!socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	signal(SIGPIPE, SIG_DFL);
	begin_stdout(ends[1]);
	close(ends[0]);
	gone = write_bytes("x");
	end_stdout();
	tap_int(gone, -1, "a socket that nobody reads costs no signal");
	close(ends[1]);
}

static void test_stdout_pipe(void)
{
	int ends[2], busy, gone, unknown;
	char got[8] = "";

	(void)!pipe(ends);
	begin_stdout(ends[1]);
	write_bytes("abc");
	system_calls.write_error = EAGAIN;
	busy = write_bytes("x");
	system_calls.write_error = EPIPE;
	gone = write_bytes("x");
	system_calls.stat_error = EIO;
	unknown = write_bytes("x");
	end_stdout();
	(void)!read(ends[0], got, sizeof(got) - 1);
	tap_str(got, "abc", "a pipe gets each byte once");
	tap_int(busy, 0, "a pipe that has just been filled is no failure");
	tap_int(gone, -1, "a pipe without a reader is one");
	tap_int(unknown, -1, "so is a descriptor that nobody knows");
	close(ends[0]);
	close(ends[1]);
}

/*
 * ---- Sockets
 */

static struct tr2_socket listener;

static int open_socket(void)
{
	delivery = (struct tr2_delivery){ .kind = &tr2_kind_socket,
					  .target = "af_unix:stream:sock",
					  .fd = -1,
					  .position_fd = -1 };
	return delivery.kind->open(&delivery);
}

static void begin_listener(void)
{
	tr2_socket_parse(&listener, "af_unix:stream:sock");
	tap_need(!tr2_socket_open(&listener));
}

static void test_socket(void)
{
	int fd, busy, cut;

	begin_listener();
	open_socket();
	fd = accept(listener.fd, NULL, NULL);
	system_calls.waits = 0;
	system_calls.send_error = EAGAIN;
	busy = write_bytes("x");
	system_calls.send_error = EINTR;
	cut = write_bytes("x");
	tap_int(busy, 0, "a socket without room for it is no failure");
	tap_int(cut, 0, "nor is a socket that a signal interrupts");
	tap_int(system_calls.waits, 2, "an output waits for room each time");
	errno = EAGAIN; /* of something before */
	tap_int(write_bytes("a line\n"), 7, "then the socket goes on");
	tap_str(read_bytes(fd), "a line\n", "with each byte once");
	close(fd);
	signal(SIGPIPE, SIG_DFL);
	tap_int(write_bytes("x"), -1, "a reader that has gone costs no signal");
	tap_int(errno, EPIPE, "but is a failure with its reason");
	delivery.kind->close(&delivery, true);
	tr2_socket_close(&listener);
}

static void test_descriptors(void)
{
	int before = dup(0), fd, error;

	begin_listener();
	fd = dup(0);
	close(fd);
	limit_files((rlim_t)fd);
	error = open_socket();
	limit_files(0);
	tap_int(error, EMFILE, "a socket needs a descriptor");
	tap_int(delivery.fd, -1, "without which it is not open");
	close(0);
	tap_int(open_socket(), 0, "it may be the first one");
	tap_int(delivery.fd, 0, "if that is free");
	tap_int(write_bytes("a line\n"), 7, "and takes lines, too");
	delivery.kind->close(&delivery, false);
	tap_ok(fcntl(0, F_GETFD) < 0, "which the end closes");
	dup2(before, 0);
	close(before);
	tr2_socket_close(&listener);
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_stdout_socket, test_stdout_gone, test_stdout_pipe,
		test_socket, test_descriptors);
	tap_int(count_descriptors(), before,
		"no stream stays open after a failure");
	leave_directory();
	return tap_done();
}
