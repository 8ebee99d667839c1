/*
 * source.h - the bytes of a log, from a file as it is or compressed by
 * gzip or zstd. Which of these it is, the first bytes tell.
 */
#ifndef TR2_LOG_SOURCE_H
#define TR2_LOG_SOURCE_H

#include <stddef.h>
#include <sys/types.h>

#define TR2_PACKING_HEAD 4

enum tr2_packing { TR2_PACKING_NONE, TR2_PACKING_GZIP, TR2_PACKING_ZSTD };

/* What a file begins with, TR2_PACKING_HEAD bytes; zeros if it has less. */
enum tr2_packing tr2_source_packing(const void *head);

struct tr2_source;

/* Read from the descriptor, which stays the caller's. */
struct tr2_source *tr2_source_open(int fd);

/* At its end, wait for what is written to it. See follow.h. */
void tr2_source_follow(struct tr2_source *source, const char *path);

/*
 * Some of the next bytes: how many, 0 at the end, or -1 and `error` says
 * why. A compressed file that ends too early is an error.
 */
ssize_t tr2_source_read(struct tr2_source *source, char *bytes, size_t room,
			const char **error);

void tr2_source_close(struct tr2_source *source);

#endif
