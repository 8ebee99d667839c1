/*
 * token.h - does a text look like a token, such as a service gives to a
 * program instead of a password? Its name may say so, or the token itself.
 *
 * The bytes come one by one, because they may be escapes, and nothing is kept
 * of them but their number and kinds: this needs neither memory nor a lock, so
 * it is async-signal-safe.
 */
#ifndef TR2_EVENT_TOKEN_H
#define TR2_EVENT_TOKEN_H

#include "event/secrets.h"

#include <stddef.h>

/* A row of secrets.h. */
struct tr2_token_kind {
	const char *prefix;
	unsigned char len;   /* of the prefix */
	unsigned char bytes; /* that may follow it */
	unsigned char least; /* so many follow it, outside of a URL */
	unsigned char loose; /* no other word begins like this */
};

/* The last one has no prefix. */
extern const struct tr2_token_kind tr2_token_kinds[];

/* Returns the kind of a byte, a bit. */
unsigned tr2_token_byte(char c);

/* A name of secrets.h. */
struct tr2_query_name {
	const char *name;
	unsigned char at_word; /* no letter or digit comes before it */
};

/* The last one has no name. */
extern const struct tr2_query_name tr2_query_names[];

#define TR2_TOKEN_HEAD 16

struct tr2_token {
	char head[TR2_TOKEN_HEAD]; /* the first bytes */
	size_t len;
	unsigned changes; /* between letters and digits, or from lower to upper
			   */
	unsigned bytes;	  /* their kinds */
	size_t hex;	  /* bytes that are lower-case hexadecimal digits */
	unsigned last;	  /* the kind of the last letter or digit */
};

/* Begin with zeros. */
void tr2_token_add(struct tr2_token *token, char c);

/* The text is the user of a URL: is it a token? SPEC: redact.token */
int tr2_token_is_user(const struct tr2_token *token);

#endif
