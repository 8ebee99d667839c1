/*
 * duplicate.h - two members of one object with the same key.
 */
#ifndef TR2_VALIDATE_DUPLICATE_H
#define TR2_VALIDATE_DUPLICATE_H

#include "validate/doc.h"

struct tr2_duplicate_key;

/* Room to compare keys in, kept from one document to the next. */
struct tr2_duplicates {
	struct tr2_duplicate_key *keys;
	size_t room;
};

#define TR2_DUPLICATES_INIT \
	{                   \
		NULL, 0     \
	}

/*
 * A key that its object, at any depth, has before already: its index on
 * the tape, or 0. Takes n log n time, whoever chose the keys.
 */
size_t tr2_duplicates_find(struct tr2_duplicates *duplicates,
			   const struct tr2_doc *doc);

void tr2_duplicates_release(struct tr2_duplicates *duplicates);

#endif
