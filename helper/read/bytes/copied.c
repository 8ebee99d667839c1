#include "read/bytes/copied.h"

#include <stdlib.h>
#include <string.h>

#include "lib/text/text.h"

#define ENTITY_MOST ((size_t)8)
#define CLOCK "00:00:00.000000 "
#define WIDTH_LEAST 40
#define BREAKS_LEAST 3

#define COPIED_WORDS(kind, words) words,

const char *const tr2_copied_words[] = { TR2_COPIED_ROWS(COPIED_WORDS) };

static bool is_kind(const struct tr2_copied *copied, enum tr2_copied_kind kind)
{
	return copied->kinds >> kind & 1;
}

bool tr2_copied_begins(const char *text, size_t len)
{
	size_t digits;

	if (len < sizeof(CLOCK) - 1)
		return false;
	if (*text == '{')
		return tr2_text_starts(text, len, "{\"event\"") ||
		       tr2_text_starts(text, len, "{\\\"event\\\"") ||
		       tr2_text_starts(text, len, "{&quot;event&");
	if (*text == 'd') {
		digits = tr2_text_count_digits(text + 1, len - 1);
		return digits && tr2_text_starts(text + 1 + digits,
						 len - 1 - digits, " | ");
	}
	return tr2_text_has_form(text, len, CLOCK);
}

/* ---- Entities */

/* Returns the character of this name, or 0. */
static int find_entity(const char *name)
{
	static const struct {
		char name[5];
		char character;
	} entities[] = { { "quot", '"' }, { "amp", '&' },   { "lt", '<' },
			 { "gt", '>' },	  { "apos", '\'' }, { "nbsp", ' ' } };
	const bool hex = name[0] == '#' && (name[1] | 0x20) == 'x';
	unsigned long code;
	char *end;

	for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++)
		if (!strcmp(name, entities[i].name))
			return entities[i].character;
	if (*name != '#')
		return 0;
	code = strtoul(name + 1 + hex, &end, hex ? 16 : 10);
	if (*end || code < ' ' || (code > '~' && code != 0xa0))
		return 0;
	return code == 0xa0 ? ' ' : (int)code;
}

