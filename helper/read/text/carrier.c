#include "read/text/pieces.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "read/text/clock.h"

/* What a carrier puts before a line is no longer than this. */
#define BEFORE_MOST ((size_t)160)

#define THREAD ((size_t)24) /* least bytes of PERF's thread */

/* Does a line of a log begin here? A source follows a clock. */
static bool begins_line(const char *text, size_t len)
{
	size_t at;

	switch (*text) {
	case '{':
		return tr2_text_starts(text, len, "{\"event\":");
	case 'd':
		at = tr2_columns_depth(text, len < 12 ? len : 12);
		return at && len > at + THREAD &&
		       tr2_text_starts(text + at + THREAD, len - at - THREAD,
				       " | ");
	default:
		return tr2_clock_is(text, len, false);
	}
}

/*
 * May these bytes be what a carrier put before a line? The end of an event that
 * was torn is not.
 */
static bool is_before(const char *text, size_t len)
{
	size_t marks = 0;

	while (marks < len && memchr(" \t+->", text[marks], 5))
		marks++;
	return marks == len ||
	       (memchr(" \t>|:])", text[len - 1], 7) &&
		!memchr(text, '"', len) && !memchr(text, '}', len)) ||
	       tr2_text_is(text, len, "\xef\xbb\xbf");
}

/* Returns where the line begins after what a carrier put before it. */
static const char *find_line(const char *text, size_t len)
{
	const char *found = NULL;
	size_t at, most = len < BEFORE_MOST ? len : BEFORE_MOST;

	for (at = 0; at < most; at++) {
		if (text[at] != '{' && text[at] != 'd' &&
		    !tr2_text_is_digit(text[at]))
			continue;
		if (!begins_line(text + at, len - at) || !is_before(text, at))
			continue;
		found = text + at;
		/* A time of `ts` may look like the line's own. */
		if (!tr2_text_is_digit(text[at]) || at + TR2_CLOCK >= len ||
		    !tr2_clock_is(found + TR2_CLOCK, len - at - TR2_CLOCK,
				  false))
			break;
	}
	return found;
}

/* Returns what follows a sequence for the colour of a terminal. */
static const char *skip_colour(const char *text, const char *end)
{
	for (text += 2; text < end; text++)
		if (*text >= '@' && *text <= '~')
			return text + 1;
	return end;
}

static void drop_colours(const char **text, size_t *len, struct tr2_buf *copy)
{
	const char *from = *text, *end = from + *len, *escape;

	tr2_buf_reset(copy);
	while ((escape = tr2_text_find(from, (size_t)(end - from), "\033["))) {
		tr2_buf_add(copy, from, (size_t)(escape - from));
		from = skip_colour(escape, end);
	}
	tr2_buf_add(copy, from, (size_t)(end - from));
	if (copy->failed)
		tr2_memory_out();
	*len = copy->len;
	*text = copy->len ? copy->bytes : end;
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

size_t tr2_carrier_measure(const char **text, size_t *len, struct tr2_buf *copy)
{
	const char *line;

	if (!*len ||
	    (begins_line(*text, *len) && **text != '{' &&
	     !(*len > TR2_CLOCK &&
	       tr2_clock_is(*text + TR2_CLOCK, *len - TR2_CLOCK, false))))
		return 0;
	if (memchr(*text, '\033', *len))
		drop_colours(text, len, copy);
	line = find_line(*text, *len);
	if (!line && tr2_text_starts(*text, *len, "| "))
		line = *text + strlen("| ");
	if (line && **text == '|')
		drop_last_bar(text, len);
	return line ? (size_t)(line - *text) : 0;
}
