/*
 * glance.h - of which process a line is, as far as that can be told without
 * reading it, and who looks at it when several share the work.
 *
 * Processes are put in TR2_PARTITIONS by the first component of their SIDs:
 * a process, its children and theirs are in one. What is known of them is
 * kept by partition and never goes from one to another.
 */
#ifndef TR2_VALIDATE_GLANCE_H
#define TR2_VALIDATE_GLANCE_H

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

/*
 * Is the whole line of one process, whatever is wrong with it? `owner` is
 * the partition of the first one in it, or 0.
 */
bool tr2_glance_line(const char *text, size_t len, uint8_t *owner);

#endif
