/*
 * secret.h - find secrets in a text that is decoded: it has no escapes of JSON
 * and no passwords in URLs any more. names.h and commands.h have the patterns.
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
	TR2_SECRET_PAIRS,   /* NAME=VALUE, or the name of a file */
	TR2_SECRET_PLAIN,   /* the value, but no option and no NAME=VALUE */
	TR2_SECRET_JOINED   /* of a table only: a value in the same word */
};

/* `asked`: the name follows `?` or `&`. */
enum tr2_secret_value tr2_secret_name(const char *name, size_t len, bool asked);

/* `"name": NAME`, after which `"value": VALUE` comes: are these the two? */
bool tr2_secret_names_other(const char *name, size_t len);
bool tr2_secret_is_value(const char *name, size_t len);

void tr2_secret_hide(struct tr2_buf *out, const char *text, size_t len);

/* The same where `NAME:VALUE` needs no blank, and the line ends the value. */
void tr2_secret_hide_pair(struct tr2_buf *out, const char *text, size_t len);

/* The same for a text that is the value of a name. */
void tr2_secret_hide_value(struct tr2_buf *out, enum tr2_secret_value value,
			   const char *text, size_t len);

/* Returns the length of `-----BEGIN PRIVATE KEY-----` here, or 0. */
size_t tr2_secret_measure_key(const char *text, size_t len);

/* ---- word.c */

#define TR2_SECRET_PROGRAMS 400

/* Which programs, and with them options, the words have named. */
struct tr2_secret_programs {
	unsigned char rows[TR2_SECRET_PROGRAMS]; /* of TR2_SECRET_OPTIONS */
	bool any;				 /* one of them is not 0 */
	char quote;	       /* that is around them in a text, or NUL */
	char letter;	       /* of the option before this word, or NUL */
	unsigned short owners; /* rows of TR2_SECRET_SETTINGS, as bits */
	bool config;	       /* keys of settings may follow */
};

/* Where in a line of .netrc the words are. */
struct tr2_secret_netrc {
	enum tr2_secret_netrc_state {
		TR2_NETRC_NONE,
		TR2_NETRC_WORD, /* `login` and the like may follow */
		TR2_NETRC_VALUE /* a value follows */
	} state;
	bool hidden; /* it is a password */
	bool sure;   /* the host has a dot, or there was `login` */
};

/* Where the words of one command line are. Begin with zeros. */
struct tr2_secret_words {
	enum tr2_secret_value next; /* what the next word is */
	struct tr2_secret_programs programs;
	struct tr2_secret_netrc netrc;
	bool colon;  /* the word before ended with one */
	bool config; /* there was `config` or `configure` */
};

/* The next word of a command line. */
void tr2_secret_hide_word(struct tr2_secret_words *words, struct tr2_buf *out,
			  const char *text, size_t len);

/* ---- Only for the room's own use */

