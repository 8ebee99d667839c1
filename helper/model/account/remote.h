/* remote.h - which remote the words of an event's `argv` speak to. */
#ifndef TR2_ACCOUNT_REMOTE_H
#define TR2_ACCOUNT_REMOTE_H

#include "model/totals/rows.h"
#include "read/record.h"

/*
 * Returns the number of a text: "origin, https://example.com/x.git", without
 * user and query; 0 if the event starts no transport, and is none.
 */
uint32_t tr2_name_remote(struct tr2_rows *rows, struct tr2_record *record);

#endif
