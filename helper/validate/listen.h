/*
 * listen.h - `--listen`: logs that come through a socket, checked as they
 * are written.
 *
 * Who writes is not to wait. So one thread does nothing but read, as soon
 * as there is something, and another one checks. Between them is a queue;
 * when it is full, what comes is read nevertheless and dropped, line by
 * line, and the lines are counted. From then on nothing is claimed of what
 * may have been in them.
 *
 * A stream has a log for each connection: PATH#1, PATH#2 and so on, in the
 * order in which they came. Datagrams of all processes are one log, PATH.
 *
 *	listen.c	connections, and what is read from them
 *	queue.h		from the one thread to the other
 *	socket.h	the socket and its file
 */
#ifndef TR2_VALIDATE_LISTEN_H
#define TR2_VALIDATE_LISTEN_H

#include "validate/socket.h"
#include "validate/worker.h"

/* Open the socket, and be ready for signals. NULL, or why it can't be done. */
const char *tr2_listen_begin(struct tr2_socket *socket);

/*
 * Listen until SIGINT or SIGTERM, and take what is there by then. In the
 * worker's totals are then files and bytes. Gives how many lines were
 * dropped.
 */
unsigned long tr2_listen(struct tr2_socket *socket, struct tr2_worker *worker);

#endif
