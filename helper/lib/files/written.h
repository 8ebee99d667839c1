/*
 * written.h - does a process have a file open for writing? Only Linux tells,
 * and not of each disk.
 */
#ifndef TR2_FILES_WRITTEN_H
#define TR2_FILES_WRITTEN_H

#include <stdbool.h>

/* `name` in the directory; false also if nobody knows. */
bool tr2_is_written(int dir, const char *name);

#endif
