/* linux.h - what only Linux tells of a file or does with it, and not on each disk. */
#ifndef TR2_FILES_LINUX_H
#define TR2_FILES_LINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Does a process have the file open for writing? It is open for reading only
 * here. 1 or 0; -1: nobody knows.
 */
int tr2_find_writer(int fd);

/*
 * Has the disk no room for one more byte at the end of the file, which is open
 * for writing? The file stays as it is. False also if nobody knows.
 */
bool tr2_is_full(int fd);

/*
 * Returns why nothing could be written to the file: an errno value, or 0 also
 * if it is not there. A device such as /dev/full refuses no bytes, too. A FIFO
 * is not tried, because its reader would take the close for the end.
 */
int tr2_try_file(const char *name);

/*
 * Move a file to a name, which must be free. In one step where the system can
 * do that; elsewhere a kill can leave both names. 0, or -1 with errno: also
 * where the disk has no links.
 */
int tr2_move_file(const char *from, const char *to);

/*
 * Returns when the file of this name in the directory was made, in ns since
 * 1970, or 0 if nobody knows. A link is not followed.
 */
uint64_t tr2_birth_find(int dir, const char *name);

#endif
