#include "gitconfig/text.h"

#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"

#define TEXT_END (-1)
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

struct parser {
	const char *at, *end;
	int line;      /* of the last byte, or the next line after a LF */
	int statement; /* the line where the statement begins */

	/* Both have room for the whole text and a NUL, so they never grow. */
	struct tr2_buf key;
	size_t section; /* length of the section and a `.` in key */
	struct tr2_buf value;
};

static int is_name_byte(int c)
{
	return tr2_ascii_alpha(c) || tr2_ascii_digit(c) || c == '-';
}

/*
 * Returns the next byte. At the text's end it returns a LF, any number of
 * times.
 * SPEC: config.grammar.crlf
 */
static int next_byte(struct parser *p)
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

static void skip_comment(struct parser *p)
{
	while (next_byte(p) != '\n')
		;
}

/* The first byte of the next statement, or TEXT_END. */
static int next_statement(struct parser *p)
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
static int parse_subsection(struct parser *p, int c)
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
static int parse_section(struct parser *p)
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
static int take_escape(struct parser *p)
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
static int take_value_byte(struct parser *p, int c, int *quoted)
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
static int parse_value(struct parser *p)
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
static int parse_assignment(struct parser *p, int c,
			    tr2_gitconfig_assign_fn *fn, void *data)
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
	fn(p->key.bytes, value ? value->bytes : NULL, p->statement, data);
	return 1;
}

/* TEXT_END is not a statement. */
static int parse_statement(struct parser *p, int c, tr2_gitconfig_assign_fn *fn,
			   void *data)
{
	p->statement = p->line;
	if (c == '[')
		return parse_section(p);
	return tr2_ascii_alpha(c) && parse_assignment(p, c, fn, data);
}

static int parse_statements(struct parser *p, tr2_gitconfig_assign_fn *fn,
			    void *data)
{
	int c;

	do {
		c = next_statement(p);
	} while (parse_statement(p, c, fn, data));
	return c == TEXT_END;
}

int tr2_gitconfig_parse(const char *text, size_t len,
			tr2_gitconfig_assign_fn *fn, void *data)
{
	struct parser p = { .at = text, .end = text + len, .line = 1 };
	int good;

	/* SPEC: config.grammar.bom */
	if (len >= strlen(BYTE_ORDER_MARK) &&
	    !memcmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)))
		p.at += strlen(BYTE_ORDER_MARK);
	good = !tr2_buf_grow(&p.key, len + 1) && !tr2_buf_grow(&p.value, len) &&
	       parse_statements(&p, fn, data);
	tr2_buf_release(&p.key);
	tr2_buf_release(&p.value);
	return good ? 0 : p.statement;
}

int tr2_gitconfig_key(struct tr2_buf *out, const char *key)
{
	const char *first = strchr(key, '.'), *last = strrchr(key, '.');
	const char *at;

	if (!last || last == key || !tr2_ascii_alpha(last[1]))
		return 0;
	for (at = key; *at; at++) {
		int inside = at >= first && at <= last;

		if (inside ? *at == '\n' : !is_name_byte(*at))
			return 0;
		tr2_buf_byte(out, inside ? *at : (char)tr2_ascii_fold(*at));
	}
	tr2_buf_byte(out, '\0');
	return 1;
}
