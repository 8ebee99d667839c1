/*
 * sid.h - the first SID of a log, from its head.
 *
 * Nearly every line shows its SID at a glance. The others (escapes in the SID,
 * bytes that are not UTF-8, an object before it, a torn line) are read; what is
 * wrong with them is not told, because this room does not judge logs.
 */
#ifndef TR2_SHARD_SID_H
#define TR2_SHARD_SID_H

#include "read/bytes/lines.h"
#include "read/events.h"

struct tr2_first_sid {
	struct tr2_events events;
	struct tr2_buf text; /* the SID, if an event has shown it */
	bool found;	     /* and one has */
	size_t at;	     /* in the block: the first line that is not read */
	unsigned long number; /* of the line before that one */
};

void tr2_first_sid_begin(struct tr2_first_sid *first);

/*
 * Returns the SID, or NULL if the first TR2_LINE_MAX bytes have none or can't
 * be read (lines->failed). The block has the head of the log; more is read
 * into it if necessary. The SID is valid until the next call, or a change of
 * the block.
 */
const char *tr2_first_sid_read(struct tr2_first_sid *first,
			       struct tr2_lines *lines, struct tr2_block *block,
			       size_t *len);

void tr2_first_sid_release(struct tr2_first_sid *first);

#endif
