#include "lib/files/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/common/signals.h"
#include "lib/files/own.h"

/* ---- The lock */

/*
 * A lock file of ours is recognised by this, from its first moment: it is an
 * empty file of this mode, which no useful file has.
 */
#define MODE S_IWUSR
#define TRIES 1000 /* while others make and remove it */

/* A name that is cut is still too long for open(). */
struct lock_name {
	char text[PATH_MAX + 1];
};

static struct lock_name lock_name(const char *path)
{
	struct lock_name name;

	snprintf(name.text, sizeof(name.text), "%s.lock", path);
	return name;
}

static bool is_ours(int fd)
{
	struct stat st = { 0 };

	fstat(fd, &st);
	return S_ISREG(st.st_mode) && !st.st_size &&
	       (st.st_mode & 07777) == MODE && st.st_uid == geteuid();
}

int tr2_socket_lock(const char *path)
{
	const struct lock_name name = lock_name(path);
	int fd;

	for (int tries = 0; tries < TRIES; tries++) {
		fd = tr2_own_open(name.text, O_WRONLY | O_CREAT, MODE,
				  TR2_OWN_SHARED);
		if (fd < 0)
			return -1;
		if (flock(fd, LOCK_EX | LOCK_NB)) {
			errno = errno == EWOULDBLOCK ? EADDRINUSE : errno;
			return tr2_own_close_failed(fd);
		}
		/* Or has the previous owner removed it meanwhile? */
		if (tr2_own_has_name(fd, name.text))
			return fd;
		close(fd);
	}
	errno = EADDRINUSE;
	return -1;
}

int tr2_socket_lock_again(const char *path, int fd)
{
	const struct lock_name name = lock_name(path);
	int again;

	if (tr2_own_has_name(fd, name.text))
		return fd;
	again = tr2_socket_lock(path);
	if (again >= 0)
		close(fd);
	return again;
}

void tr2_socket_unlock(const char *path, int fd)
{
	const struct lock_name name = lock_name(path);

	if (fd < 0)
		return;
	if (is_ours(fd) && tr2_own_has_name(fd, name.text))
		unlink(name.text);
	close(fd);
}

/* ---- The socket */

#define STREAM "af_unix:stream:"
#define DGRAM "af_unix:dgram:"
#define IN_USE "another program already listens there"
#define BACKLOG 8192 /* for processes that start at once; often cut to 4096 */

bool tr2_socket_parse(struct tr2_socket *socket, const char *text)
{
	size_t len;

	*socket = (struct tr2_socket){ .fd = -1 };
	socket->stream = !strncmp(text, STREAM, strlen(STREAM));
	if (!socket->stream && strncmp(text, DGRAM, strlen(DGRAM)))
		return false;
	socket->type = socket->stream ? SOCK_STREAM : SOCK_DGRAM;
	text += strlen(socket->stream ? STREAM : DGRAM);
	len = strlen(text);
	if (!len || len >= sizeof(socket->address.sun_path))
		return false;
	socket->address.sun_family = AF_UNIX;
	memcpy(socket->address.sun_path, text, len);
	return true;
}

static const struct sockaddr *address_of(const struct tr2_socket *socket)
{
	return (const struct sockaddr *)&socket->address;
}

/* A socket that waits can't be used: a signal would not end accept(2). */
static bool set_modes(int fd)
{
	return !fcntl(fd, F_SETFD, FD_CLOEXEC) &&
	       !fcntl(fd, F_SETFL, O_NONBLOCK);
}

static int new_socket(int type)
{
	int fd = socket(AF_UNIX, type, 0);

	return fd < 0 || set_modes(fd) ? fd : tr2_own_close_failed(fd);
}

/* Only a socket on which nobody listens refuses a connection. */
static bool is_stale(const struct tr2_socket *socket)
{
	int fd = new_socket(socket->type), rc, error;

	rc = connect(fd, address_of(socket), sizeof(socket->address));
	error = errno;
	close(fd);
	return rc && error == ECONNREFUSED;
}

