/*
 * said.h - what the words of a command line say. Commands repeat, so what was
 * said of the last ones is kept.
 */
#ifndef TR2_ACCOUNT_SAID_H
#define TR2_ACCOUNT_SAID_H

#include <stdbool.h>
#include <stdint.h>

#include "model/totals/rows.h"

struct tr2_record;

#define TR2_SAID_MOST 256 /* a power of two */

struct tr2_said {
	uint64_t key;	       /* hash of all that it depends on */
	uint32_t name, remote; /* numbers of texts */
	uint32_t words;	       /* as in a tree */
	uint32_t choices;      /* as in facts */
	bool asks;	       /* for credentials */
};

/* Returns what the event's words say; valid until the next call. */
const struct tr2_said *tr2_said_read(struct tr2_said kept[TR2_SAID_MOST],
				     struct tr2_rows *rows,
				     struct tr2_record *record);

#endif
