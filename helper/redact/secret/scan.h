/*
 * scan.h - a text as its secrets are sought in it: only for this room.
 *
 *	walk.c     the walk through a text
 *	words.c    the words of a command line
 *	name.c     names in a text, and the values that follow them
 *	value.c    where a value ends
 *	pairs.c    names and values in XML, SQL, JSON, calls and lists
 *	login.c    users and passwords in URLs, .netrc and .pgpass
 *	told.c     what a sentence tells
 *	program.c  which programs the words have named
 *	option.c   their options and words
 *	piped.c    what `echo` gives to a program
 *	names.c    the tables of names, tokens and addresses
 *	view.c     bytes that are spelled as others
 */
#ifndef TR2_SECRET_SCAN_H
#define TR2_SECRET_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "redact/secret/needles.h"
#include "redact/secret/secret.h"

/* ---- Bytes of words, names and quotes */

static inline bool tr2_secret_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* A blank or the end of a line. */
static inline bool tr2_secret_space(char c)
{
	return tr2_secret_blank(c) || c == '\n' || c == '\r';
}

static inline bool tr2_secret_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

static inline bool tr2_secret_alphanumeric(char c)
{
	return tr2_ascii_alpha(c) || tr2_ascii_digit(c);
}

/* Are they the word, in any case and with `-` and a blank read as `_`? */
static inline bool tr2_secret_word(const char *text, const char *word,
				   size_t len)
{
	size_t i;
	char c;

	for (i = 0; i < len; i++) {
		c = text[i];
		if ((c == '-' || c == ' ' ? '_' : tr2_ascii_fold(c)) != word[i])
			return false;
	}
	return true;
}

/* Are they one of these words, which have a blank between them? */
bool tr2_secret_is_one(const char *text, size_t len, const char *words);

/* Does the text end here in this word, before which no other one is? */
static inline bool tr2_secret_ends_in(const char *text, size_t end,
				      const char *word)
{
	const size_t len = strlen(word);

	return end >= len && tr2_secret_word(text + end - len, word, len) &&
	       (end == len || !tr2_secret_alphanumeric(text[end - len - 1]));
}

/* Does a URL end here? So it does at a `&` that is not encoded. */
static inline bool tr2_secret_ends_url(char c)
{
	return (unsigned char)c <= ' ' || c == 0x7f || tr2_secret_quote(c) ||
	       memchr("&<>", c, 3);
}

/* `$'VALUE'` of a shell */
static inline bool tr2_secret_begins_dollar(const char *text, size_t len)
{
	return len > 1 && *text == '$' && tr2_secret_quote(text[1]);
}

/* Is it a letter, a digit or one of these bytes? */
static inline bool tr2_secret_in(char c, const char *more)
{
	return tr2_secret_alphanumeric(c) || (c && strchr(more, c));
}

/*
 * Returns where the word begins that ends here, of letters, digits and these
 * bytes. The dots that PERF has before a text are none of it.
 */
static inline size_t tr2_secret_begin_word(const char *text, size_t end,
					   const char *more, size_t most)
{
	size_t at = end;

	while (at && end - at < most && tr2_secret_in(text[at - 1], more))
		at--;
	while (at < end && text[at] == '.')
		at++;
	return at;
}

/* ---- A text */

/* A text as it is walked through. */
struct tr2_secret_scan {
	const char *text;
	size_t len;
	bool word;  /* it is a word of a command line */
	bool words; /* it is a command line, and no sentence */
	struct tr2_secret_programs programs;
	size_t url, last; /* where a URL ends, and its last `@`, or 0 */
	char quote;  /* the quote that is open at the present place, or NUL */
	size_t open; /* where the text after it begins */
	enum tr2_secret_reader {
		TR2_READER_UNKNOWN,
		TR2_READER_NONE,
		TR2_READER_THERE
	} reader; /* a command that reads a secret */
};

struct tr2_secret_span {
	size_t start, end;
};

/* Is there a secret at this place, or after it? */
typedef bool tr2_secret_find_fn(struct tr2_secret_scan *scan, size_t at,
				struct tr2_secret_span *found);

/* Is there a secret of a name that `=`, `:`, a `,` or a blank follows here? */
tr2_secret_find_fn tr2_secret_find_named;

/* Is the value from `start` on, of a header, a secret? */
bool tr2_secret_find_header(const struct tr2_secret_scan *scan, size_t start,
			    char end, bool named,
			    struct tr2_secret_span *found);

