/*
 * made.h - an object of JSON that is made, member by member. Its tokens and
 * values are noted with it, as record.h has them, so that nobody has to read
 * what was just written.
 */
#ifndef TR2_READ_TEXT_MADE_H
#define TR2_READ_TEXT_MADE_H

#include "base/buf.h"
#include "read/json/names.h"
#include "read/json/parse.h"

#define TR2_MADE_MOST 32 /* members */

struct tr2_made {
	struct tr2_buf text;
	struct tr2_buf places;	  /* uint32_t, of tokens */
	struct tr2_tokens tokens; /* so far, and of the text when it is whole */
	bool unsure;		  /* the text has to be read all the same */
	bool escapes;		  /* it may have backslashes */
	bool sourceless;	  /* as in struct tr2_reader */
	enum tr2_is is;
	int64_t clock; /* us since the first day began, or -1: no `time` */
	size_t count;  /* of members */
	uint8_t key[TR2_MADE_MOST];
	struct tr2_value value[TR2_MADE_MOST];
};

/*
 * Begin another one, of an event of this type; members follow, of which the
 * texts have so many bytes together.
 */
void tr2_made_begin(struct tr2_made *made, enum tr2_is is, size_t len);

/* Append `,"KEY":`. The value is appended to `text`, and then ended. */
void tr2_made_key(struct tr2_made *made, enum tr2_key key);
void tr2_made_value(struct tr2_made *made, enum tr2_kind kind);

/* Note that a token comes next. */
void tr2_made_token(struct tr2_made *made);

/* Append a string. */
void tr2_made_string(struct tr2_made *made, const char *text, size_t len);

/* Append a whole member. */
void tr2_made_text(struct tr2_made *made, enum tr2_key key, const char *text,
		   size_t len);
/* The same of a text that needs no escapes. */
void tr2_made_plain(struct tr2_made *made, enum tr2_key key, const char *text,
		    size_t len);
void tr2_made_number(struct tr2_made *made, enum tr2_key key,
		     enum tr2_kind kind, const char *text, size_t len);

/* The object is complete. */
void tr2_made_end(struct tr2_made *made);

/* It is this text instead, which has to be read. */
void tr2_made_copy(struct tr2_made *made, const char *text, size_t len);

void tr2_made_release(struct tr2_made *made);

#endif
