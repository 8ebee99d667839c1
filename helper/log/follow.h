/*
 * follow.h - a log that is still being written, as `tail -F` reads it:
 * over rotation and truncation, until SIGINT or SIGTERM.
 */
#ifndef TR2_LOG_FOLLOW_H
#define TR2_LOG_FOLLOW_H

#include <stdbool.h>

#include "log/inputs.h"

/*
 * Call fn for the file, and again for each that takes its place, until a
 * signal comes. A file that is not there at first is given as such.
 */
void tr2_follow(const char *path, tr2_inputs_fn *fn, void *context);

/*
 * Wait until there is more to be read. False: a signal came, or the file
 * at this path is another one or was cut.
 */
bool tr2_follow_wait(const char *path, int fd);

#endif
