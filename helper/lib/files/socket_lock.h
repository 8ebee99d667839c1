/*
 * socket_lock.h - the lock PATH.lock, which a program holds from before it
 * creates the socket PATH until it has removed it.
 *
 * A socket that is bound but not listened on yet looks like one that an
 * earlier program left behind. Without the lock, two programs that start at
 * once could each replace the socket of the other.
 */
#ifndef TR2_FILES_SOCKET_LOCK_H
#define TR2_FILES_SOCKET_LOCK_H

/*
 * Returns a descriptor that holds the lock until it is released or the
 * process ends. Never waits: -1 with errno, EADDRINUSE if another process has
 * the lock, EPERM if own.h refuses the directory or the file.
 */
int tr2_socket_lock(const char *path);

/*
 * Release the lock, and remove its file. If the user has made the file, it
 * was used as a lock, too, but stays as it was. Does nothing if `fd` is -1.
 */
void tr2_socket_unlock(const char *path, int fd);

#endif
