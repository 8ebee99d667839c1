/*
 * names.h - the names of events and keys, as numbers. gen_tables.py makes
 * them from schema/.
 */
#ifndef TR2_READ_NAMES_H
#define TR2_READ_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "schema_tables.h" /* enum tr2_key, enum tr2_is, TR2_EVT_MAX */

/*
 * A set of names with a perfect hash: one probe decides. A slot contains all
 * that is compared, so that there is only one load to wait for.
 */
struct tr2_name_slot {
	uint64_t head; /* the first 8 bytes, the first one lowest */
	uint8_t len;
	uint8_t number;
};

struct tr2_names {
	uint64_t factor;
	struct tr2_name_slot slot[256];
	const char *const *name;
};

/* Masks for the first bytes of a word, by their number. */
extern const uint64_t tr2_names_masks[8 + 1];

extern const struct tr2_names tr2_names_keys;	/* by enum tr2_key */
extern const struct tr2_names tr2_names_events; /* by enum tr2_is */

/* A key as `,"KEY":`, which is appended in one move. */
struct tr2_names_member {
	char text[16];
	uint32_t len;
};

extern const struct tr2_names_member tr2_names_members[]; /* by enum tr2_key */

static inline uint64_t tr2_names_head(const char *text, size_t len)
{
	uint64_t head;

	memcpy(&head, text, sizeof(head));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	head = __builtin_bswap64(head);
#endif
	return head & tr2_names_masks[len < 8 ? len : 8];
}

/* Compare the rest of a name whose first 8 bytes are equal. */
static inline bool tr2_names_has_rest(const char *name, const char *text,
				      size_t len)
{
	uint64_t last, there;

	if (len > 16)
		return !memcmp(name + 8, text + 8, len - 8);
	memcpy(&last, name + len - 8, sizeof(last));
	memcpy(&there, text + len - 8, sizeof(there));
	return last == there;
}

/* Returns the name's number, or -1. 8 bytes after `text` must be readable. */
static inline int tr2_names_find(const struct tr2_names *names,
				 const char *text, size_t len)
{
	uint64_t head = tr2_names_head(text, len);
	const struct tr2_name_slot *slot =
		&names->slot[((head ^ len) * names->factor) >> 56];

	if (slot->head != head || slot->len != len)
		return -1;
	if (len > 8 &&
	    !tr2_names_has_rest(names->name[slot->number], text, len))
		return -1;
	return slot->number;
}

#endif
