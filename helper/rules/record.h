/*
 * record.h - one event as it stands on its line: which keys it has, and
 * where their values are. Rules, those of the schemas and those between
 * events, look at records and never at JSON.
 */
#ifndef TR2_RULES_RECORD_H
#define TR2_RULES_RECORD_H

#include "json/parse.h"
#include "rules/schema.h"

struct tr2_record {
	struct tr2_parse parse;
	struct tr2_buf scratch; /* for a text with escapes */
	enum tr2_is is;	  /* which event; TR2_IS_OTHER: none that we know */
	uint64_t present; /* bit k: key k is there, its value value[k] */
	/* Bit k: the value of key k is a plain one of that kind. */
	uint64_t plain[TR2_PLAIN_KINDS];
	uint64_t repeated; /* bit k: key k is there twice */
	unsigned unknown;  /* how many keys are in no schema */
	struct tr2_value value[TR2_KEYS];
	struct tr2_value other; /* the last one of another key */
};

enum tr2_record_result {
	TR2_RECORD_OK,
	TR2_RECORD_NOT_OBJECT, /* JSON, but something else */
	TR2_RECORD_REFUSED     /* no JSON, or more than tr2_parse_ takes */
};

/* Read the object that is the text. */
enum tr2_record_result tr2_record_read(struct tr2_record *record,
				       const char *text, size_t len);

/* The same with a text that is one of many, whose tokens were found. */
enum tr2_record_result tr2_record_read_among(struct tr2_record *record,
					     const struct tr2_tokens *tokens,
					     const char *text, size_t len,
					     bool escapes);
void tr2_record_release(struct tr2_record *record);

static inline bool tr2_record_has(const struct tr2_record *record,
				  enum tr2_key key)
{
	return record->present >> key & 1;
}

/*
 * The text of a key's value, or NULL if there is no string. Valid until
 * the next text is asked for.
 */
static inline const char *tr2_record_text(struct tr2_record *record,
					  enum tr2_key key, size_t *len)
{
	const struct tr2_value *value = &record->value[key];

	if (!tr2_record_has(record, key) || value->kind != TR2_STRING)
		return NULL;
	return tr2_parse_text(&record->parse, value, &record->scratch, len);
}

/* The number of the key that the string spells, or -1. */
static inline int tr2_record_key(struct tr2_record *record,
				 const struct tr2_value *key)
{
	size_t len;
	const char *text =
		tr2_parse_text(&record->parse, key, &record->scratch, &len);

	return tr2_names_find(&tr2_schema_keys, text, len);
}

/* The keys that the rules require in this EVENT version and aren't there. */
uint64_t tr2_record_missing(struct tr2_record *record,
			    const struct tr2_schema_event *rules, unsigned evt);

/* Does the value pass? */
bool tr2_record_passes(struct tr2_record *record, const struct tr2_check *check,
		       const struct tr2_value *value);

/*
 * Does the event keep the rules? The common case, and fast. Keys whose
 * bits are in `trusted` are known to have good values.
 */
bool tr2_record_conforms(struct tr2_record *record,
			 const struct tr2_schema_event *rules, unsigned evt,
			 uint64_t trusted);

#endif
