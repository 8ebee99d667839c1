/* Does a program listen on a socket, and does it take more? */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/common/memory.h"
#include "doctor/doctor_part.h"
#include "host/host.h"

static const struct socket_kind {
	const char *prefix, *what;
	int type, fallback;
} kinds[] = {
	{ "stream:", "stream socket", SOCK_STREAM, 0 },
	{ "dgram:", "datagram socket", SOCK_DGRAM, 0 },
	{ "", "socket", SOCK_STREAM, SOCK_DGRAM },
};

static const struct socket_kind *find_kind(const char *value)
{
	const struct socket_kind *kind = kinds;

	while (strncmp(value, kind->prefix, strlen(kind->prefix)))
		kind++;
	return kind;
}

static void blame_connect(struct tr2_doctor_target *target, int error)
{
	const char *what = strerror(error);

	if (error == ECONNREFUSED)
		what = "the socket is dead: no program listens on it";
	else if (error == EAGAIN)
		what = "the socket is full: its program accepts nothing";
	else if (error == ENOENT)
		what = "there is no such socket: no program listens";
	else if (error == EPROTOTYPE)
		what = "the socket is of another type";
	tr2_doctor_blame(target, tr2_must_copy(what), NULL);
}

/* A datagram socket can be connected even if its queue is full. */
static bool has_room(int fd)
{
	struct pollfd polls = { .fd = fd, .events = POLLOUT };

	return poll(&polls, 1, 0) > 0 && polls.revents & POLLOUT;
}

/* Returns why it can't be connected, an errno value, or 0. */
static int try_socket(struct tr2_doctor_target *target, int type, int fallback,
		      const char *path)
{
	int fd = tr2_host->connect(type, path), error = 0;

	if (fd < 0 && errno == EPROTOTYPE && fallback)
		fd = tr2_host->connect(fallback, path);
	if (fd < 0)
		error = errno;
	else if (!has_room(fd))
		error = EAGAIN;
	if (error)
		blame_connect(target, error);
	if (fd >= 0)
		close(fd);
	return error;
}

static bool is_path(const char *path)
{
	return *path == '/' &&
	       strlen(path) < sizeof(((struct sockaddr_un *)0)->sun_path);
}

static void blame_path(struct tr2_doctor_target *target)
{
	tr2_doctor_blame(target,
			 tr2_must_copy("expected an absolute path of at most "
				       "107 bytes for the socket"),
			 NULL);
}

void tr2_doctor_check_socket(struct tr2_doctor_target *target,
			     const char *value)
{
	const struct socket_kind *kind = find_kind(value);
	const char *path = value + strlen(kind->prefix);
	int error;

	target->what = tr2_must_copy(kind->what);
	if (!is_path(path)) {
		blame_path(target);
		return;
	}
	error = try_socket(target, kind->type, kind->fallback, path);
	if (error == EPROTOTYPE && *kind->prefix)
		target->repair = tr2_must_copy("leave out stream: or dgram:");
}

void tr2_doctor_check_manager(struct tr2_doctor_target *target,
			      const char *path)
{
	target->what = tr2_must_copy("trace manager");
	if (!is_path(path)) {
		blame_path(target);
		return;
	}
	if (try_socket(target, SOCK_SEQPACKET, 0, path))
		target->repair =
			tr2_doctor_command("trace2 manager --socket", path);
}
