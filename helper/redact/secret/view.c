#include "redact/secret/scan.h"

#include <stdint.h>
#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "lib/text/text.h"
#include "looks_rows.h"

#define LEVELS 4	/* so often may a `%` be encoded */
#define ESCAPES_MOST 32 /* `\`s before a number */

/* ---- Characters */

/* What characters are seen as, from the first one of a row on. */
#define LOOK(first, looks) { first, looks },
static const struct look {
	uint32_t first;
	char looks[305];
} looks[] = { LOOKS_ROWS(LOOK) };

/* Letters of formulas, bold, italic and others, are all of ASCII again. */
static bool read_ascii(uint32_t character, char *c)
{
	const uint32_t letter = (character - 0x1d400) % 52;

	if (character >= 0xff01 && character <= 0xff5e) /* of full width */
		*c = (char)('!' + (character - 0xff01));
	else if (character >= 0x1d400 && character <= 0x1d6a3)
		*c = (char)(letter < 26 ? 'A' + letter : 'a' + letter - 26);
	else
		return false;
	return true;
}

static bool read_look(uint32_t character, char *c)
{
	const struct look *each = looks;
	const struct look *end = each + sizeof(looks) / sizeof(*looks);

	for (; each < end; each++) {
		if (character < each->first ||
		    character - each->first >= strlen(each->looks))
			continue;
		*c = each->looks[character - each->first];
		if (*c == 1)
			*c = '\0';
		return *c != '.';
	}
	return read_ascii(character, c);
}

/* A blank and a line's end stay as they are spelled: they would end a value. */
static bool read_character(uint32_t character, char *c)
{
	if ((character > ' ' && character < 0x7f) ||
	    character == TR2_VIEW_ESCAPE)
		*c = (char)character;
	else if (character < 0xa0 || !read_look(character, c))
		return false;
	return true;
}

static size_t read_utf8(const char *text, size_t len, char *c)
{
	static const unsigned char heads[] = { 0, 0, 0x1f, 0x0f, 0x07 };
	const int size = tr2_utf8_measure(text, len);
	uint32_t character;

	if (size < 2)
		return 0;
	character = (unsigned char)*text & heads[size];
	for (int i = 1; i < size; i++)
		character = character << 6 | ((unsigned char)text[i] & 0x3f);
	return read_character(character, c) ? (size_t)size : 0;
}

/* ---- Numbers of characters */

/* How a byte may be spelled: what begins it, its digits, and what ends it. */
static const struct spelling {
	char mark; /* before all */
	const char *begin;
	unsigned char least, most, base;
	const char *end;
} spellings[] = {
	{ '%', "", 2, 2, 16, "" },    { '\\', "u{", 1, 6, 16, "}" },
	{ '\\', "u", 4, 4, 16, "" },  { '\\', "U", 8, 8, 16, "" },
	{ '\\', "x", 2, 2, 16, "" },  { '\\', "", 3, 3, 8, "" },
	{ '&', "#x", 1, 6, 16, ";" }, { '&', "#X", 1, 6, 16, ";" },
	{ '&', "#", 1, 6, 10, ";" },
};

/* Returns how many digits are here, and their number. */
static size_t read_number(const char *text, size_t len,
			  const struct spelling *spelling, uint32_t *number)
{
	static const char digits[] = "0123456789abcdef";
	const char *digit;
	size_t i;

	*number = 0;
	for (i = 0; i < len && i < spelling->most; i++) {
		digit = memchr(digits, tr2_ascii_fold(text[i]), spelling->base);
		if (!digit)
			break;
		*number = *number * spelling->base + (uint32_t)(digit - digits);
	}
	return i;
}

/* Returns the length of what is spelled so here, after the mark, or 0. */
static size_t measure_spelling(const struct spelling *spelling,
			       const char *text, size_t len, char *c)
{
	uint32_t number;
	size_t at = strlen(spelling->begin), count;

	if (!tr2_text_starts(text, len, spelling->begin))
		return 0;
	count = read_number(text + at, len - at, spelling, &number);
	at += count;
	if (count < spelling->least || (spelling->base == 8 && number > 0x7f) ||
	    !tr2_text_starts(text + at, len - at, spelling->end) ||
	    !read_character(number, c))
		return 0;
	return at + strlen(spelling->end);
}

