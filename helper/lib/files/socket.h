/* socket.h - a Unix socket that a command listens on. */
#ifndef TR2_FILES_SOCKET_H
#define TR2_FILES_SOCKET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/un.h>

struct tr2_socket {
	int fd;
	int type;    /* SOCK_STREAM and the like */
	bool stream; /* its type is that one */
	mode_t mode; /* of its file; 0: as the umask has it */
	struct sockaddr_un address;
	dev_t device; /* of its file, which is removed at the end */
	ino_t inode;
	int lock;    /* see tr2_socket_lock() */
	bool passed; /* by another program, which keeps its file */
};

/* Does the text name a socket? If so, set the address. */
bool tr2_socket_parse(struct tr2_socket *socket, const char *text);

/*
 * Listen. A socket on which nobody listens any more is replaced. 0; or -1 and
 * errno: EISCONN if somebody listens there, ENOTSOCK if there is something
 * else, EPERM as of tr2_socket_lock().
 */
int tr2_socket_bind(struct tr2_socket *socket);

/* The same; NULL, or the reason why not. */
const char *tr2_socket_open(struct tr2_socket *socket);

/*
 * Listen on a descriptor that another program has made, as systemd does. NULL,
 * or the reason why not.
 */
const char *tr2_socket_adopt(struct tr2_socket *socket, int fd);

/* Stop, and remove the file if it is still ours. */
void tr2_socket_close(struct tr2_socket *socket);

/* ---- A service that listens */

/*
 * Returns a descriptor that can be read when SIGINT, SIGTERM or, if it is
 * wanted and not ignored, SIGHUP has come; they end nothing any more. -1: errno.
 */
int tr2_socket_catch_stops(bool hangup);

/* Allow as many descriptors as possible, and return how many. */
uint64_t tr2_socket_raise_limit(void);

/* ---- The lock of a socket's place */

/*
 * The lock PATH.lock, which a program holds from before it creates the socket
 * PATH until it has removed it.
 *
 * A socket that is bound but not listened on yet looks like one that an
 * earlier program left behind. Without the lock, two programs that start at
 * once could each replace the socket of the other.
 *
 * Returns a descriptor that holds the lock until it is released or the process
 * ends. Never waits: -1 with errno, EADDRINUSE if another process has the lock,
 * EPERM if own.h refuses the directory or the file.
 */
int tr2_socket_lock(const char *path);

/*
 * Keep the lock that `fd` holds, or, if somebody has removed its file, take a
 * new one instead. As tr2_socket_lock(); after -1 `fd` is as it was.
 */
int tr2_socket_lock_again(const char *path, int fd);

/*
 * Release the lock, and remove its file. If the user has made the file, it
 * was used as a lock, too, but stays as it was. Does nothing if `fd` is -1.
 */
void tr2_socket_unlock(const char *path, int fd);

#endif
