/*
 * source.h - the bytes of a log, from a plain file or one that is compressed
 * by gzip or zstd. The first bytes decide which one it is.
 */
#ifndef TR2_READ_BYTES_SOURCE_H
#define TR2_READ_BYTES_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct tr2_source;

/* Read from the descriptor, which the caller keeps. */
struct tr2_source *tr2_source_open(int fd);

/* At the end of the file, wait for more. See follow.h. */
void tr2_source_follow(struct tr2_source *source, const char *path);
bool tr2_source_follows(const struct tr2_source *source);

/*
 * Read some of the next bytes: returns how many, 0 at the end, or -1 with the
 * reason in `error`. A compressed file that ends too early is an error.
 */
ssize_t tr2_source_read(struct tr2_source *source, char *bytes, size_t room,
			const char **error);

void tr2_source_close(struct tr2_source *source);

#endif
