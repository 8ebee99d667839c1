/* The socket on which providers and clients connect. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "record/manager/manager_part.h"
#include "lib/files/own.h"
#include "lib/files/socket.h"

#define BACKLOG 128

/*
 * Is there a socket on which nobody listens any more? Only a refused
 * connection proves that; any other error leaves the file alone.
 */
static bool is_stale(const char *path)
{
	struct stat st;
	int fd;

	if (lstat(path, &st) || !S_ISSOCK(st.st_mode))
		return false;
	fd = tr2_message_connect(path);
	if (fd < 0)
		return errno == ECONNREFUSED;
	close(fd);
	return false;
}

/*
 * The lock file guarantees that no other manager replaces the socket between
 * the check and bind(2).
 */
static int bind_listener(int fd, const struct sockaddr_un *address)
{
	const struct sockaddr *generic = (const struct sockaddr *)address;

	if (!bind(fd, generic, sizeof(*address)))
		return 0;
	if (errno != EADDRINUSE)
		return -1;
	if (!is_stale(address->sun_path)) {
		errno = EADDRINUSE;
		return -1;
	}
	unlink(address->sun_path);
	return bind(fd, generic, sizeof(*address));
}

/*
 * The mode is set before bind(2), because Linux gives the file the mode that
 * the socket has then. So no other user can connect, not even for a moment.
 */
static int open_listener(const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
			0);

	if (fd < 0)
		return -1;
	if (!fchmod(fd, S_IRUSR | S_IWUSR) && !bind_listener(fd, address) &&
	    !listen(fd, BACKLOG))
		return fd;
	return tr2_own_close_failed(fd);
}

/* On failure everything is undone, and the lock is free again. */
int tr2_manager_listen(struct tr2_manager *manager, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int error;

	if (strlen(path) >= sizeof(address.sun_path))
		return ENAMETOOLONG;
	strcpy(address.sun_path, path);
	manager->path = strdup(path);
	if (!manager->path)
		return ENOMEM;
	manager->lock = tr2_socket_lock(path);
	if (manager->lock >= 0)
		manager->listener = open_listener(&address);
	if (manager->listener >= 0)
		return 0;
	error = errno;
	tr2_manager_hang_up(manager);
	return error;
}

/* Only the manager that made the socket removes it. */
void tr2_manager_hang_up(struct tr2_manager *manager)
{
	if (manager->listener >= 0) {
		close(manager->listener);
		unlink(manager->path);
		manager->listener = -1;
	}
	tr2_socket_unlock(manager->path, manager->lock);
	manager->lock = -1;
	free(manager->path);
	manager->path = NULL;
}