/* Is the value from `start` on, perhaps in quotes, a secret? */
bool tr2_secret_find_value(const struct tr2_secret_scan *scan, size_t start,
			   struct tr2_secret_span *found);

/* Is it, where a tag, a type or a line's end comes before it? */
bool tr2_secret_find_in_yaml(const struct tr2_secret_scan *scan, size_t start,
			     struct tr2_secret_span *found);

/* Has it digits and letters, as no name of a branch has that is a word? */
bool tr2_secret_mixed(const char *text, size_t len);

/* Is it long and random, with letters of both cases? */
bool tr2_secret_strong(const char *text, size_t len);

/* Skip `basic ` and the like. Returns where the secret begins. */
size_t tr2_secret_skip_scheme(const struct tr2_secret_scan *scan, size_t at);

/* May this value be shown? It is empty, hidden, or a conversion of printf. */
bool tr2_secret_is_shown(const char *text, size_t len);

/* The value is here. Is it a secret, which may not be shown? */
bool tr2_secret_take(const struct tr2_secret_scan *scan, size_t start,
		     size_t end, struct tr2_secret_span *found);

/* Skip bytes that are among these, on or back. */
size_t tr2_secret_skip_on(const struct tr2_secret_scan *scan, size_t at,
			  const char *bytes);
size_t tr2_secret_skip_back(const char *text, size_t at, const char *bytes);

size_t tr2_secret_skip_blanks(const struct tr2_secret_scan *scan, size_t at);
size_t tr2_secret_skip_word(const struct tr2_secret_scan *scan, size_t at);

/*
 * Returns the length of a quote in a text that a shell's quotes are around, or
 * 0. It is `'\''` or `'"'"'`, and longer where a shell's line is quoted again.
 */
size_t tr2_secret_measure_quote(const struct tr2_secret_scan *scan,
				size_t start);

/* A quote may be escaped, where a text is quoted twice. */
size_t tr2_secret_skip_escapes(const struct tr2_secret_scan *scan, size_t at);

/* Does a value begin here whose end only its language knows? */
bool tr2_secret_begins_open(const struct tr2_secret_scan *scan, size_t start);

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

/* ---- option.c */

/* Is the word here, of a command line, an option, or `NAME=` or `NAME:`? */
bool tr2_secret_is_option(const struct tr2_secret_scan *scan, size_t at);
bool tr2_secret_is_mark(const struct tr2_secret_scan *scan, size_t at);

/* `cargo login failed` is a sentence: so may be what has no other letters. */
bool tr2_secret_in_sentence(const char *text, size_t len);

/*
 * Is the word from `at` to `end` an option that has a secret, or one by its
 * place? All is found to the end of its command line.
 */
bool tr2_secret_find_option(struct tr2_secret_scan *scan, size_t at, size_t end,
			    struct tr2_secret_span *found);

/* May the text be a value of this kind, which has a secret? */
bool tr2_secret_may_be(enum tr2_secret_value value, const char *text,
		       size_t len);

/* ---- piped.c */

/*
 * Is the word `echo` or `<<<`, and what it gives to a program a secret? It is
 * found with all that follows in the command line.
 */
bool tr2_secret_find_piped(struct tr2_secret_scan *scan, size_t at, size_t end,
			   struct tr2_secret_span *found);

/*
 * Is the name of a secret in the text, or the beginning of a token as a word? It is
 * that of a TR2_SECRET_VALUE, or only of what is STRONG.
 */
enum tr2_secret_value tr2_secret_names_any(const char *text, size_t len);

/* ---- names.c */

/* Does a token or the address of a webhook begin here? */
tr2_secret_find_fn tr2_secret_find_token;

/* Does a private key? */
tr2_secret_find_fn tr2_secret_find_key;

/* ---- pairs.c */

/* `login("USER", "VALUE")` or `("NAME", "VALUE")`, where a bracket or comma is. */
tr2_secret_find_fn tr2_secret_find_in_list;

/* `| NAME | VALUE |` of a table, where the second `|` is. */
tr2_secret_find_fn tr2_secret_find_cell;

/* `<password>VALUE</password>`, where its first `>` is. */
tr2_secret_find_fn tr2_secret_find_element;

/* `PASSWORD 'VALUE'` or `IDENTIFIED BY 'VALUE'` of SQL, where the quote is. */
tr2_secret_find_fn tr2_secret_find_literal;

/* `name: NAME` and `value: VALUE`: which name is near this place? */
enum tr2_secret_value tr2_secret_names_near(const struct tr2_secret_scan *scan,
					    size_t at);

