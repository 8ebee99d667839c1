#include "validate/lines.h"

#include <stdlib.h>
#include <string.h>

#include "validate/tokens.h"
#include "validate/memory.h"

#define CHUNK ((size_t)64 << 10)

/* Have room for another chunk and the padding behind what is there. */
static void make_room(struct tr2_lines *lines)
{
	size_t wanted;

	if (lines->start) {
		lines->end -= lines->start;
		lines->searched -= lines->start;
		memmove(lines->buf, lines->buf + lines->start, lines->end);
		lines->start = 0;
	}
	wanted = lines->end + CHUNK + TR2_TOKENS_PADDING;
	if (wanted <= lines->room)
		return;
	/* A long line: doubling keeps the copying linear. */
	lines->room = lines->end ? 2 * wanted : wanted;
	lines->buf = tr2_memory_grow(lines->buf, lines->room);
}

void tr2_lines_begin(struct tr2_lines *lines, struct tr2_source *source)
{
	struct tr2_lines fresh = TR2_LINES_INIT;

	fresh.source = source;
	fresh.buf = lines->buf;
	fresh.room = lines->room;
	*lines = fresh;
	make_room(lines);
}

static int read_more(struct tr2_lines *lines, const char **error)
{
	ssize_t got;

	make_room(lines);
	got = tr2_source_read(lines->source, lines->buf + lines->end, CHUNK,
			      error);
	if (got < 0)
		return -1;
	lines->at_end = !got;
	lines->end += (size_t)got;
	lines->bytes += (uint64_t)got;
	memset(lines->buf + lines->end, 0, TR2_TOKENS_PADDING);
	return 0;
}

int tr2_lines_peek(struct tr2_lines *lines, size_t wanted, const char **text,
		   size_t *len, const char **error)
{
	while (lines->end < wanted && !lines->at_end)
		if (read_more(lines, error))
			return -1;
	*text = lines->buf;
	*len = lines->end;
	return 0;
}

ssize_t tr2_lines_bytes(struct tr2_lines *lines, const char **bytes,
			const char **error)
{
	size_t len;

	if (lines->start == lines->end && !lines->at_end &&
	    read_more(lines, error))
		return -1;
	*bytes = lines->buf + lines->start;
	len = lines->end - lines->start;
	lines->start = lines->searched = lines->end;
	return (ssize_t)len;
}

/* The LF of the line at start, or NULL if it is not in memory yet. */
static const char *find_end(struct tr2_lines *lines)
{
	const char *lf = memchr(lines->buf + lines->searched, '\n',
				lines->end - lines->searched);

	lines->searched = lf ? (size_t)(lf - lines->buf) : lines->end;
	return lf;
}

int tr2_lines_next(struct tr2_lines *lines, struct tr2_line *line,
		   const char **error)
{
	const char *lf;
	bool cut = false;

	while (!(lf = find_end(lines)) && !lines->at_end) {
		if (lines->end - lines->start > TR2_LINE_MAX) {
			cut = true;
			lines->end = lines->start + TR2_LINE_MAX;
			lines->searched = lines->end;
		}
		if (read_more(lines, error))
			return -1;
	}
	if (!lf && lines->start == lines->end)
		return 0;
	line->text = lines->buf + lines->start;
	line->len = lines->searched - lines->start;
	line->number = ++lines->number;
	line->ended = lf != NULL;
	line->cut = cut || line->len > TR2_LINE_MAX;
	if (line->cut)
		line->len = TR2_LINE_MAX;
	lines->searched += line->ended;
	lines->start = lines->searched;
	return 1;
}

void tr2_lines_release(struct tr2_lines *lines)
{
	free(lines->buf);
}
