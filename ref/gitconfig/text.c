#include "gitconfig/text.h"

#include <string.h>

#include "base/ascii.h"

#define TEXT_END (-1)
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

static int is_name_byte(int c)
{
	return tr2_ascii_alpha(c) || tr2_ascii_digit(c) || c == '-';
}

/*
 * Returns the next byte. At the text's end it returns a LF, any number of
 * times.
 * SPEC: config.grammar.crlf
 */
static int next_byte(struct tr2_gitconfig_parser *p)
{
	int c;

	if (p->at == p->end)
		return '\n';
	c = (unsigned char)*p->at++;
	if (c == '\r' && p->at < p->end && *p->at == '\n')
		c = *p->at++;
	p->line += c == '\n';
	return c;
}

static void skip_comment(struct tr2_gitconfig_parser *p)
{
	while (next_byte(p) != '\n')
		;
}

/* The first byte of the next statement, or TEXT_END. */
static int next_statement(struct tr2_gitconfig_parser *p)
{
	int c;

	while (p->at < p->end) {
		c = next_byte(p);
		if (c == '#' || c == ';')
			skip_comment(p);
		else if (!tr2_ascii_blank(c))
			return c;
	}
	return TEXT_END;
}

static void put_char(struct tr2_buf *out, int c)
{
	out->bytes[out->len++] = (char)c;
}

/*
 * Like the functions below, this returns whether the text was correct.
 *
 * Parses `"Sub"]`, which follows the section's name and one blank.
 * SPEC: config.grammar.subsection
 */
static int parse_subsection(struct tr2_gitconfig_parser *p, int c)
{
	while (c != '\n' && tr2_ascii_blank(c))
		c = next_byte(p);
	if (c != '"')
		return 0;

	put_char(&p->key, '.');
	while ((c = next_byte(p)) != '"') {
		if (c == '\\')
			c = next_byte(p);
		if (c == '\n')
			return 0;
		put_char(&p->key, c);
	}
	return next_byte(p) == ']';
}

/* Parse a section header, after the `[`. */
static int parse_section(struct tr2_gitconfig_parser *p)
{
	int c = next_byte(p), good = c != ']';

	tr2_buf_reset(&p->key);
	for (; c == '.' || is_name_byte(c); c = next_byte(p))
		put_char(&p->key, tr2_ascii_fold(c));
	if (c != ']')
		good = tr2_ascii_blank(c) && parse_subsection(p, c);
	put_char(&p->key, '.');
	p->section = p->key.len;
	return good;
}

/*
 * Parse what follows a `\`. The meaning NUL stands for no byte: the line
 * continues.
 * SPEC: config.grammar.escapes, config.grammar.continuation
 */
static int take_escape(struct tr2_gitconfig_parser *p)
{
	static const char bytes[] = "\nntb\\\"", meanings[] = "\0\n\t\b\\\"";
	int c = next_byte(p);
	const char *at = c ? strchr(bytes, c) : NULL;

	if (at && meanings[at - bytes])
		put_char(&p->value, meanings[at - bytes]);
	return at != NULL;
}

/*
 * Parse a byte of a value that is not a blank: a quote, an escape, or any
 * other byte.
 */
static int take_value_byte(struct tr2_gitconfig_parser *p, int c, int *quoted)
{
	if (c == '\\')
		return take_escape(p);
	if (c == '"')
		*quoted = !*quoted;
	else
		put_char(&p->value, c);
	return 1;
}

/*
 * Parse what follows the `=`, up to the end of the line.
 * SPEC: config.grammar.blanks, config.grammar.quotes
 */
static int parse_value(struct tr2_gitconfig_parser *p)
{
	int c, quoted = 0;
	size_t trimmed = 0; /* length without blanks at the end */

	tr2_buf_reset(&p->value);
	while ((c = next_byte(p)) != '\n') {
		if (!quoted && (c == '#' || c == ';')) {
			skip_comment(p);
			break;
		}
		if (!quoted && tr2_ascii_blank(c)) {
			if (p->value.len)
				put_char(&p->value, c);
			continue;
		}
		if (!take_value_byte(p, c, &quoted))
			return 0;
		trimmed = p->value.len;
	}
	p->value.len = trimmed;
	return !quoted;
}

/*
 * Parse a name and what follows it. `c` is the name's first letter.
 * SPEC: config.grammar.valueless-comment
 */
static int parse_assignment(struct tr2_gitconfig_parser *p, int c,
			    struct tr2_gitconfig_assignment *found)
{
	struct tr2_buf *value = NULL;

	p->key.len = p->section;
	do {
		put_char(&p->key, tr2_ascii_fold(c));
		c = next_byte(p);
	} while (is_name_byte(c));
	while (c == ' ' || c == '\t')
		c = next_byte(p);
	if (c == '=') {
		value = &p->value;
		if (!parse_value(p))
			return 0;
		put_char(value, '\0');
	} else if (c != '\n') {
		return 0;
	}
	put_char(&p->key, '\0');
	found->key = p->key.bytes;
	found->value = value ? value->bytes : NULL;
	found->line = p->statement;
	return 1;
}

void tr2_gitconfig_parse_begin(struct tr2_gitconfig_parser *p, const char *text,
			       size_t len)
{
	*p = (struct tr2_gitconfig_parser){
		.at = text,
		.end = text + len,
		.line = 1,
	};
	/* SPEC: config.grammar.bom */
	if (len >= strlen(BYTE_ORDER_MARK) &&
	    !memcmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)))
		p->at += strlen(BYTE_ORDER_MARK);
	if (tr2_buf_grow(&p->key, len + 1) || tr2_buf_grow(&p->value, len))
		p->at = p->end;
}

/* Parse section headers up to a name, whose first letter it returns; or 0. */
static int find_name(struct tr2_gitconfig_parser *p, int *bad)
{
	int c;

	while ((c = next_statement(p)) != TEXT_END) {
		p->statement = p->line;
		if (tr2_ascii_alpha(c))
			return c;
		if (c != '[' || !parse_section(p)) {
			*bad = p->statement;
			return 0;
		}
	}
	return 0;
}

int tr2_gitconfig_parse_next(struct tr2_gitconfig_parser *p,
			     struct tr2_gitconfig_assignment *found, int *bad)
{
	int c = find_name(p, bad);

	if (!c)
		return 0;
	if (parse_assignment(p, c, found))
		return 1;
	*bad = p->statement;
	return 0;
}

void tr2_gitconfig_parse_end(struct tr2_gitconfig_parser *p)
{
	tr2_buf_release(&p->key);
	tr2_buf_release(&p->value);
}

int tr2_gitconfig_key(struct tr2_buf *out, const char *key)
{
	const char *first = strchr(key, '.'), *last = strrchr(key, '.');

	if (!last || last == key || !tr2_ascii_alpha(last[1]))
		return 0;
	for (const char *at = key; *at; at++) {
		int inside = at >= first && at <= last;

		if (inside ? *at == '\n' : !is_name_byte(*at))
			return 0;
		tr2_buf_byte(out, inside ? *at : (char)tr2_ascii_fold(*at));
	}
	tr2_buf_byte(out, '\0');
	return 1;
}
