/*
 * private.h - what the files of this room share.
 *
 * An opener returns a descriptor at the top of the table, or -1 after it
 * warned (under debug) about the failure.
 */
#ifndef TR2_DESTINATION_PRIVATE_H
#define TR2_DESTINATION_PRIVATE_H

#include "destination/destination.h"

/*
 * Create a file in the directory `value`. Sets whether it is the sentinel, or
 * was not opened because of it.
 */
int tr2_destination_open_dir(const struct tr2_destination_options *options,
			     int *is_full);

/* Connect to `value`, which follows `af_unix:`, with or without a type. */
int tr2_destination_open_socket(const struct tr2_destination_options *options,
				const char *value);

/*
 * Move a descriptor of ours to the top of the table. A number that is not
 * open stays, with its errno; the caller finds out when it uses the number.
 */
int tr2_destination_lift(int fd);

/* Is the size of files limited, so that a write may raise SIGXFSZ? */
int tr2_destination_is_limited(void);

/*
 * Under debug, warn with errno's text: `trace2: could not <action> '<path>'
 * for '<variable>' tracing: …`.
 */
void tr2_destination_warn_open(const struct tr2_destination_options *options,
			       const char *action, const char *path);

/* Warn `unable to write trace to '<variable>': …`, with errno's text. */
void tr2_destination_warn_write(const char *variable);

#endif
