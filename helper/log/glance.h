/*
 * glance.h - of which process a line is, as far as that can be told without
 * reading it, and who looks at it when several share the work.
 *
 * Processes are put in TR2_PARTITIONS by the first component of their SIDs:
 * a process, its children and theirs are in one. What is known of them is
 * kept by partition and never goes from one to another.
 */
#ifndef TR2_LOG_GLANCE_H
#define TR2_LOG_GLANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TR2_PARTITIONS 64

/* That of the process with this SID. */
unsigned tr2_glance_partition(const char *sid, size_t len);

/*
 * The SID of the event that the text begins with, or NULL. If the text
 * turns out to be an event, then its SID is this one.
 */
const char *tr2_glance_sid(const char *text, size_t len, size_t *sid_len);

/* The same if the whole line is of that process, whatever is wrong with it. */
const char *tr2_glance_line(const char *text, size_t len, size_t *sid_len);

/*
 * May an event begin at that brace, or an object that is no part of the one
 * before? It is not the first byte of the text.
 */
bool tr2_glance_may_begin(const char *text, const char *brace, const char *end);

struct tr2_block;

/*
 * For each line of the block, at least one, its owner, the partition of the
 * event that it begins with; and whether it is for all, since that is not
 * known, or more than one may be in it. So is the one before a line that
 * doesn't begin an object, or before one that is not known yet: whether that
 * is told depends on it. Lines that are not for all come in runs.
 */
void tr2_glance_at_lines(struct tr2_block *block);

#endif