/* Remove a stale socket at the path. 0, or -1 and errno. */
static int clear_path(const struct tr2_socket *socket)
{
	const char *path = socket->address.sun_path;
	struct stat st;

	if (lstat(path, &st))
		return 0; /* otherwise bind() reports the error */
	if (!S_ISSOCK(st.st_mode) || !is_stale(socket)) {
		errno = S_ISSOCK(st.st_mode) ? EISCONN : ENOTSOCK;
		return -1;
	}
	return unlink(path) && errno != ENOENT ? -1 : 0;
}

/*
 * Bind and listen; the path is free. Linux gives the file the mode that the
 * socket has then, so that no other user can connect, not even for a moment.
 */
static int open_there(struct tr2_socket *socket)
{
	const int fd = new_socket(socket->type);
	struct stat st;

	if (fd < 0)
		return -1;
	if ((socket->mode && fchmod(fd, socket->mode)) ||
	    bind(fd, address_of(socket), sizeof(socket->address)) ||
	    stat(socket->address.sun_path, &st) ||
	    (socket->type != SOCK_DGRAM && listen(fd, BACKLOG)))
		return tr2_own_close_failed(fd);
	socket->fd = fd;
	socket->device = st.st_dev;
	socket->inode = st.st_ino;
	return 0;
}

int tr2_socket_bind(struct tr2_socket *socket)
{
	const char *path = socket->address.sun_path;
	int error;

	socket->lock = tr2_socket_lock(path);
	if (socket->lock < 0) {
		errno = errno == EADDRINUSE ? EISCONN : errno;
		return -1;
	}
	if (!clear_path(socket) && !open_there(socket))
		return 0;
	error = errno;
	tr2_socket_unlock(path, socket->lock);
	errno = error;
	return -1;
}

const char *tr2_socket_open(struct tr2_socket *socket)
{
	if (!tr2_socket_bind(socket))
		return NULL;
	if (errno == ENOTSOCK)
		return "there is a file that is not a socket";
	return errno == EISCONN ? IN_USE : tr2_own_explain(errno);
}

/* Returns the value of a socket's option, or -1. */
static int find_option(int fd, int option)
{
	int value = 0;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, option, &value, &len) ? -1 : value;
}

const char *tr2_socket_adopt(struct tr2_socket *socket, int fd)
{
	struct sockaddr_un *address = &socket->address;
	socklen_t len = sizeof(*address);
	int type = find_option(fd, SO_TYPE);

	*socket = (struct tr2_socket){ .fd = fd, .lock = -1, .passed = true };
	socket->type = type;
	socket->stream = type == SOCK_STREAM;
	if (getsockname(fd, (struct sockaddr *)address, &len) ||
	    address->sun_family != AF_UNIX ||
	    (!socket->stream && type != SOCK_DGRAM))
		return "it is not a Unix socket";
	if (socket->stream && find_option(fd, SO_ACCEPTCONN) != 1)
		return "it does not listen";
	return set_modes(fd) ? NULL : strerror(errno);
}

void tr2_socket_close(struct tr2_socket *socket)
{
	const char *path = socket->address.sun_path;
	struct stat st;

	if (socket->passed) {
		close(socket->fd);
		return;
	}
	if (!lstat(path, &st) && st.st_dev == socket->device &&
	    st.st_ino == socket->inode)
		unlink(path);
	close(socket->fd);
	tr2_socket_unlock(path, socket->lock);
}

/* ---- A service that listens */

#define USUAL_FILES 1024 /* POSIX has no number */

/* A signal writes a byte to this pipe, which can be polled. */
static int stop_pipe[2];

static void note_stop(int signo)
{
	int saved = errno;
	ssize_t ignored = write(stop_pipe[1], "", 1);

	(void)signo;
	(void)ignored;
	errno = saved;
}

/* The end of a terminal is one, too. */
int tr2_socket_catch_stops(bool hangup)
{
	if (pipe(stop_pipe) || !set_modes(stop_pipe[0]) ||
	    !set_modes(stop_pipe[1]))
		return -1;
	tr2_signal_catch(SIGINT, note_stop);
	tr2_signal_catch(SIGTERM, note_stop);
	if (hangup)
		tr2_signal_catch(SIGHUP, note_stop);
	return stop_pipe[0];
}

uint64_t tr2_socket_raise_limit(void)
{
	struct rlimit limit = { USUAL_FILES, USUAL_FILES };

	getrlimit(RLIMIT_NOFILE, &limit); /* or a sandbox refuses it */
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	return limit.rlim_max;
}
