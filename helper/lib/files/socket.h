/* socket.h - a Unix socket that a command listens on. */
#ifndef TR2_FILES_SOCKET_H
#define TR2_FILES_SOCKET_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/un.h>

struct tr2_socket {
	int fd;
	bool stream; /* false: datagrams */
	struct sockaddr_un address;
	dev_t device; /* of its file, which is removed at the end */
	ino_t inode;
	int lock;    /* see socket_lock.h */
	bool passed; /* by another program, which keeps its file */
};

/* Does the text name a socket? If so, set the address. */
bool tr2_socket_parse(struct tr2_socket *socket, const char *text);

/*
 * Listen. A socket on which nobody listens any more is replaced. NULL, or the
 * reason why not.
 */
const char *tr2_socket_open(struct tr2_socket *socket);

/*
 * Listen on a descriptor that another program has made, as systemd does. NULL,
 * or the reason why not.
 */
const char *tr2_socket_adopt(struct tr2_socket *socket, int fd);

/* Stop, and remove the file if it is still ours. */
void tr2_socket_close(struct tr2_socket *socket);

#endif
