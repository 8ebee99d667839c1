/* Outputs that accept a stream: standard output and sockets. */
#include "kit/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/socket.h>

#include "collect/delivery/delivery.h"
#include "lib/files/socket.h"
#include "kit/directory.h"
#include "kit/file.h"

static struct tr2_delivery delivery;
static char bytes[1 << 20];

static int is_kind(const char *text, const struct tr2_output_kind *kind)
{
	return tr2_kind_find(text) == kind;
}

static void test_names(void)
{
	char name[160] = "af_unix:stream:";

	tap_ok(is_kind("stdout", &tr2_kind_stdout), "stdout is an output");
	tap_ok(is_kind("stdout2", NULL), "and no more than this word");
	tap_ok(is_kind("af_unix:stream:a", &tr2_kind_socket),
	       "so is a socket for streams");
	tap_ok(is_kind("af_unix:dgram:a", NULL), "one for datagrams is not");
	memset(name + 15, 'x', 120);
	tap_ok(is_kind(name, NULL), "nor one whose name is too long");
	tap_ok(is_kind("otlp:http://a", &tr2_kind_otlp), "a receiver is one");
	tap_ok(is_kind("", NULL) && is_kind("a", NULL),
	       "other words name no output");
}

static ssize_t write_bytes(size_t len)
{
	return delivery.kind->write(&delivery, bytes, len);
}

/* Write until the output accepts nothing, which takes a moment. */
static size_t fill_output(size_t piece)
{
	size_t sum = 0;
	ssize_t done;

	while ((done = write_bytes(piece)) > 0)
		sum += (size_t)done;
	tap_int((intmax_t)done, 0, "a reader that does not read is no failure");
	return sum;
}

/*
 * ---- Standard output
 */

static int stdout_before;

static void begin_stdout(int fd)
{
	fflush(stdout);
	stdout_before = dup(1);
	dup2(fd, 1);
	delivery = (struct tr2_delivery){ .kind = &tr2_kind_stdout, .fd = -1 };
	delivery.kind->open(&delivery);
}

static void end_stdout(void)
{
	delivery.kind->close(&delivery, false);
	dup2(stdout_before, 1);
	close(stdout_before);
}

static void test_file(void)
{
	int fd = open("file", O_WRONLY | O_CREAT, 0600);
	ssize_t done;

	begin_stdout(fd);
	done = write_bytes(PIPE_BUF + 1000);
	end_stdout();
	tap_int((intmax_t)done, PIPE_BUF + 1000, "a file takes all at once");
	tap_int((intmax_t)strlen(kit_text("file")), PIPE_BUF + 1000,
		"and has it");
	tap_int(delivery.fd, -1, "then the output is closed");
	tap_ok(fcntl(1, F_GETFD) >= 0, "but standard output stays open");
	close(fd);
}

static void test_pipe(void)
{
	int ends[2], first;
	ssize_t done, last;

	(void)!pipe(ends);
	begin_stdout(ends[1]);
	done = write_bytes(PIPE_BUF + 1000);
	first = (int)write_bytes(10);
	close(ends[0]);
	last = write_bytes(1);
	end_stdout();
	tap_int((intmax_t)done, PIPE_BUF, "a pipe gets what it has room for");
	tap_int(first, 10, "or all if it is less");
	tap_ok(last < 0, "a pipe without a reader is a failure");
	close(ends[1]);
}

static void test_full_pipe(void)
{
	int ends[2];
	size_t sum = 0;
	ssize_t done;

	(void)!pipe(ends);
	begin_stdout(ends[1]);
	while ((done = write_bytes(PIPE_BUF)) > 0)
		sum += (size_t)done;
	end_stdout();
	tap_int((intmax_t)done, 0, "a full pipe accepts nothing");
	tap_ok(sum >= PIPE_BUF, "after it has taken what it can hold");
	close(ends[0]);
	close(ends[1]);
}

/*
 * ---- Sockets
 */

static struct tr2_socket listener;

static void test_connection(void)
{
	char got[32] = "";
	int fd;

	delivery = (struct tr2_delivery){ .fd = -1,
					  .kind = &tr2_kind_socket,
					  .target = "af_unix:stream:sock" };
	tap_int(delivery.kind->open(&delivery), ENOENT,
		"a socket that is not there is told");
	tap_int(delivery.fd, -1, "and none is open");
	tr2_socket_parse(&listener, "af_unix:stream:sock");
	tap_need(!tr2_socket_open(&listener));
	tap_int(delivery.kind->open(&delivery), 0,
		"one that listens is opened");
	fd = accept(listener.fd, NULL, NULL);
	memcpy(bytes, "a line\n", 7);
	tap_int((intmax_t)write_bytes(7), 7, "it gets bytes");
	(void)!recv(fd, got, sizeof(got) - 1, 0);
	tap_str(got, "a line\n", "as they are");
	tap_ok(fill_output(sizeof(bytes)) > 0, "until it is full");
	close(fd);
	tap_ok(write_bytes(1) < 0, "a reader that has gone is a failure");
	fd = delivery.fd;
	delivery.kind->close(&delivery, true);
	tap_ok(fcntl(fd, F_GETFD) < 0, "then the socket is closed");
	tap_int(delivery.fd, -1, "and forgotten");
	tr2_socket_close(&listener);
	write_file("sock", "");
	tap_int(delivery.kind->open(&delivery), ECONNREFUSED,
		"a file is no socket");
}

int main(void)
{
	int before = count_descriptors();

	signal(SIGPIPE, SIG_IGN);
	memset(bytes, 'x', sizeof(bytes));
	enter_directory();
	tap_run(test_names, test_file, test_pipe, test_full_pipe,
		test_connection);
	tap_int(count_descriptors(), before, "no stream stays open");
	leave_directory();
	return tap_done();
}
