#include "read/text/pieces.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "read/text/clock.h"

/* What a carrier puts before a line is no longer than this. */
#define BEFORE_MOST ((size_t)160)

#define THREAD ((size_t)24) /* least bytes of PERF's thread */

#define PADDED ((size_t)48) /* bytes that no payload reaches */
#define NO_SOURCE "            "
#define PAGE_BLANK "\xc2\xa0"

/* Does a source follow, `file:line`, or the blanks of none? */
static bool has_source(const char *text, size_t len)
{
	const char *blank = memchr(text, ' ', len);

	if (blank == text)
		return tr2_text_starts(text, len, NO_SOURCE);
	if (blank)
		len = (size_t)(blank - text);
	while (len && tr2_text_is_digit(text[len - 1]))
		len--;
	return len && text[len - 1] == ':';
}

/* Does a line of a log begin here? If only a clock does, it is not `sure`. */
static bool begins_line(const char *text, size_t len, bool *sure)
{
	size_t at;

	*sure = true;
	switch (*text) {
	case '{':
		return tr2_text_starts(text, len, "{\"event\":");
	case 'd':
		at = tr2_columns_depth(text, len < 12 ? len : 12);
		return at && len > at + THREAD &&
		       tr2_text_starts(text + at + THREAD, len - at - THREAD,
				       " | ");
	default:
		if (!tr2_clock_is(text, len, false))
			return false;
		*sure = len > TR2_CLOCK &&
			has_source(text + TR2_CLOCK, len - TR2_CLOCK);
		return true;
	}
}

/*
 * May these bytes be what a carrier put before a line? The end of an event that
 * was torn is not. A text without a line break may be `glued` to it.
 */
static bool is_before(const char *text, size_t len, bool glued)
{
	size_t marks = 0;

	while (marks < len && memchr(" \t+->\036", text[marks], 6))
		marks++;
	if (marks == len)
		return true;
	glued &= !tr2_text_is_digit(text[len - 1]) && text[len - 1] != '(';
	return ((glued || memchr(" \t\r>|:])", text[len - 1], 8)) &&
		!memchr(text, '"', len) && !memchr(text, '}', len)) ||
	       tr2_text_is(text, len, "\xef\xbb\xbf");
}

/*
 * Returns where the line begins after what a carrier put before it, which may
 * have a clock of its own.
 */
static const char *find_line(const char *text, size_t len)
{
	const char *found = NULL;
	size_t most = len < BEFORE_MOST ? len : BEFORE_MOST;
	bool sure;

	for (size_t at = 0; at < most; at++) {
		if (text[at] != '{' && text[at] != 'd' &&
		    !tr2_text_is_digit(text[at]))
			continue;
		if (!begins_line(text + at, len - at, &sure) ||
		    !is_before(text, at, sure && tr2_text_is_digit(text[at])))
			continue;
		if (sure)
			return text + at;
		if (!found)
			found = text + at;
	}
	return found;
}

/*
 * Returns what follows an escape: a colour of a terminal, or a note to one up
 * to a BEL, as of Buildkite.
 */
static const char *skip_escape(const char *text, const char *end)
{
	const char *bell;

	if (end - text > 1 && (text[1] == ']' || text[1] == '_')) {
		bell = memchr(text, '\a', (size_t)(end - text));
		return bell ? bell + 1 : text + 2;
	}
	if (end - text < 2 || text[1] != '[')
		return text + 1;
	for (text += 2; text < end; text++)
		if (*text >= '@' && *text <= '~')
			return text + 1;
	return end;
}

/* Copy without what is for a terminal, and with the blanks of a page as such. */
static void clean_line(const char **text, size_t *len, struct tr2_buf *copy)
{
	const char *from = *text, *at = from, *end = from + *len;

	tr2_buf_reset(copy);
	for (; at < end; from = at) {
		while (at < end && *at != '\033' &&
		       !tr2_text_starts(at, (size_t)(end - at), PAGE_BLANK))
			at++;
		tr2_buf_add(copy, from, (size_t)(at - from));
		if (at < end && *at != '\033')
			tr2_buf_byte(copy, ' ');
		if (at < end)
			at = *at == '\033' ? skip_escape(at, end)
					   : at + strlen(PAGE_BLANK);
	}
	*len = copy->len;
	tr2_buf_fill(copy, '\0', TR2_TOKENS_PADDING);
	tr2_must_hold(copy);
	*text = copy->bytes;
}

/* A row of a table ends as it begins, with a bar. */
static void drop_last_bar(const char *const *text, size_t *len)
{
	size_t end = *len;

	while (end && (*text)[end - 1] == ' ')
		end--;
	if (end > 1 && (*text)[end - 1] == '|' && (*text)[end - 2] == ' ')
		*len = end - 2;
}

/* Of a line that was overwritten, as by progress, the last one counts. */
static const char *find_last(const char *text, size_t len)
{
	const char *end = text + len, *cr;

	while ((cr = memchr(text, '\r', (size_t)(end - text))) && cr + 1 < end)
		text = cr + 1;
	return find_line(text, (size_t)(end - text));
}

/* A page has every blank, or every other one; a person types one in a word. */
static bool is_page_blank(const char *blank, const char *text, size_t len)
{
	const char *next;

	if (!blank || blank == text)
		return false;
	next = blank + strlen(PAGE_BLANK);
	return blank[-1] == ' ' || (next < text + len && *next == ' ') ||
	       blank == text + TR2_CLOCK - 1;
}

/*
 * Is there something of a terminal or a page in it? A page's blanks would have
 * moved the columns.
 */
static bool is_dressed(const char *text, size_t len)
{
	const char *blank = NULL;

	if (len < PADDED || memcmp(text + PADDED - 4, " | d", 4))
		blank = tr2_text_find(text, len < PADDED ? len : PADDED,
				      PAGE_BLANK);
	return is_page_blank(blank, text, len) || memchr(text, '\033', len);
}

static bool is_bare(const char *text, size_t len)
{
	bool sure;

	return !len || (begins_line(text, len, &sure) && sure && *text != '{');
}

size_t tr2_carrier_measure(const char **text, size_t *len, struct tr2_buf *copy)
{
	const char *line;

	if (is_dressed(*text, *len))
		clean_line(text, len, copy);
	if (is_bare(*text, *len))
		return 0;
	line = find_last(*text, *len);
	if (!line)
		line = find_line(*text, *len);
	if (!line && tr2_text_starts(*text, *len, "| "))
		line = *text + strlen("| ");
	if (line && **text == '|')
		drop_last_bar(text, len);
	return line ? (size_t)(line - *text)
		    : tr2_normal_find_brief(*text, *len);
}
