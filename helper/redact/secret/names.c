/* Names of secrets, tokens and addresses, as the tables have them. */
#include "redact/secret/scan.h"

#include <string.h>

#include "base/ascii.h"
#include "event/secrets.h"
#include "event/token.h"
#include "lib/text/text.h"
#include "names_rows.h"
#include "parts_rows.h"
#include "shapes_rows.h"

#define NAME_MOST 128

#define ASKED TR2_SECRET_ASKED
#define AT TR2_SECRET_AT_WORD
#define FRONT TR2_SECRET_FRONT
#define OPTION TR2_SECRET_OPTION
#define OWNED TR2_SECRET_OWNED
#define PUBLIC TR2_SECRET_PUBLIC
#define GUESS (TR2_SECRET_LONG << TR2_SECRET_SHIFT)
#define MIXED (TR2_SECRET_RANDOM << TR2_SECRET_SHIFT)
#define HEADER (TR2_SECRET_LINE << TR2_SECRET_SHIFT)
#define EXTRA (TR2_SECRET_EXTRA << TR2_SECRET_SHIFT)
#define LOGIN (TR2_SECRET_PROXY << TR2_SECRET_SHIFT)
#define STRONG (TR2_SECRET_STRONG << TR2_SECRET_SHIFT)
#define COMMAND (TR2_SECRET_COMMAND << TR2_SECRET_SHIFT)
#define NAME(name, flags, ...) { &("_" name "=")[1], sizeof(name) - 1, flags },

const struct tr2_secret_name tr2_secret_names[] = { TR2_SECRET_QUERY(
	NAME) NAMES_ROWS(NAME){ NULL, 0, 0 } };

bool tr2_secret_is_one(const char *text, size_t len, const char *words)
{
	size_t size;

	for (; *words; words += size + (words[size] == ' ')) {
		size = strcspn(words, " ");
		if (size == len && tr2_secret_word(text, words, len))
			return true;
	}
	return false;
}

/* `admin`, after which `pass` may be in the same word */
static bool ends_in_owner(const char *name, size_t len)
{
	static const struct tr2_secret_part owners[] =
		TR2_SECRET_PARTS(PARTS_OWNERS);
	const struct tr2_secret_part *part = owners;

	while (part->text &&
	       (len < part->len || !tr2_secret_word(name + len - part->len,
						    part->text, part->len)))
		part++;
	return part->text;
}

/* May a name end in this one, of which so many bytes are before it? */
static bool may_end(const struct tr2_secret_name *row, const char *name,
		    size_t before)
{
	if (!(row->flags & (AT | OWNED)) || !before ||
	    !tr2_secret_alphanumeric(name[before - 1]))
		return true;
	return row->flags & OWNED && ends_in_owner(name, before);
}

static bool has_name(const struct tr2_secret_name *row, const char *name,
		     size_t len, bool asked)
{
	const size_t tail = row->len;
	const char *end = row->name + tail - 1; /* which few names have */

	if (row->flags & FRONT)
		return len > tail && tr2_secret_word(name, row->name, tail);
	if (len < tail || !tr2_secret_word(name + len - 1, end, 1) ||
	    !tr2_secret_word(name + len - tail, row->name, tail))
		return false;
	if (row->flags & ASKED && !asked)
		return false;
	if (row->flags & OPTION && !tr2_text_starts(name, len, "--"))
		return false;
	return may_end(row, name, len - tail);
}

/* `TOKEN_2` and `password2` are names, too. */
static size_t trim_number(const char *name, size_t len)
{
	size_t end = len;

	while (end && tr2_ascii_digit(name[end - 1]))
		end--;
	if (end < len && end && memchr("_-", name[end - 1], 2))
		end--;
	return end;
}

static bool has_numbered(const struct tr2_secret_name *row, const char *name,
			 size_t len, bool asked)
{
	return has_name(row, name, len, asked) ||
	       (tr2_ascii_digit(name[len - 1]) && row->len > 4 &&
		has_name(row, name, trim_number(name, len), asked));
}

/* The present directory, how git logs in to a mail server, and an alias. */
static bool is_shown(const char *name, size_t len)
{
	return tr2_text_is(name, len, "PWD") ||
	       tr2_text_is(name, len, "OLDPWD") ||
	       tr2_text_is(name, len, "--smtp-auth") ||
	       tr2_text_starts(name, len, "alias.");
}

static enum tr2_secret_value find_name(const char *name, size_t len, bool asked)
{
	const struct tr2_secret_name *row = tr2_secret_names;

	if (!len)
		return TR2_SECRET_NONE;
	while (row->name && !has_numbered(row, name, len, asked))
		row++;
	if (!row->name || row->flags & PUBLIC || is_shown(name, len))
		return TR2_SECRET_NONE;
	return row->flags >> TR2_SECRET_SHIFT
		       ? (enum tr2_secret_value)(row->flags >> TR2_SECRET_SHIFT)
		       : TR2_SECRET_VALUE;
}

