/*
 * listen.h - `--listen`: check logs that arrive through a socket while they
 * are written.
 *
 * Writers must not wait. So one thread only reads, as soon as there is
 * something, and another one checks. There is a queue between them. When it
 * is full, the reader still reads, but drops and counts whole lines. From
 * then on nothing is reported that depends on the missing lines.
 *
 * On a stream socket each connection is a log of its own: PATH#1, PATH#2 and
 * so on, in the order of connection. The datagrams of all processes are one
 * log, PATH.
 */
#ifndef TR2_VALIDATE_LISTEN_H
#define TR2_VALIDATE_LISTEN_H

#include "lib/files/socket.h"
#include "validate/worker.h"

/* Open the socket, and prepare for signals. NULL, or the reason why not. */
const char *tr2_listen_begin(struct tr2_socket *socket);

/*
 * Listen until SIGINT or SIGTERM, and read what has been written by then. The
 * worker's totals then have the numbers of files and bytes. Returns how many
 * lines were dropped.
 */
unsigned long tr2_listen(struct tr2_socket *socket, struct tr2_worker *worker);

#endif
