/*
 * schema.h - the tables that gen_tables.py makes from schema/: the keys of
 * each event and the conditions for their values. The code knows how to
 * check; only the schemas know what to check.
 */
#ifndef TR2_RULES_SCHEMA_H
#define TR2_RULES_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "json/parse.h"
#include "schema_tables.h" /* enum tr2_key, enum tr2_is, TR2_EVT_MAX */

/* The further condition for a value of the right kind. */
enum tr2_test {
	TR2_TEST_KIND,	   /* none */
	TR2_TEST_NONEMPTY, /* a string must not be empty */
	TR2_TEST_MINIMUM,  /* a number must be at least `minimum` */
	TR2_TEST_MATCH,	   /* a string must `match` */
	TR2_TEST_VALUES	   /* a string must be one of `values` */
};

struct tr2_check {
	unsigned kinds; /* bits of enum tr2_kind: the right kinds */
	enum tr2_test test;
	int64_t minimum;
	bool (*match)(const char *text, size_t len);
	const char *const *values; /* ends with NULL */
	const char *expected;	   /* in words: "an integer, at least 0" */
};

struct tr2_schema_event {
	const char *name; /* NULL: the version does not have this event */
	uint64_t known;	  /* its keys: bit k is key k */
	uint64_t required[TR2_EVT_MAX + 1]; /* 0: not in that version */
	/* The keys for which every plain value of this kind is valid. */
	uint64_t plain[TR2_PLAIN_KINDS];
	/* If this key has this value, these keys are required, too. */
	enum tr2_key when_key;
	const char *when_value; /* NULL: there is no such rule */
	uint64_t when_required;
	uint8_t check[TR2_KEYS]; /* places in tr2_schema_checks */
	const char *id[TR2_KEYS];
};

/* Does the event have this key? -1 is no key. */
static inline bool tr2_schema_knows(const struct tr2_schema_event *rules,
				    int key)
{
	return key >= 0 && rules->known >> key & 1;
}

extern const struct tr2_check tr2_schema_checks[];
extern const struct tr2_schema_event tr2_schema_rules[TR2_IS_OTHER + 1];

/* The ids of findings about unknown events and keys. */
extern const char tr2_schema_unknown_event[];
extern const char tr2_schema_unknown_key[];

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

extern const struct tr2_names tr2_schema_keys;	 /* by enum tr2_key */
extern const struct tr2_names tr2_schema_events; /* by enum tr2_is */

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
