/*
 * secret.h - find secrets in a text that is decoded: it has no escapes of JSON
 * and no passwords in URLs any more. The .tsv have the patterns.
 *
 * A secret is a token that begins as tokens do; the value of a name, as in
 * `password=VALUE`, `--token VALUE` or `"secret": "VALUE"`; what follows
 * `Authorization:` and the like, up to the end of the line; or a private key.
 * It becomes `<REDACTED>`. Each function appends the text to show.
 */
#ifndef TR2_SECRET_SECRET_H
#define TR2_SECRET_SECRET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "lib/common/vec.h"

#define TR2_SECRET_GONE "<REDACTED>"

/* What a name says of its value. */
enum tr2_secret_value {
	TR2_SECRET_NONE,
	TR2_SECRET_VALUE,   /* the value is a secret */
	TR2_SECRET_LONG,    /* so is a long one */
	TR2_SECRET_RANDOM,  /* so is one of letters and digits */
	TR2_SECRET_LINE,    /* it is that of a header, perhaps with a scheme */
	TR2_SECRET_EXTRA,   /* it is a header, with its name */
	TR2_SECRET_USER,    /* USER:PASSWORD */
	TR2_SECRET_PERCENT, /* USER%PASSWORD */
	TR2_SECRET_COMMA,   /* USER,PASSWORD */
	TR2_SECRET_EQUAL,   /* NAME=PASSWORD */
	TR2_SECRET_SLASH,   /* USER/PASSWORD, and perhaps @HOST */
	TR2_SECRET_GREATER, /* >PASSWORD */
	TR2_SECRET_COMMAND, /* `echo PASSWORD`, or another command */
	TR2_SECRET_PROXY,   /* USER:PASSWORD@HOST, without a scheme */
	TR2_SECRET_PLAIN,   /* the value, but no option and no NAME=VALUE */
	TR2_SECRET_PAIRS,   /* NAME=VALUE, or the name of a file */
	TR2_SECRET_STRONG,  /* a long value of random letters and digits */
	TR2_SECRET_JOINED   /* of a table only: a value in the same word */
};

/* `asked`: the name follows `?` or `&`. */
enum tr2_secret_value tr2_secret_name(const char *name, size_t len, bool asked);

/* `"name": NAME`, after which `"value": VALUE` comes: are these the two? */
bool tr2_secret_names_other(const char *name, size_t len);
bool tr2_secret_is_value(const char *name, size_t len);

void tr2_secret_hide(struct tr2_buf *out, const char *text, size_t len);

/* The same for a text that is the value of a name. */
void tr2_secret_hide_value(struct tr2_buf *out, enum tr2_secret_value value,
			   const char *text, size_t len);

/* Returns the length of `-----BEGIN PRIVATE KEY-----` here, or 0. */
size_t tr2_secret_measure_key(const char *text, size_t len);

/* ---- Words of a command line, in words.c */

#define TR2_SECRET_PROGRAMS 400

/* Which programs, and with them options, the words have named. */
struct tr2_secret_programs {
	unsigned char rows[TR2_SECRET_PROGRAMS]; /* of TR2_SECRET_OPTIONS */
	bool any;				 /* one of them is not 0 */
	char quote;	       /* that is around the first in a text, or NUL */
	bool more;	       /* words were counted that may be those of one */
	unsigned short owners; /* rows of TR2_SECRET_SETTINGS, as bits */
	bool config;	       /* keys of settings may follow */
};

/* A command line. Begin with zeros. */
struct tr2_secret_words {
	struct tr2_buf line;   /* all words, those with a blank in quotes */
	struct tr2_vec places; /* of them */
	struct tr2_vec spans;  /* of secrets that are seen only together */
	uint32_t next;	       /* the word that is hidden next */
};

/* Add each word, seek their secrets, and then hide each of them. */
void tr2_secret_add_word(struct tr2_secret_words *words, const char *text,
			 size_t len);
void tr2_secret_find_in_words(struct tr2_secret_words *words);
void tr2_secret_hide_word(struct tr2_secret_words *words, struct tr2_buf *out,
			  const char *text, size_t len);
void tr2_secret_end_words(struct tr2_secret_words *words);

#endif
