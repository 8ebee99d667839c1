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

#include "read/record.h"

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

/* Returns the keys that this EVENT version requires and that are missing. */
uint64_t tr2_schema_missing(struct tr2_record *record,
			    const struct tr2_schema_event *rules, unsigned evt);

/* Is the value valid? */
bool tr2_schema_passes(struct tr2_record *record, const struct tr2_check *check,
		       const struct tr2_value *value);

/*
 * Is the whole event valid? A fast test for the common case. The values of
 * the keys in `trusted` are known to be valid.
 */
bool tr2_schema_conforms(struct tr2_record *record,
			 const struct tr2_schema_event *rules, unsigned evt,
			 uint64_t trusted);

#endif
