/*
 * kind.h - what a file is, by its first bytes. This is said here and nowhere
 * else, so that all commands take the same file for the same thing.
 */
#ifndef TR2_READ_KIND_H
#define TR2_READ_KIND_H

#include "read/bytes/lines.h"

/*
 * Returns the format that the first bytes of a log seem to have: the richest
 * one of its lines, whatever a carrier put before them.
 */
enum tr2_log_format tr2_kind_of(const char *head, size_t len);

/*
 * Read the head of a log into the block, and set its format. A log may begin
 * anywhere in the first 16 MiB of a text. Reads no more of an EVENT log, or of
 * one that is followed, than it needs to recognise the format. A file that is nothing else is an archive if its name
 * says so. 0, or -1: the lines have failed.
 */
int tr2_kind_detect(struct tr2_lines *lines, struct tr2_block *block,
		    const char *name);

/*
 * Returns why a file of another format is refused: what it is, and what was
 * expected. Valid until the next call.
 */
const char *tr2_kind_refuse(const struct tr2_block *head, const char *expected);

#endif
