/*
 * record.h - one event: which keys it has, and where their values are. Rules
 * and models look at records and never at JSON.
 */
#ifndef TR2_READ_RECORD_H
#define TR2_READ_RECORD_H

#include "read/json/parse.h"
#include "read/bytes/block.h"
#include "read/json/names.h"
#include "read/text/made.h"

struct tr2_record {
	enum tr2_log_format
		format; /* of the log; others than EVENT will come */
	struct tr2_parse parse;
	struct tr2_buf scratch; /* for decoded texts, */
	struct tr2_buf word;	/* and for who goes through a list of them */
	enum tr2_is is;		/* the event; TR2_IS_OTHER: an unknown one */
	uint64_t present;	/* bit k: key k is present with value[k] */
	/* Bit k: the value of key k is a plain one of this kind. */
	uint64_t plain[TR2_PLAIN_KINDS];
	uint64_t repeated; /* bit k: key k occurs twice */
	unsigned unknown;  /* number of keys that are in no schema */
	struct tr2_value value[TR2_KEYS];
	struct tr2_value other; /* last value of another key */
	int64_t time; /* what `time` says; 0: it has to be read (value.h) */
};

enum tr2_record_result {
	TR2_RECORD_OK,
	TR2_RECORD_NOT_OBJECT, /* JSON, but not an object */
	TR2_RECORD_REFUSED     /* not JSON, or beyond the parser's limits */
};

/* Read the text, which is an object. */
enum tr2_record_result tr2_record_read(struct tr2_record *record,
				       const char *text, size_t len);

/* The same for a text that is one of many whose tokens were found together. */
enum tr2_record_result tr2_record_read_among(struct tr2_record *record,
					     const struct tr2_tokens *tokens,
					     const char *text, size_t len,
					     bool escapes);

/* The same for an object that was made, and that nobody has to read. */
void tr2_record_take(struct tr2_record *record, const struct tr2_made *made);
void tr2_record_release(struct tr2_record *record);

static inline bool tr2_record_has(const struct tr2_record *record,
				  enum tr2_key key)
{
	return record->present >> key & 1;
}

/*
 * Returns the text of a key's value, or NULL if it is not a string. Valid
 * until the next call.
 */
static inline const char *tr2_record_text(struct tr2_record *record,
					  enum tr2_key key, size_t *len)
{
	const struct tr2_value *value = &record->value[key];

	if (!tr2_record_has(record, key) || value->kind != TR2_STRING)
		return NULL;
	return tr2_parse_text(&record->parse, value, &record->scratch, len);
}

/* Returns a key's value as it is in the line, or NULL if it is missing. */
static inline const char *tr2_record_raw(const struct tr2_record *record,
					 enum tr2_key key, size_t *len)
{
	const struct tr2_value *value = &record->value[key];

	*len = value->end - value->start;
	return tr2_record_has(record, key) ? record->parse.text + value->start
					   : NULL;
}

/* The same, but of a string its text. */
static inline const char *tr2_record_any(struct tr2_record *record,
					 enum tr2_key key, size_t *len)
{
	const char *text = tr2_record_text(record, key, len);

	return text ? text : tr2_record_raw(record, key, len);
}

/* Returns the number of the key that the string spells, or -1. */
static inline int tr2_record_key(struct tr2_record *record,
				 const struct tr2_value *key)
{
	size_t len;
	const char *text =
		tr2_parse_text(&record->parse, key, &record->scratch, &len);

	return tr2_names_find(&tr2_names_keys, text, len);
}

#endif
