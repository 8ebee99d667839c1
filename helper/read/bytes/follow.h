/*
 * follow.h - read a log that is still being written, as `tail -F` does:
 * across rotation and truncation, until SIGINT or SIGTERM.
 */
#ifndef TR2_READ_BYTES_FOLLOW_H
#define TR2_READ_BYTES_FOLLOW_H

#include <stdbool.h>

#include "read/bytes/inputs.h"

/*
 * Call `fn` for the file, and again for each file that replaces it, until a
 * signal comes. If the file is missing at first, `fn` is called for that.
 */
void tr2_follow(const char *path, tr2_inputs_fn *fn, void *context);

/*
 * Wait for more bytes. False: a signal came, or the file at this path was
 * replaced or truncated.
 */
bool tr2_follow_wait(const char *path, int fd);

#endif