/* `amp;` and the like: what follows the `&`. */
static size_t measure_entity(const char *text, size_t len, char *c)
{
	static const struct {
		char name[8];
		char c;
	} entities[] = { { "amp;", '&' },   { "quot;", '"' },
			 { "apos;", '\'' }, { "lt;", '<' },
			 { "gt;", '>' },    { "equals;", '=' },
			 { "colon;", ':' }, { "lowbar;", '_' } };
	size_t size;

	for (size_t i = 0; i < sizeof(entities) / sizeof(*entities); i++) {
		size = strlen(entities[i].name);
		if (len < size || memcmp(text, entities[i].name, size) != 0)
			continue;
		*c = entities[i].c;
		return size;
	}
	return 0;
}

/* `%2570` where it is encoded again, and `\\` where a text is quoted again. */
static size_t skip_marks(const char *text, size_t len)
{
	size_t at = 1;

	if (*text == '%')
		while (at < 2 * LEVELS - 1 && len > at + 1 &&
		       !memcmp(text + at, "25", 2))
			at += 2;
	if (*text == '\\')
		while (at < len && at < ESCAPES_MOST && text[at] == '\\')
			at++;
	return at;
}

static size_t measure_spelled(const char *text, size_t len, char *c)
{
	const size_t at = skip_marks(text, len);
	size_t size = *text == '&' ? measure_entity(text + at, len - at, c) : 0;
	size_t i;

	for (i = 0; !size && i < sizeof(spellings) / sizeof(*spellings); i++)
		if (spellings[i].mark == *text)
			size = measure_spelling(spellings + i, text + at,
						len - at, c);
	return size ? at + size : 0;
}

/* ---- Texts */

/* Returns the length of `[1;31m` here, or 0. */
static size_t measure_colour(const char *text, size_t len)
{
	size_t at = 1;

	if (!len || *text != '[')
		return 0;
	while (at < len && (tr2_ascii_digit(text[at]) || text[at] == ';'))
		at++;
	return at < len && memchr("mK", text[at], 2) ? at + 1 : 0;
}

size_t tr2_view_measure(const char *text, size_t len, size_t at, char *c)
{
	size_t size = 0, colour;

	text += at;
	len -= at;
	*c = *text;
	if ((unsigned char)*text >= 0x80)
		return read_utf8(text, len, c);
	if (memchr("%\\&", *text, 3))
		size = measure_spelled(text, len, c);
	if (*c != TR2_VIEW_ESCAPE)
		return size;
	size += *text == TR2_VIEW_ESCAPE;
	colour = measure_colour(text + size, len - size);
	*c = '\0';
	return colour ? size + colour : 0;
}

static bool may_differ(char c)
{
	return (unsigned char)c >= 0x80 || c == '%' || c == '\\' || c == '&' ||
	       c == TR2_VIEW_ESCAPE;
}

bool tr2_view_differs(const char *text, size_t len)
{
	char c;

	for (size_t at = 0; at < len; at++)
		if (may_differ(text[at]) && tr2_view_measure(text, len, at, &c))
			return true;
	return false;
}

void tr2_view_add(struct tr2_buf *out, const char *text, size_t len)
{
	size_t size;
	char c;

	for (size_t at = 0; at < len; at += size ? size : 1) {
		size = tr2_view_measure(text, len, at, &c);
		if (c || !size)
			tr2_buf_byte(out, c);
	}
}

/* ---- Secrets of what is seen */

/* Returns where in the text the bytes end of which so many are seen. */
static size_t find_place(const struct tr2_buf *text, size_t seen)
{
	size_t at = 0, size;
	char c;

	while (seen) {
		size = tr2_view_measure(text->bytes, text->len, at, &c);
		seen -= c || !size; /* a NUL stands for itself */
		at += size ? size : 1;
	}
	return at;
}

/*
 * Where a secret ends only after bytes that are spelled as others, nobody knows
 * which of them are of it: the rest of the text is hidden.
 */
void tr2_secret_walk_seen(struct tr2_secret_scan *scan, struct tr2_buf *out)
{
	struct tr2_buf plain = TR2_BUF_INIT, seen = TR2_BUF_INIT;
	struct tr2_secret_scan again = *scan;
	struct tr2_secret_span found;
	size_t at = 0;

	tr2_secret_walk_plain(scan, &plain);
	tr2_view_add(&seen, plain.bytes, plain.len);
	out->failed |= plain.failed | seen.failed;
	if (!out->failed) {
		again.text = seen.bytes;
		again.len = seen.len;
		if (tr2_secret_find_next(&again, &at, &found)) {
			plain.len = find_place(&plain, found.start);
			tr2_buf_str(&plain, TR2_SECRET_GONE);
		}
		tr2_buf_add(out, plain.bytes, plain.len);
	}
	tr2_buf_release(&plain);
	tr2_buf_release(&seen);
}
