/*
 * glance.h - find out to which process a line belongs, as far as this is
 * possible without reading it, and which worker checks it when several share
 * the work.
 *
 * The first component of its SID puts a process into one of TR2_PARTITIONS
 * partitions; so a process and all its descendants are in the same one.
 * Everything that is known about processes is kept by partition and never
 * moves to another one.
 */
#ifndef TR2_LOG_GLANCE_H
#define TR2_LOG_GLANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TR2_PARTITIONS 64

/* Returns the partition of the process with this SID. */
unsigned tr2_glance_partition(const char *sid, size_t len);

/*
 * Returns the SID of the event at the beginning of the text, or NULL. If the
 * text turns out to be an event, this is its SID.
 */
const char *tr2_glance_sid(const char *text, size_t len, size_t *sid_len);

/*
 * The same if the whole line belongs to this process, whatever is wrong with
 * it.
 */
const char *tr2_glance_line(const char *text, size_t len, size_t *sid_len);

/*
 * May an event begin at this brace, or an object that is not part of the one
 * before? The brace is not the first byte of the text.
 */
bool tr2_glance_may_begin(const char *text, const char *brace, const char *end);

struct tr2_block;

/*
 * For each line of the block (there is at least one), find its owner: the
 * partition of the event at its beginning. A line is for all workers if its
 * owner is unknown, or if it may contain more than one event. The line before
 * it is then for all workers, too, if the line does not begin an object or is
 * unknown: findings about one may depend on the other. Other lines come in
 * runs.
 */
void tr2_glance_at_lines(struct tr2_block *block);

#endif
