/*
 * record.h - one event as it stands on its line: which keys it has, and
 * where their values are. Rules, those of the schemas and those between
 * events, look at records and never at JSON.
 */
#ifndef TR2_VALIDATE_RECORD_H
#define TR2_VALIDATE_RECORD_H

#include "validate/doc.h"
#include "validate/schema.h"

struct tr2_record {
	const struct tr2_doc *doc;
	enum tr2_is is;	  /* which event; TR2_IS_OTHER: none that we know */
	uint64_t present; /* bit k: key k is there, its value at[k] */
	uint32_t at[TR2_KEYS];
	uint32_t unknown; /* how many keys are in no schema */
	bool repeated;	  /* one of the known keys is there twice */
	bool nested;	  /* there are objects in it, or lists of lists */
};

/* Read the parsed document. False if it is not an object. */
bool tr2_record_read(struct tr2_record *record, const struct tr2_doc *doc);

static inline bool tr2_record_has(const struct tr2_record *record,
				  enum tr2_key key)
{
	return record->present >> key & 1;
}

/* The text of a key's value, or NULL if there is no string. */
const char *tr2_record_text(const struct tr2_record *record, enum tr2_key key,
			    size_t *len);

/* Keys that event rules of this EVENT version miss, as bits. */
uint64_t tr2_record_missing(const struct tr2_record *record,
			    const struct tr2_schema_event *rules, unsigned evt);

/*
 * The element of the tape that breaks the check: the value at `at` itself,
 * or one in it. 0 if none does.
 */
size_t tr2_check_value(const struct tr2_check *check, const struct tr2_doc *doc,
		       size_t at);

/* Does the event keep all rules of its kind? The common case, and fast. */
bool tr2_record_conforms(const struct tr2_record *record,
			 const struct tr2_schema_event *rules, unsigned evt);

#endif