/* A text as it is walked through. */
struct tr2_secret_scan {
	const char *text;
	size_t len;
	bool word;  /* it is a word of a command line */
	bool pairs; /* see tr2_secret_hide_pair() */
	struct tr2_secret_programs programs;
	struct tr2_secret_programs outer; /* around a quote, if it is inside */
	struct tr2_secret_netrc netrc;
	bool inside;
	size_t url, last; /* where a URL ends, and its last `@`, or 0 */
	char quote;    /* the quote that is open at the present place, or NUL */
	size_t unread; /* no command after an `echo` reads it up to here, or 0 */
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

/* Has it digits and letters, as no name of a branch has that is a word? */
bool tr2_secret_mixed(const char *text, size_t len);

/* Skip `basic ` and the like. Returns where the secret begins. */
size_t tr2_secret_skip_scheme(const struct tr2_secret_scan *scan, size_t at);

/* May this value be shown? It is empty, hidden, or a conversion of printf. */
bool tr2_secret_is_shown(const char *text, size_t len);

/* The value is here. Is it a secret, which may not be shown? */
bool tr2_secret_take(const struct tr2_secret_scan *scan, size_t start,
		     size_t end, struct tr2_secret_span *found);

/* Returns where the bracket is closed that begins near here, or `at`. */
size_t tr2_secret_find_bracket(const struct tr2_secret_scan *scan, size_t at);

size_t tr2_secret_skip_blanks(const struct tr2_secret_scan *scan, size_t at);

/*
 * Returns the length of a quote in a text that a shell's quotes are around, or
 * 0. It is `'\''` or `'"'"'`, and longer where a shell's line is quoted again.
 */
size_t tr2_secret_measure_quote(const struct tr2_secret_scan *scan,
				size_t start);

/* A quote may be escaped, where a text is quoted twice. */
size_t tr2_secret_skip_escapes(const struct tr2_secret_scan *scan, size_t at);

/* Returns the length of the `$$` or `$tag$` of PostgreSQL here, or 0. */
size_t tr2_secret_measure_dollars(const struct tr2_secret_scan *scan,
				  size_t start);

/*
 * Does a quote begin here, before which are the escapes from `start` on? One
 * that is open and has no escape ends, and nothing is in it.
 */
bool tr2_secret_begins_quote(const struct tr2_secret_scan *scan, size_t start,
			     size_t at);

/* ---- program.c: programs that take a secret without a name */

/* Returns the first row of TR2_SECRET_OPTIONS that has this program, or -1. */
int tr2_secret_find_row(const char *name, size_t len);

/* The next word, which is no value of an option. */
void tr2_secret_note_word(struct tr2_secret_programs *programs,
			  const char *text, size_t len);

/* The same of a word of a text. */
void tr2_secret_note_in_text(struct tr2_secret_scan *scan, size_t at,
			     size_t end);

/* Forget whose words are counted: a word that has words begins. */
void tr2_secret_forget_counts(struct tr2_secret_programs *programs);

/* ---- option.c */

/* Where the word is: a text may be a sentence. */
enum tr2_secret_where {
	TR2_SECRET_IN_WORDS,
	TR2_SECRET_IN_TEXT,
	TR2_SECRET_LAST /* of a line of a text */
};

/* Is the next word a secret by its place? */
enum tr2_secret_value
tr2_secret_find_operand(const struct tr2_secret_programs *programs,
			const char *text, size_t len,
			enum tr2_secret_where where);

/* Returns the length of the option at the beginning, or 0. */
size_t tr2_secret_measure_option(const struct tr2_secret_programs *programs,
				 const char *text, size_t len,
				 enum tr2_secret_value *value);

/* `cargo login failed` is a sentence: so may be what has no other letters. */
bool tr2_secret_in_sentence(const char *text, size_t len);

/* Is the word from `at` to `end` an option that has a secret? */
bool tr2_secret_find_option(struct tr2_secret_scan *scan, size_t at, size_t end,
			    struct tr2_secret_span *found);

/* Leave only what is secret of such a value. False: nothing is. */
bool tr2_secret_narrow(const char *text, enum tr2_secret_value value,
		       struct tr2_secret_span *found);

/* ---- piped.c */

/* Is the word `echo` or `<<<`, and what it gives to a program a secret? */
bool tr2_secret_find_piped(struct tr2_secret_scan *scan, size_t at, size_t end,
			   struct tr2_secret_span *found);

/* `echo PASSWORD`, the value of a name: leave only what is secret. */
bool tr2_secret_narrow_echo(const char *text, struct tr2_secret_span *found);

/* ---- shape.c */

/* Returns where the bytes of these kinds end, and adds which kinds they are. */
size_t tr2_secret_skip_kinds(const struct tr2_secret_scan *scan, size_t at,
			     unsigned kinds, unsigned *found);

/* Does a token begin here, by its beginning? */
bool tr2_secret_find_token(const struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found);

/* Does one that only its shape tells? */
bool tr2_secret_find_shape(const struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found);

/* ---- calls.c */

/* `login("USER", "VALUE")`, where the bracket or the comma is. */
bool tr2_secret_find_argument(const struct tr2_secret_scan *scan, size_t at,
			      struct tr2_secret_span *found);

/* `"stringData": {"NAME": "VALUE"}`, where the name begins. */
bool tr2_secret_in_object(const char *text, size_t at);

/* ---- markup.c */

/* `<password>VALUE</password>`, where its first `>` is. */
bool tr2_secret_find_element(const struct tr2_secret_scan *scan, size_t at,
			     struct tr2_secret_span *found);

/* `PASSWORD 'VALUE'` or `IDENTIFIED BY 'VALUE'` of SQL, where the quote is. */
bool tr2_secret_find_literal(const struct tr2_secret_scan *scan, size_t at,
			     struct tr2_secret_span *found);

/* Is what ends here, perhaps before a comma, `name: NAME` or `<NAME`? */
enum tr2_secret_value tr2_secret_value_before(const char *text, size_t at);

/* Does `name: NAME` follow the value that begins after this `:` or `=`? */
enum tr2_secret_value tr2_secret_value_after(const struct tr2_secret_scan *scan,
					     size_t at);

/* `("NAME", "VALUE")`, where the comma is. */
bool tr2_secret_find_tuple(const struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found);

/* ---- told.c */

/* Does `the password is VALUE` have its value after this blank? */
bool tr2_secret_find_told(const struct tr2_secret_scan *scan, size_t at,
			  struct tr2_secret_span *found);

/* Does `password [VALUE]` have its value after this blank? */
bool tr2_secret_find_bracketed(const struct tr2_secret_scan *scan, size_t at,
			       struct tr2_secret_span *found);

/* Does the value say what a secret is like, as in `token is invalid`? */
bool tr2_secret_is_state(const char *text, size_t len);

/* Is the word the second one of `api key`? */
bool tr2_secret_is_two_words(const char *text, size_t start, size_t end);

/* ---- files.c */

/* The next word of a command line. True: a password is next. */
bool tr2_secret_note_netrc(struct tr2_secret_netrc *netrc, const char *text,
			   size_t len);

/* The same of a word of a text. */
void tr2_secret_note_line(struct tr2_secret_netrc *netrc, const char *text,
			  size_t len);

/* Does the password of a line of .netrc begin after this blank? */
bool tr2_secret_find_netrc(struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found);

/* Does the `:` here end the HOST of `HOST:PORT:DATABASE:USER:PASSWORD`? */
bool tr2_secret_find_pgpass(const struct tr2_secret_scan *scan, size_t at,
			    struct tr2_secret_span *found);

/* ---- url.c */

/*
 * Does a `://` begin here, after which is a password, or a user that is a
 * token, and of which bytes are encoded as `%3A`?
 */
bool tr2_secret_find_login(struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found);

/*
 * Does the `:` here come before a password of `//USER:PASSWORD@HOST`, or of
 * `USER:PASSWORD@tcp(HOST)/` as Go's drivers of databases have it, or of
 * `USER:PASSWORD@HOST:PORT`?
 */
bool tr2_secret_find_bare(struct tr2_secret_scan *scan, size_t at,
			  struct tr2_secret_span *found);

/* Does the address of a webhook begin here? */
bool tr2_secret_find_place(const struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found);

/* ---- walk.c */

/* Append the text with its secrets replaced. */
void tr2_secret_walk(struct tr2_secret_scan *scan, struct tr2_buf *out);

/* The same if each byte is what it is. */
void tr2_secret_walk_plain(struct tr2_secret_scan *scan, struct tr2_buf *out);

/* Find the next secret from `*at` on, after which `*at` is then. */
bool tr2_secret_find_next(struct tr2_secret_scan *scan, size_t *at,
			  struct tr2_secret_span *found);

/* ---- seen.c */

/* The same if bytes are spelled as `%70` (view.h). */
void tr2_secret_walk_seen(struct tr2_secret_scan *scan, struct tr2_buf *out);

#endif
