/* Sockets that another program has made, and what is left of failed ones. */
#define _GNU_SOURCE /* mkdtemp() */

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "kit/directory.h"
#include "kit/tap.h"

#include "lib/files/socket.h"

#define NO_SOCKET "it is not a Unix socket"

static struct sockaddr_un name_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	strcpy(address.sun_path, path);
	return address;
}

static int bind_socket(int type, const char *path)
{
	const struct sockaddr_un address = name_socket(path);
	int fd = socket(AF_UNIX, type, 0);

	tap_need(!bind(fd, (const void *)&address, sizeof(address)));
	return fd;
}

/* Is the descriptor adopted for this reason? "" is none. */
static const char *adopt_socket(int fd)
{
	struct tr2_socket named;
	const char *why = tr2_socket_adopt(&named, fd);

	return why ? why : "";
}

static void test_adopted(bool stream, const char *names[3])
{
	int fd = bind_socket(stream ? SOCK_STREAM : SOCK_DGRAM, "s");
	struct tr2_socket named;

	if (stream)
		listen(fd, 5);
	memset(&named, 0x5a, sizeof(named));
	tap_ok(!tr2_socket_adopt(&named, fd), names[0]);
	tap_ok(named.fd == fd && named.stream == stream && named.passed &&
		       named.lock == -1 && !strcmp(named.address.sun_path, "s"),
	       names[1]);
	tap_ok(fcntl(fd, F_GETFD) == FD_CLOEXEC &&
		       fcntl(fd, F_GETFL) & O_NONBLOCK,
	       names[2]);
	tr2_socket_close(&named);
	tap_int(fcntl(fd, F_GETFD), -1,
		stream ? "a stream that was adopted is closed"
		       : "datagrams that were adopted are closed");
	tap_ok(has_file("s"), stream ? "but the file of a stream stays"
				     : "but the file of datagrams stays");
	unlink("s");
}

static void test_kinds(void)
{
	static const char *streams[] = {
		"a stream that listens is adopted",
		"with the name that it has",
		"and neither waits nor is inherited",
	};
	static const char *datagrams[] = {
		"datagrams need not listen",
		"they have a name, too",
		"nor do they wait",
	};

	test_adopted(true, streams);
	test_adopted(false, datagrams);
}

static void test_refused(void)
{
	int ends[2], fd;

	tap_need(!pipe(ends));
	tap_str(adopt_socket(ends[0]), NO_SOCKET, "a pipe is no socket");
	close(ends[1]);
	close(ends[0]);
	tap_str(adopt_socket(ends[0]), NO_SOCKET, "nor is what is closed");
	fd = bind_socket(SOCK_SEQPACKET, "q");
	listen(fd, 5);
	tap_str(adopt_socket(fd), NO_SOCKET, "a socket has one of two kinds");
	close(fd);
	unlink("q");
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0)
		tap_skip("a socket of a network is none", "needs a network");
	else
		tap_str(adopt_socket(fd), NO_SOCKET,
			"a socket of a network is none");
	close(fd);
	fd = bind_socket(SOCK_STREAM, "s");
	tap_str(adopt_socket(fd), "it does not listen",
		"a stream has to listen");
	tap_int(fcntl(fd, F_GETFD) | (fcntl(fd, F_GETFL) & O_NONBLOCK), 0,
		"what is refused stays as it was");
	close(fd);
	unlink("s");
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	test_kinds();
	test_refused();
	tap_int(count_descriptors(), before, "no adopted socket stays open");
	leave_directory();
	return tap_done();
}
