#include "lib/files/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/files/own.h"
#include "lib/files/socket_lock.h"

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

static int new_socket(bool stream)
{
	int fd = socket(AF_UNIX, stream ? SOCK_STREAM : SOCK_DGRAM, 0);

	if (fd >= 0) {
		fcntl(fd, F_SETFD, FD_CLOEXEC);
		fcntl(fd, F_SETFL, O_NONBLOCK);
	}
	return fd;
}

/* Only a socket on which nobody listens refuses a connection. */
static bool is_stale(const struct tr2_socket *socket)
{
	int fd = new_socket(socket->stream), rc, error;

	rc = connect(fd, address_of(socket), sizeof(socket->address));
	error = errno;
	close(fd);
	return rc && error == ECONNREFUSED;
}

/* Remove a stale socket at the path. NULL, or the reason why not. */
static const char *clear_path(const struct tr2_socket *socket)
{
	const char *path = socket->address.sun_path;
	struct stat st;

	if (lstat(path, &st))
		return NULL; /* otherwise bind() reports the error */
	if (!S_ISSOCK(st.st_mode))
		return "there is a file that is not a socket";
	if (!is_stale(socket))
		return IN_USE;
	return unlink(path) && errno != ENOENT ? strerror(errno) : NULL;
}

/* Bind and listen; the path is free. NULL, or the reason why not. */
static const char *open_there(struct tr2_socket *socket)
{
	const char *why;
	struct stat st;

	socket->fd = new_socket(socket->stream);
	if (socket->fd < 0)
		return strerror(errno);
	if (bind(socket->fd, address_of(socket), sizeof(socket->address)) ||
	    stat(socket->address.sun_path, &st) ||
	    (socket->stream && listen(socket->fd, BACKLOG))) {
		why = strerror(errno);
		close(socket->fd);
		return why;
	}
	socket->device = st.st_dev;
	socket->inode = st.st_ino;
	return NULL;
}

const char *tr2_socket_open(struct tr2_socket *socket)
{
	const char *path = socket->address.sun_path, *why;

	socket->lock = tr2_socket_lock(path);
	if (socket->lock < 0)
		return errno == EADDRINUSE ? IN_USE : tr2_own_explain(errno);
	why = clear_path(socket);
	if (!why)
		why = open_there(socket);
	if (why)
		tr2_socket_unlock(path, socket->lock);
	return why;
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
	socket->stream = type == SOCK_STREAM;
	if (getsockname(fd, (struct sockaddr *)address, &len) ||
	    address->sun_family != AF_UNIX ||
	    (!socket->stream && type != SOCK_DGRAM))
		return "it is not a Unix socket";
	if (socket->stream && find_option(fd, SO_ACCEPTCONN) != 1)
		return "it does not listen";
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	return NULL;
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
