/*
 * ready.h - reading and writing where another program decides when. Whoever
 * shares a pipe, a socket or a terminal with us can set O_NONBLOCK for it,
 * also for our descriptor. Then read(2) and write(2) fail with EAGAIN, and
 * stdio loses what it wanted to write. These functions wait instead, and
 * leave the mode as it is.
 */
#ifndef TR2_FILES_READY_H
#define TR2_FILES_READY_H

#include <stddef.h>
#include <sys/types.h>

/* As read(2), but it waits; signals do not interrupt it. */
ssize_t tr2_ready_read(int fd, void *bytes, size_t room);
/* Write all. Returns how many bytes were written; if fewer, errno tells why. */
size_t tr2_ready_write(int fd, const void *bytes, size_t len);

/*
 * From now on stdout and stderr wait, if stdio can be told to. Does nothing
 * for a file.
 */
void tr2_ready_adopt_streams(void);

/*
 * From now on stderr does not wait, so that a reader who has stopped reading
 * can't stop us: so many bytes that it does not take are kept, and offered
 * again with the next message.
 */
#define TR2_READY_KEPT ((size_t)64 << 10)
void tr2_ready_keep_errors(void);

/*
 * Write what was kept; give up if the reader takes nothing for this time. If
 * there was no room for a message, tell how much is lost.
 */
void tr2_ready_end_errors(int timeout_ms);

#endif
