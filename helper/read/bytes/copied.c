#include "read/bytes/copied.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"

#define ENTITY_MOST ((size_t)8)
#define WIDTH_LEAST 40
#define BREAKS_LEAST 3
#define BINARY ((size_t)8) /* a NUL in these bytes: it is no text */

bool tr2_copied_begins_event(const char *text, size_t len)
{
	size_t digits;

	if (len < sizeof(TR2_COPIED_CLOCK) - 1)
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
	return tr2_text_has_form(text, len, TR2_COPIED_CLOCK);
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

const char *tr2_copied_find_end(const char *text, const char *end)
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
 * Has the line nothing that a page would have to spell? `found` becomes true if
 * it spells a character that is no part of an argument, which would be between
 * apostrophes.
 */
static bool may_be_spelled(const char *text, size_t len, bool *found)
{
	bool quoted = false;
	size_t used;
	int character;

	for (size_t at = 0; at < len; at += used) {
		used = 1;
		quoted ^= text[at] == '\'';
		if (text[at] == '&')
			used = read_entity(text + at, len - at, true,
					   &character);
		if (text[at] == '<' || (text[at] == '&' && used == 1))
			return false;
		*found |= used > 1 && !quoted && character != '&';
	}
	return true;
}

/* Objects with quotes have any characters. */
static bool has_entities(struct tr2_copied *copied, const char *text,
			 const char *end)
{
	bool found = false;
	const char *row_end, *event;
	size_t len;

	(void)copied;
	if (!memchr(text, '&', (size_t)(end - text)))
		return false;
	for (; text < end; text = row_end + 1) {
		row_end = tr2_copied_find_end(text, end);
		event = skip_quote(text, row_end);
		len = (size_t)(row_end - event);
		if (tr2_text_starts(event, len, "{\""))
			continue;
		if (tr2_text_find(event, len, "event&quot;:") ||
		    tr2_text_find(event, len, "event\\&quot;:"))
			return true;
		if (tr2_copied_begins_event(event, len) &&
		    !may_be_spelled(text, (size_t)(row_end - text), &found))
			return false;
	}
	return found;
}

/* A tr2_copied_read_fn. */
static size_t spell_entity(struct tr2_copied *copied, const char *text,
			   size_t len, bool at_end, int *byte)
{
	(void)copied;
	return *text == '&' ? read_entity(text, len, at_end, byte) : 1;
}

/* ---- Ends of lines */

static bool has_only_cr(struct tr2_copied *copied, const char *text,
			const char *end)
{
	const char *cr = memchr(text, '\r', (size_t)(end - text));

	(void)copied;
	if (memchr(text, '\n', (size_t)(end - text)))
		return false;
	while (cr && !tr2_copied_begins_event(cr + 1, (size_t)(end - cr) - 1))
		cr = memchr(cr + 1, '\r', (size_t)(end - cr) - 1);
	return cr;
}

/* A tr2_copied_read_fn. */
static size_t end_row(struct tr2_copied *copied, const char *text, size_t len,
		      bool at_end, int *byte)
{
	(void)copied, (void)len, (void)at_end;
	if (*text == '\r')
		*byte = '\n';
	return 1;
}

static bool has_caret(struct tr2_copied *copied, const char *text,
		      const char *end)
{
	const char *lf = tr2_copied_find_end(text, end);

	(void)copied;
	return lf < end && lf - text > 2 && lf[-2] == '^' && lf[-1] == 'M';
}

/* A tr2_copied_read_fn. */
static size_t drop_caret(struct tr2_copied *copied, const char *text,
			 size_t len, bool at_end, int *byte)
{
	(void)copied;
	if (*text != '^')
		return 1;
	if (len < 3 && !at_end)
		return 0;
	if (len < 2 || text[1] != 'M' || (len > 2 && text[2] != '\n'))
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

	for (; text < end; text = tr2_copied_find_end(text, end) + 1)
		count += *text != '\n' &&
			 !tr2_copied_begins_event(text, (size_t)(end - text));
	return count;
}

static size_t find_width(const char *text, const char *end)
{
	size_t width = 0, columns;
	const char *row_end;

	for (; text < end; text = row_end + 1) {
		row_end = tr2_copied_find_end(text, end);
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
static bool has_full_rows(const char *text, const char *end, size_t width)
{
	unsigned full = 0, others = 0;
	const char *row_end, *next, *first = NULL;
	bool in_event = false, differ = false, goes_on;

	for (; (row_end = tr2_copied_find_end(text, end)) + 1 < end;
	     text = next) {
		next = row_end + 1;
		in_event |= tr2_copied_begins_event(text, (size_t)(end - text));
		goes_on = in_event && *next != '\n' &&
			  !tr2_copied_begins_event(next, (size_t)(end - next));
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

static bool has_breaks(struct tr2_copied *copied, const char *text,
		       const char *end)
{
	if (count_others(text, end) < BREAKS_LEAST)
		return false;
	copied->width = find_width(text, end);
	copied->inside = tr2_copied_begins_event(text, (size_t)(end - text));
	return copied->width >= WIDTH_LEAST &&
	       has_full_rows(text, end, copied->width);
}

/* A tr2_copied_read_fn. */
static size_t drop_break(struct tr2_copied *copied, const char *text,
			 size_t len, bool at_end, int *byte)
{
	const bool is_full = copied->column == copied->width;
	bool begins;

	if (*text != '\n') {
		copied->column += (*text & 0xc0) != 0x80;
		return 1;
	}
	if (len < sizeof(TR2_COPIED_CLOCK) && !at_end)
		return 0;
	begins = tr2_copied_begins_event(text + 1, len - 1);
	copied->column = 0;
	if (copied->inside && is_full && !begins && len > 1 && text[1] != '\n')
		*byte = -1;
	else
		copied->inside = begins;
	return 1;
}

/* ---- */

/* What is around comes before what is inside. */
static const struct tr2_copied_form forms[TR2_COPIED_FORMS] = {
	{ tr2_copied_has_values, tr2_copied_read_value,
	  "its lines are quoted as values of JSON or of keys, and read, and "
	  "counted, as they were" },
	{ has_breaks, drop_break,
	  "its lines are broken at the width of a terminal, and read as they "
	  "were; they are counted as they are read" },
	{ has_caret, drop_caret,
	  "its lines end in ^M, which is read as the CR that it shows" },
	{ has_entities, spell_entity,
	  "its characters are spelled as in the source of a page (&quot;), and "
	  "read as what they stand for" },
	{ tr2_copied_has_folds, tr2_copied_read_fold,
	  "its events are in a list or have several lines, and are read, and "
	  "counted, as a line each" },
	{ has_only_cr, end_row,
	  "its lines end in CR alone, and are read as lines" },
};

/* Turn the rest and the text into what they stand for; returns its length. */
static size_t read_form(struct tr2_copied *copied, char *text, size_t len,
			bool at_end)
{
	const char *at = text, *end = text + copied->rest_len + len;
	char *to = text;
	size_t used;
	int byte;

	memmove(text + copied->rest_len, text, len);
	memcpy(text, copied->rest, copied->rest_len);
	for (; at < end; at += used) {
		byte = (unsigned char)*at;
		used = copied->form->read(copied, at, (size_t)(end - at),
					  at_end, &byte);
		if (!used)
			break;
		if (byte >= 0)
			*to++ = (char)byte;
	}
	copied->rest_len = (size_t)(end - at);
	memcpy(copied->rest, at, copied->rest_len);
	return (size_t)(to - text);
}

static bool has_form(const struct tr2_copied_all *copies,
		     const struct tr2_copied_form *form)
{
	for (size_t i = 0; i < copies->count; i++)
		if (copies->each[i].form == form)
			return true;
	return false;
}

/* Find a form that the text has besides those that are known. */
static bool add_form(struct tr2_copied_all *copies, const char *text,
		     size_t len)
{
	struct tr2_copied *copied = &copies->each[copies->count];

	for (size_t i = 0; i < TR2_COPIED_FORMS; i++) {
		*copied = (struct tr2_copied){ .form = &forms[i] };
		if (has_form(copies, &forms[i]))
			continue;
		if (forms[i].begins(copied, text, text + len)) {
			copies->count++;
			return true;
		}
		copies->found |= copied->found;
	}
	return false;
}

void tr2_copied_begin(struct tr2_copied_all *copies, const char *text,
		      size_t len)
{
	struct tr2_buf copy = TR2_BUF_INIT;
	struct tr2_copied trial;

	*copies = (struct tr2_copied_all){ 0 };
	if (!len || memchr(text, '\0', len < BINARY ? len : BINARY))
		return;
	while (len && add_form(copies, text, len)) {
		if (!copy.len)
			tr2_buf_add(&copy, text, len);
		tr2_must_hold(&copy);
		trial = copies->each[copies->count - 1];
		len = read_form(&trial, copy.bytes, len, false);
		text = copy.bytes;
	}
	tr2_buf_release(&copy);
}

size_t tr2_copied_read(struct tr2_copied_all *copies, char *text, size_t len,
		       bool at_end)
{
	for (size_t i = 0; i < copies->count; i++)
		len = read_form(&copies->each[i], text, len, at_end);
	return len;
}
