/* Unix sockets: values, types, connections. */
#include <sys/socket.h>
#include <sys/un.h>

#include "kit/destination.h"

static struct tr2_destination dst;
static int connects;

static int count_connects(int type, const char *path)
{
	connects++;
	return tr2_host_system.connect(type, path);
}

/* A socket of ours under this name. */
static int bind_socket(int type, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, type, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", name);
	unlink(name);
	kit_require(!bind(fd, (struct sockaddr *)&address, sizeof(address)),
		    "no socket");
	kit_require(type != SOCK_STREAM || !listen(fd, 5), "no listener");
	return fd;
}

/* An old value of errno is not the reason why a connection failed. */
static void test_errno_before(void)
{
	static const int errors[] = { EAGAIN, EPROTOTYPE };
	const char *value = kit_text("af_unix:%s", kit_path("socket"));
	int listener = bind_socket(SOCK_STREAM, "socket");
	int kept = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);

	close(STDIN_FILENO); /* the number of the connection, at first */
	for (int i = 0; i < 2; i++) {
		connects = 0;
		errno = errors[i];
		kit_open(&dst, value);
		tap_ok(dst.alive && connects == 1,
		       kit_text("a connection is made once in spite of %s",
				strerror(errors[i])));
		kit_close(&dst);
	}
	dup2(kept, STDIN_FILENO);
	close(kept);
	close(listener);
}

static void test_refused(void)
{
	int receiver = bind_socket(SOCK_DGRAM, "socket");
	const char *path = kit_path("socket");
	const char *const forms[] = { "", "stream:", "dgram:" };

	connects = 0;
	tap_ok(!kit_open(&dst, kit_text("af_unix:stream:%s", path)),
	       "a stream is not tried as datagrams");
	tap_int(connects, 1, "a stream is tried once");
	tap_str(kit_stderr(),
		kit_text("warning: trace2: could not connect to socket '%s' "
			 "for 'GIT_TRACE2' tracing: Protocol wrong type for "
			 "socket\n",
			 path),
		"a socket of the wrong type is warned about");
	close(receiver);

	for (int i = 0; i < 3; i++) {
		connects = 0;
		tap_ok(!kit_open(&dst, kit_text("af_unix:%s%s", forms[i],
						kit_path("none"))) &&
			       connects == 1,
		       kit_text("af_unix:%sPATH without a socket is off",
				forms[i]));
		tap_str(kit_stderr(),
			kit_text("warning: trace2: could not connect to "
				 "socket '%s' for 'GIT_TRACE2' tracing: No "
				 "such file or directory\n",
				 kit_path("none")),
			kit_text("af_unix:%sPATH without a socket is warned "
				 "about",
				 forms[i]));
	}
}

static void test_length(void)
{
	char path[109];

	memset(path, 'x', sizeof(path));
	path[0] = '/';
	path[108] = '\0';
	connects = 0;
	kit_open(&dst, kit_text("af_unix:%s", path));
	tap_str(kit_stderr(),
		kit_text("warning: trace2: invalid AF_UNIX path '%s' for "
			 "'GIT_TRACE2' tracing\n",
			 path),
		"a path of 108 bytes is invalid");
	path[107] = '\0';
	kit_open(&dst, kit_text("af_unix:stream:%s", path));
	tap_int(connects, 1, "a path of 107 bytes is tried");
	kit_stderr();
}

/* Descriptors that the host hands down. */
static void test_inherited(void)
{
	static const struct {
		int type;
		enum tr2_destination_kind kind;
		const char *name;
	} cases[] = {
		{ SOCK_STREAM, TR2_DESTINATION_SOCKET, "stream" },
		{ SOCK_DGRAM, TR2_DESTINATION_DATAGRAM, "datagram" },
		{ SOCK_SEQPACKET, TR2_DESTINATION_DATAGRAM, "packet" },
	};

	for (int i = 0; i < 3; i++) {
		int peer = kit_socket_as(8, cases[i].type);

		kit_open(&dst, "8");
		kit_write(&dst, "a line\n");
		tap_int(dst.kind, cases[i].kind,
			kit_text("an inherited %s socket is known as one",
				 cases[i].name));
		tap_str(kit_read(peer), "a line\n",
			kit_text("an inherited %s socket carries a line",
				 cases[i].name));
		tap_int(fcntl(8, F_GETFL) & O_NONBLOCK, 0,
			kit_text("an inherited %s socket keeps its flags",
				 cases[i].name));
		kit_close(&dst);
		close(8);
		close(peer);
	}
}

int main(void)
{
	kit_start();
	kit_host.connect = count_connects;
	tap_run(test_errno_before, test_refused, test_length, test_inherited);
	return kit_done();
}
