/*
 * socket_lock.h - who makes a socket in the file system has the lock beside
 * it, PATH.lock, from before until it is gone.
 *
 * A socket that was bound and does not listen yet looks like one that is
 * left over; without the lock, two that begin at once would each take the
 * place of the other.
 */
#ifndef TR2_SOCKET_LOCK_H
#define TR2_SOCKET_LOCK_H

/*
 * A descriptor that holds the lock until it is given back or the process
 * ends. Never waits: -1 with errno, EADDRINUSE if somebody else has it.
 */
int tr2_socket_lock(const char *path);

/*
 * Give the lock back, and remove it unless it is somebody else's file: such a
 * one serves as a lock too, and stays as it was. Nothing if `fd` is -1.
 */
void tr2_socket_unlock(const char *path, int fd);

#endif