static bool is_name_byte(char byte)
{
	return byte == '#' || tr2_text_is_digit(byte) ||
	       ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

/*
 * Returns the length of the entity here and its character; 1, if it is a `&`;
 * 0, if it may go on.
 */
static size_t read_entity(const char *text, size_t len, bool at_end,
			  int *character)
{
	char name[ENTITY_MOST] = "";
	size_t at = 1;
	int found;

	while (at < len && at < ENTITY_MOST && is_name_byte(text[at]))
		at++;
	if (at == ENTITY_MOST)
		return 1;
	if (at == len)
		return at_end;
	memcpy(name, text + 1, at - 1);
	found = text[at] == ';' ? find_entity(name) : 0;
	if (!found)
		return 1;
	*character = found;
	return at + 1;
}

/* Returns a bit for each character that a page has to spell, or 0. */
static unsigned special_bit(int character)
{
	static const char special[] = "&<>\"'";
	const char *found = memchr(special, character, sizeof(special) - 1);

	return found ? 1U << (found - special) : 0;
}

/*
 * Does the line spell a character that is no part of an argument, which would
 * be between apostrophes? `raw` and `spelled` get the characters that it has.
 */
static bool spells_line(const char *text, size_t len, unsigned *raw,
			unsigned *spelled)
{
	bool quoted = false, found = false;
	size_t used;
	int character;

	for (size_t at = 0; at < len; at += used) {
		character = text[at];
		used = character == '&' ? read_entity(text + at, len - at, true,
						      &character)
					: 1;
		*(used > 1 ? spelled : raw) |= special_bit(character);
		found |= used > 1 && !quoted && character != '&';
		quoted ^= text[at] == '\'';
	}
	return found;
}

static const char *find_row_end(const char *text, const char *end)
{
	const char *lf = memchr(text, '\n', (size_t)(end - text));

	return lf ? lf : end;
}

/* Skip the marks of a mail's quote, which a page spells as well. */
static const char *skip_quote(const char *text, const char *end)
{
	size_t used = 1;

	for (; text < end && used; text += used)
		used = tr2_text_starts(text, (size_t)(end - text), "&gt;")
			       ? 4
			       : *text == '>' || *text == ' ';
	return text;
}

/*
 * Who spells a character does it everywhere in the lines of the log. Objects
 * with quotes have any characters.
 */
static bool has_entities(const char *text, const char *end)
{
	unsigned raw = 0, spelled = 0;
	bool found = false;
	const char *row_end, *event;

	if (!memchr(text, '&', (size_t)(end - text)))
		return false;
	for (; text < end; text = row_end + 1) {
		row_end = find_row_end(text, end);
		event = skip_quote(text, row_end);
		if (tr2_copied_begins(event, (size_t)(end - event)) &&
		    memcmp(event, "{\"", 2) != 0)
			found |= spells_line(text, (size_t)(row_end - text),
					     &raw, &spelled);
	}
	return found && !(raw & (spelled | special_bit('&')));
}

/* ---- Ends of lines */

static bool has_only_cr(const char *text, const char *end)
{
	const char *cr = memchr(text, '\r', (size_t)(end - text));

	while (cr && !tr2_copied_begins(cr + 1, (size_t)(end - cr) - 1))
		cr = memchr(cr + 1, '\r', (size_t)(end - cr) - 1);
	return cr;
}

static bool has_caret(const char *text, const char *lf)
{
	return lf - text > 1 && lf[-2] == '^' && lf[-1] == 'M';
}

/* As read_entity() does. */
static size_t read_caret(const char *text, size_t len, bool at_end, int *byte)
{
	if (len > 1 && text[1] != 'M')
		return 1;
	if (len < 3 && !at_end)
		return 0;
	if (len < 2 || (len > 2 && text[2] != '\n'))
		return 1;
	*byte = -1;
	return 2;
}

/* ---- Rows of a terminal */

static size_t count_characters(const char *text, const char *end)
{
	size_t count = 0;

	for (; text < end; text++)
		count += (*text & 0xc0) != 0x80;
	return count;
}

/* Returns the number of rows in which no event begins. */
static unsigned count_others(const char *text, const char *end)
{
	unsigned count = 0;

	for (; text < end; text = find_row_end(text, end) + 1)
		count += *text != '\n' &&
			 !tr2_copied_begins(text, (size_t)(end - text));
	return count;
}

static size_t find_width(const char *text, const char *end)
{
	size_t width = 0, columns;
	const char *row_end;

	for (; text < end; text = row_end + 1) {
		row_end = find_row_end(text, end);
		columns = count_characters(text, row_end);
		if (columns > width)
			width = columns;
	}
	return width;
}

/*
 * Rows of events that go on with the next row have all the same width, which
 * no row exceeds, and do not end in the same way. Rows that a mail broke have
 * many widths, and so have events before what a program wrote.
 */
static bool has_breaks(const char *text, const char *end, size_t width)
{
	unsigned full = 0, others = 0;
	const char *row_end, *next, *first = NULL;
	bool in_event = false, differ = false, goes_on;

	for (; (row_end = find_row_end(text, end)) + 1 < end; text = next) {
		next = row_end + 1;
		in_event |= tr2_copied_begins(text, (size_t)(end - text));
		goes_on = in_event && *next != '\n' &&
			  !tr2_copied_begins(next, (size_t)(end - next));
		in_event = goes_on && count_characters(text, row_end) == width;
		if (!in_event) {
			others += goes_on && *next != ' ' && *next != '|';
			continue;
		}
		full++;
		if (!first)
			first = row_end;
		differ |= memcmp(first - 8, row_end - 8, 8) != 0;
	}
	return full >= BREAKS_LEAST && differ && 4 * others <= full;
}

/* As read_entity() does. */
static size_t read_break(struct tr2_copied *copied, const char *text,
			 size_t len, bool at_end, int *byte)
{
	const bool is_full = copied->column == copied->width;
	bool begins;

	if (len < sizeof(CLOCK) && !at_end)
		return 0;
	begins = tr2_copied_begins(text + 1, len - 1);
	copied->column = 0;
	if (copied->in_event && is_full && !begins && len > 1 &&
	    text[1] != '\n')
		*byte = -1;
	else
		copied->in_event = begins;
	return 1;
}

/* ---- */

void tr2_copied_begin(struct tr2_copied *copied, const char *text, size_t len)
{
	const char *end = text + len, *lf = memchr(text, '\n', len);

	*copied = (struct tr2_copied){ 0 };
	if (memchr(text, '\0', len))
		return;
	if (tr2_quoted_begin(copied, text, end)) {
		copied->kinds = 1 << TR2_COPIED_VALUE;
		return;
	}
	if (!lf) {
		copied->kinds = (unsigned)has_only_cr(text, end)
				<< TR2_COPIED_CR;
		return;
	}
	copied->kinds = (unsigned)has_caret(text, lf) << TR2_COPIED_CARET |
			(unsigned)has_entities(text, end) << TR2_COPIED_ENTITY;
	if (copied->kinds || count_others(text, end) < BREAKS_LEAST)
		return;
	copied->width = find_width(text, end);
	copied->in_event = tr2_copied_begins(text, len);
	if (copied->width >= WIDTH_LEAST &&
	    has_breaks(text, end, copied->width))
		copied->kinds = 1 << TR2_COPIED_BREAK;
}

static size_t read_byte(struct tr2_copied *copied, const char *text, size_t len,
			bool at_end, int *byte)
{
	*byte = (unsigned char)*text;
	if (is_kind(copied, TR2_COPIED_VALUE))
		return tr2_quoted_read(copied, text, len, at_end, byte);
	if (*text == '\r' && is_kind(copied, TR2_COPIED_CR))
		*byte = '\n';
	if (*text == '&' && is_kind(copied, TR2_COPIED_ENTITY))
		return read_entity(text, len, at_end, byte);
	if (*text == '^' && is_kind(copied, TR2_COPIED_CARET))
		return read_caret(text, len, at_end, byte);
	if (*text == '\n' && is_kind(copied, TR2_COPIED_BREAK))
		return read_break(copied, text, len, at_end, byte);
	copied->column += (*text & 0xc0) != 0x80;
	return 1;
}

size_t tr2_copied_read(struct tr2_copied *copied, char *text, size_t len,
		       bool at_end)
{
	const char *at = text, *end = text + len;
	char *to = text;
	size_t used;
	int byte;

	for (; at < end; at += used) {
		used = read_byte(copied, at, (size_t)(end - at), at_end, &byte);
		if (!used)
			break;
		if (byte >= 0)
			*to++ = (char)byte;
	}
	copied->rest_len = (size_t)(end - at);
	memcpy(copied->rest, at, copied->rest_len);
	return (size_t)(to - text);
}