/* Several blanks, or a tab, are one blank. Returns the new length. */
static size_t join_blanks(char *name, size_t len)
{
	size_t end = 0;

	for (size_t i = 0; i < len; i++)
		if (!tr2_secret_blank(name[i]))
			name[end++] = name[i];
		else if (!end || name[end - 1] != ' ')
			name[end++] = ' ';
	return end;
}

/* The end of a name tells what it is, so the beginning of a long one may go. */
enum tr2_secret_value tr2_secret_name(const char *name, size_t len, bool asked)
{
	char bytes[NAME_MOST];
	struct tr2_buf seen = TR2_BUF_FIXED(bytes);

	if (len > NAME_MOST)
		name += len - NAME_MOST, len = NAME_MOST;
	if (!tr2_view_differs(name, len) && !memchr(name, ' ', len) &&
	    !memchr(name, '\t', len))
		return find_name(name, len, asked);
	tr2_view_add(&seen, name, len);
	return find_name(bytes, join_blanks(bytes, seen.len), asked);
}

/* ---- Tokens by their shape */

#define SCHEME_LEAST 8 /* bytes of what follows `bearer` */
#define LONG 16	       /* bytes after the beginning of a token */
#define SURE 64	       /* a text that is so long is no word */

#define ALNUM TR2_TOKEN_ALNUM
#define CAPITALS TR2_TOKEN_CAPITALS
#define WORD TR2_TOKEN_WORD
#define HYPHEN TR2_TOKEN_HYPHEN
#define LOWER TR2_TOKEN_LOWER
#define DIGIT TR2_TOKEN_DIGIT
#define ALL TR2_TOKEN_ALL
#define SHAPE(needle, prefix, kinds, least, most, ...) \
	{ prefix, kinds, least, most, TAIL(__VA_ARGS__) },
#define TAIL(mark, kinds, least, ...) mark, kinds, least

static const struct token_shape {
	const char *prefix;
	unsigned head, least, most; /* bytes after it */
	const char *mark;	    /* that follows them */
	unsigned tail, rest;	    /* bytes after that */
} shapes[] = { SHAPES_ROWS(SHAPE) };

/* Returns where the bytes of these kinds end, and adds which kinds they are. */
static size_t skip_kinds(const struct tr2_secret_scan *scan, size_t at,
			 unsigned kinds, unsigned *found)
{
	unsigned kind;

	while (at < scan->len &&
	       (kind = tr2_token_byte(scan->text[at])) & kinds)
		*found |= kind, at++;
	return at;
}

/* Returns the end of the token of this shape that begins here, or 0. */
static size_t end_shape(const struct tr2_secret_scan *scan, size_t start,
			const struct token_shape *shape)
{
	const size_t body = start + strlen(shape->prefix);
	unsigned found = 0;
	size_t end, rest;

	if (!tr2_text_starts(scan->text + start, scan->len - start,
			     shape->prefix))
		return 0;
	end = skip_kinds(scan, body, shape->head, &found);
	if (end - body < shape->least || end - body > shape->most ||
	    !tr2_text_starts(scan->text + end, scan->len - end, shape->mark))
		return 0;
	rest = end + strlen(shape->mark);
	end = skip_kinds(scan, rest, shape->tail, &found);
	return end - rest >= shape->rest && found & TR2_TOKEN_CAPITALS ? end
								       : 0;
}

static bool find_shape(const struct tr2_secret_scan *scan, size_t at,
		       struct tr2_secret_span *found)
{
	size_t end;

	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		end = end_shape(scan, at, shapes + i);
		if (end)
			return tr2_secret_take(scan, at, end, found);
	}
	return false;
}

/* ---- By their beginning */

/* Is it a part of a path, or a file's name? Those have words like tokens. */
static bool is_in_path(const struct tr2_secret_scan *scan, size_t start,
		       size_t end)
{
	const char *text = scan->text;

	if (start && memchr("/\\", text[start - 1], 2))
		return true;
	if (end == scan->len)
		return false;
	return memchr("/\\", text[end], 2) ||
	       (text[end] == '.' && end + 1 < scan->len &&
		tr2_ascii_alpha(text[end + 1]));
}

/* Returns the end of the token of this kind that begins here, or 0. */
static size_t end_token(const struct tr2_secret_scan *scan, size_t start,
			const struct tr2_token_kind *kind)
{
	const size_t body = start + kind->len;
	const unsigned dot = TR2_TOKEN_DOT;
	unsigned found = 0;
	size_t end = skip_kinds(scan, body, kind->bytes & ~dot, &found), len;

	if (kind->bytes & dot && end - body >= LONG)
		end = skip_kinds(scan, end, kind->bytes, &found);
	len = tr2_secret_skip_back(scan->text + body, end - body, "-.");
	end = body + len;
	if (len >= SURE)
		return end;
	if (len < kind->least || (len < LONG && is_in_path(scan, start, end)) ||
	    (end < scan->len && tr2_secret_in(scan->text[end], "_")))
		return 0;
	if (found & TR2_TOKEN_CAPITALS)
		return end;
	return kind->loose && len >= LONG ? end : 0;
}

