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

struct tr2_glance {
	const char *sid; /* of the first event in the line, or NULL */
	size_t len;
	uint8_t owner; /* its partition, or 0 */
};

/*
 * Of which process is the event that the line begins with? False if that is
 * not known. Most lines are of the same as the line before: what was seen of
 * that is looked at first. At the beginning it is all zeros.
 */
bool tr2_glance_owner(const char *text, size_t len, struct tr2_glance *glance);

/*
 * May an event begin at that brace, or an object that is no part of the one
 * before? It is not the first byte of the text.
 */
bool tr2_glance_may_begin(const char *text, const char *brace, const char *end);

/* Is the whole line of one process, whatever is wrong with it? */
bool tr2_glance_line(const char *text, size_t len, struct tr2_glance *glance);

#endif
