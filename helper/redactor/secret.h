/*
 * secret.h - find secrets in a text that is decoded: it has no escapes of JSON
 * and no passwords in URLs any more. event/secrets.h has the patterns.
 *
 * A secret is a token that begins as tokens do; the value of a name, as in
 * `password=VALUE`, `--token VALUE` or `"secret": "VALUE"`; what follows
 * `Authorization:` and the like, up to the end of the line; or a private key.
 * It becomes `<REDACTED>`. Each function appends the text to show.
 */
#ifndef TR2_REDACTOR_SECRET_H
#define TR2_REDACTOR_SECRET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define TR2_SECRET_GONE "<REDACTED>"

/* What a name says of its value. */
enum tr2_secret_value {
	TR2_SECRET_NONE,
	TR2_SECRET_VALUE, /* the value is a secret */
	TR2_SECRET_LINE,  /* it is that of a header, perhaps with a scheme */
	TR2_SECRET_EXTRA, /* it is a header, with its name */
	TR2_SECRET_USER,  /* USER:PASSWORD */
	TR2_SECRET_PROXY, /* USER:PASSWORD@HOST, without a scheme */
	TR2_SECRET_PAIRS  /* NAME=VALUE, or the name of a file */
};

/* `asked`: the name follows `?` or `&`. */
enum tr2_secret_value tr2_secret_name(const char *name, size_t len, bool asked);

void tr2_secret_hide(struct tr2_buf *out, const char *text, size_t len);

/* The same where `NAME:VALUE` needs no blank, and the line ends the value. */
void tr2_secret_hide_pair(struct tr2_buf *out, const char *text, size_t len);

/* The same for a text that is the value of a name. */
void tr2_secret_hide_value(struct tr2_buf *out, enum tr2_secret_value value,
			   const char *text, size_t len);

/* ---- secret_word.c */

/* Where the words of one command line are. Begin with zeros. */
struct tr2_secret_words {
	enum tr2_secret_value next; /* what the next word is */
	bool curl;		    /* there was `curl` */
	bool config;		    /* there was `config` or `configure` */
};

/* The next word of a command line. */
void tr2_secret_hide_word(struct tr2_secret_words *words, struct tr2_buf *out,
			  const char *text, size_t len);

/* ---- secret_text.c: only for the room's own use */

/* A text as it is walked through. */
struct tr2_secret_scan {
	const char *text;
	size_t len;
	bool word;  /* it is a word of a command line */
	bool pairs; /* see tr2_secret_hide_pair() */
	bool curl;  /* there was `curl` */
	char quote; /* the quote that is open at the present place, or NUL */
};

struct tr2_secret_span {
	size_t start, end;
};

/* Is there a secret of a name that `=`, `:`, a `,` or a blank follows here? */
bool tr2_secret_find_named(const struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found);

/* Is the value from `start` on, of a header, a secret? */
bool tr2_secret_find_header(const struct tr2_secret_scan *scan, size_t start,
			    char end, bool named,
			    struct tr2_secret_span *found);

/* Is the value from `start` on, perhaps in quotes, a secret? */
bool tr2_secret_find_value(const struct tr2_secret_scan *scan, size_t start,
			   struct tr2_secret_span *found);

/* Skip `basic ` and the like. Returns where the secret begins. */
size_t tr2_secret_skip_scheme(const struct tr2_secret_scan *scan, size_t at);

/* May this value be shown? It is empty, hidden, or a conversion of printf. */
bool tr2_secret_is_shown(const char *text, size_t len);

/* ---- secret_option.c: programs that take a secret without a name */

/* Returns the length of curl's option at the beginning, or 0. */
size_t tr2_secret_measure_option(const char *text, size_t len,
				 enum tr2_secret_value *value);

/* Does an option of curl that has a secret begin here? */
bool tr2_secret_find_option(const struct tr2_secret_scan *scan, size_t at,
			    struct tr2_secret_span *found);

/* Does the password of a line of .netrc begin after this blank? */
bool tr2_secret_find_netrc(const struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found);

/* Leave only what is secret of such a value. False: nothing is. */
bool tr2_secret_narrow(const char *text, enum tr2_secret_value value,
		       struct tr2_secret_span *found);

/* Append the text with its secrets replaced. */
void tr2_secret_walk(struct tr2_secret_scan *scan, struct tr2_buf *out);

#endif