static bool find_token(const struct tr2_secret_scan *scan, size_t at,
		       struct tr2_secret_span *found)
{
	const struct tr2_token_kind *kind;

	found->start = at;
	for (kind = tr2_token_kinds; kind->prefix; kind++) {
		if (*kind->prefix != scan->text[at] ||
		    !tr2_text_starts(scan->text + at, scan->len - at,
				     kind->prefix))
			continue;
		found->end = end_token(scan, at, kind);
		if (found->end)
			return true;
	}
	return false;
}

/* ---- Tokens after a scheme */

/* `bearer TOKEN` also where no name comes before it */
static bool find_after_scheme(const struct tr2_secret_scan *scan, size_t at,
			      struct tr2_secret_span *found)
{
	unsigned kinds = 0;

	if (scan->words && at && !tr2_secret_space(scan->text[at - 1]))
		return false; /* `AUTH=basic` is no scheme of the next word */
	if (!memchr("bBnN", scan->text[at], 4) &&
	    !(scan->len - at > 4 &&
	      tr2_secret_word(scan->text + at, "dpop", 4)))
		return false;
	found->start = tr2_secret_skip_scheme(scan, at);
	if (found->start == at)
		return false;
	found->start = tr2_secret_skip_scheme(scan, found->start);
	found->end = skip_kinds(scan, found->start,
				TR2_TOKEN_ALL | TR2_TOKEN_MORE, &kinds);
	return found->end - found->start >= SCHEME_LEAST &&
	       (kinds & (TR2_TOKEN_DIGIT | TR2_TOKEN_MORE));
}

/* ---- Private keys */

size_t tr2_secret_measure_key(const char *text, size_t len)
{
	static const char begin[] = "-----BEGIN ", key[] = "PRIVATE KEY";
	const size_t size = sizeof(begin) - 1;
	const char *end;

	if (!tr2_text_starts(text, len, begin))
		return 0;
	end = tr2_text_find(text + size, len - size, "-----");
	return end && tr2_text_find(text, (size_t)(end - text), key)
		       ? (size_t)(end + 5 - text)
		       : 0;
}

/* `Private-Lines: 14`, perhaps with a quote, and then a key's lines of PuTTY */
static size_t measure_putty(const struct tr2_secret_scan *scan, size_t at)
{
	static const char lines[] = "Private-Lines: ";
	const size_t before = strlen("Private"), size = sizeof(lines) - 1;

	if (at < before || !tr2_text_starts(scan->text + at - before,
					    scan->len - at + before, lines))
		return 0;
	return tr2_secret_skip_on(scan, at + size - before, "'0123456789") - at;
}

bool tr2_secret_find_key(struct tr2_secret_scan *scan, size_t at,
			 struct tr2_secret_span *found)
{
	const size_t putty = measure_putty(scan, at);
	const size_t size =
		putty ? putty
		      : tr2_secret_measure_key(scan->text + at, scan->len - at);
	const char *end;

	if (!size)
		return false;
	at += size;
	end = tr2_text_find(scan->text + at, scan->len - at,
			    putty ? "Private-MAC" : "-----END");
	return tr2_secret_take(
		scan, at, end ? (size_t)(end - scan->text) : scan->len, found);
}

/* ---- Webhooks */

#define PLACE(table, place, ...) place,

static const char *const places[] = { PARTS_PLACES(PLACE) };

/* Returns the end of the address's beginning, or 0. */
static size_t match_place(const struct tr2_secret_scan *scan, size_t at,
			  const char *place)
{
	for (; *place; at++) {
		if (at == scan->len || tr2_secret_ends_url(scan->text[at]))
			return 0;
		if (*place == '*' && scan->text[at] != '/')
			continue;
		place += *place == '*';
		if (tr2_ascii_fold(scan->text[at]) != *place++)
			return 0;
	}
	return at;
}

static bool ends_place(const struct tr2_secret_scan *scan, size_t at)
{
	return tr2_secret_ends_url(scan->text[at]) ||
	       memchr("?#),;|\\", scan->text[at], 7);
}

static bool find_place(const struct tr2_secret_scan *scan, size_t at,
		       struct tr2_secret_span *found)
{
	size_t end = 0;

	for (size_t i = 0; !end && i < sizeof(places) / sizeof(*places); i++)
		if (tr2_ascii_fold(scan->text[at]) == *places[i])
			end = match_place(scan, at, places[i]);
	if (!end)
		return false;
	for (at = end; at < scan->len && !ends_place(scan, at);)
		at++;
	return tr2_secret_take(scan, end, at, found);
}

bool tr2_secret_find_token(struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found)
{
	return find_shape(scan, at, found) || find_token(scan, at, found) ||
	       find_after_scheme(scan, at, found) ||
	       find_place(scan, at, found);
}
