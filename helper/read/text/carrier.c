#include "read/text/pieces.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "read/text/clock.h"

/* What a carrier puts before a line is no longer than this. */
#define BEFORE_MOST ((size_t)160)

/* Does a line of a log begin here? A source follows a clock. */
static bool begins_line(const char *text, size_t len)
{
	const char *bar;
	size_t at;

	switch (*text) {
	case '{':
		return tr2_text_starts(text, len, "{\"event\":");
	case 'd':
		if (len < 2 || !tr2_text_is_digit(text[1]))
			return false;
		bar = tr2_text_find(text, len < 12 ? len : 12, " | ");
		if (!bar)
			return false;
		for (at = 1; text + at < bar; at++)
			if (!tr2_text_is_digit(text[at]))
				return false;
		return len > 31 &&
		       tr2_text_starts(text + at + 27, len - at - 27, " | ");
	default:
		return tr2_clock_is(text, len, false);
	}
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
		if (!begins_line(text + at, len - at))
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
	return line ? (size_t)(line - *text) : 0;
}