/* ---- told.c */

/* Does `the password is VALUE` or `password [VALUE]` after this blank? */
tr2_secret_find_fn tr2_secret_find_told;

/* Does the value say what a secret is like, as in `token is invalid`? */
bool tr2_secret_is_state(const char *text, size_t len);

/*
 * Is it `auth: use the key`, a title of small letters? A password may be a word,
 * unless it is one that says how a password is.
 */
bool tr2_secret_begins_title(const struct tr2_secret_scan *scan, size_t name,
			     size_t name_end, size_t start);

/* Returns where the name begins that ends in this word: `api key` has two. */
size_t tr2_secret_begin_name(const char *text, size_t start, size_t end);

/* ---- login.c */

/* Does the word from `at` to `end` begin an entry of .netrc with a password? */
bool tr2_secret_find_netrc(struct tr2_secret_scan *scan, size_t at, size_t end,
			   struct tr2_secret_span *found);

/* Is the `:` here that of `://`, or before a password of an account? */
tr2_secret_find_fn tr2_secret_find_account;

/* ---- walk.c */

/* Append the text with its secrets replaced. */
void tr2_secret_walk(struct tr2_secret_scan *scan, struct tr2_buf *out);

/* The same; each byte is what it is. */
void tr2_secret_walk_plain(struct tr2_secret_scan *scan, struct tr2_buf *out);

/* Returns where the command line ends that is around this place. */
size_t tr2_secret_end_command(const struct tr2_secret_scan *scan, size_t at);

/* Find the next secret from `*at` on, after which `*at` is then. */
bool tr2_secret_find_next(struct tr2_secret_scan *scan, size_t *at,
			  struct tr2_secret_span *found);

/* ---- view.c */

/* The same if bytes are spelled as `%70`. */
void tr2_secret_walk_seen(struct tr2_secret_scan *scan, struct tr2_buf *out);

/* ---- Tables */

/* A row of parts.tsv; the last one of a table has no text. */
struct tr2_secret_part {
	const char *text;
	unsigned char len, more;
};

#define TR2_SECRET_PART(table, text, more, ...) \
	{ text, sizeof(text) - 1, more },
#define TR2_SECRET_PARTS(table)        \
	{                              \
		table(TR2_SECRET_PART) \
		{                      \
			NULL, 0, 0     \
		}                      \
	}

enum tr2_secret_flags {
	TR2_SECRET_ASKED = 1,	/* only in a query */
	TR2_SECRET_AT_WORD = 2, /* no letter or digit comes before it */
	TR2_SECRET_FRONT = 4,	/* the name begins so, and goes on */
	TR2_SECRET_OPTION = 8,	/* only `--NAME` */
	TR2_SECRET_OWNED = 16,	/* a letter of an owner may come before it */
	TR2_SECRET_PUBLIC = 32, /* it is no secret */
	TR2_SECRET_SHIFT = 8	/* what the value is, above these */
};

/* A row of secrets.h or names.tsv. */
struct tr2_secret_name {
	const char *name;  /* between a `_` and a `=` */
	unsigned char len; /* of the name */
	unsigned short flags;
};

/* Those of a query, and then the others. The last one has no name. */
extern const struct tr2_secret_name tr2_secret_names[];

/* ---- Options of programs */

enum {
	TR2_OPTION_LAST = 1,
	TR2_OPTION_SHIFT = 1, /* which word it is, above it */
	TR2_OPTION_EACH = 15
};

/* A row of options.tsv. */
struct tr2_secret_option {
	const char *programs, *command, *names;
	unsigned char value; /* of enum tr2_secret_value */
	unsigned short flags;
};

extern const struct tr2_secret_option tr2_secret_options[];
extern const size_t tr2_secret_option_count;

/* What is known of the program of a row. Words are counted above ACTIVE. */
enum { TR2_OPTION_UNSEEN, TR2_OPTION_NAMED, TR2_OPTION_ACTIVE };

/* `-bc`: an option of one letter or more. */
bool tr2_secret_is_cluster(const char *text, size_t len);

/* ---- What is seen */

/*
 * Returns the length of the one byte that is spelled here, or 0: what is here
 * is seen as it is. `c` is NUL if nothing is seen, as of a sequence that begins
 * with an escape and sets a colour.
 */
#define TR2_VIEW_ESCAPE '\x1b'

size_t tr2_view_measure(const char *text, size_t len, size_t at, char *c);

/* Append what is seen. */
void tr2_view_add(struct tr2_buf *out, const char *text, size_t len);

#endif
