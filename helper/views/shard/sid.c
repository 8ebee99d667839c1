#include "views/shard/sid.h"

#include <string.h>

#include "lib/common/memory.h"
#include "read/origin.h"
#include "lib/text/text.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* A tr2_events_fn: a line may hold several events; the first SID counts. */
static void keep_sid(void *context, struct tr2_record *record)
{
	struct tr2_first_sid *first = context;
	size_t len;
	const char *sid = tr2_record_text(record, TR2_KEY_SID, &len);

	if (!sid || first->found)
		return;
	tr2_buf_reset(&first->text);
	tr2_buf_add(&first->text, sid, len);
	tr2_must_hold(&first->text);
	first->found = true;
}

void tr2_first_sid_begin(struct tr2_first_sid *first)
{
	*first = (struct tr2_first_sid){ .text = TR2_BUF_INIT };
	first->events.take = keep_sid;
	first->events.taker = first;
}

void tr2_first_sid_release(struct tr2_first_sid *first)
{
	tr2_events_release(&first->events);
	tr2_buf_release(&first->text);
}

static const char *glance_at_line(const struct tr2_line *line, size_t *len)
{
	size_t skip = 0;

	if (line->number == 1 &&
	    tr2_text_starts(line->text, line->len, BYTE_ORDER_MARK))
		skip = strlen(BYTE_ORDER_MARK);
	return tr2_glance_sid(line->text + skip, line->len - skip, len);
}

static const char *read_line(struct tr2_first_sid *first,
			     const struct tr2_line *line, size_t *len)
{
	tr2_events_line(&first->events, line);
	*len = first->text.len;
	return first->found ? first->text.bytes : NULL;
}

/* Returns the next line of the block, which may not have its end. */
static struct tr2_line find_line(const struct tr2_first_sid *first,
				 const struct tr2_block *block)
{
	struct tr2_line line = { .text = block->text + first->at,
				 .len = block->len - first->at,
				 .number = first->number + 1 };
	const char *lf = memchr(line.text, '\n', line.len);

	line.ended = lf != NULL;
	if (lf)
		line.len = (size_t)(lf - line.text);
	return line;
}

/* Returns the SID, or NULL if the block has none in its whole lines. */
static const char *search_block(struct tr2_first_sid *first,
				const struct tr2_block *block, bool at_end,
				size_t *len)
{
	struct tr2_line line;
	const char *sid;

	while (first->at < block->len) {
		line = find_line(first, block);
		sid = glance_at_line(&line, len);
		if (!sid && !line.ended && !at_end)
			return NULL;
		if (!sid)
			sid = read_line(first, &line, len);
		if (sid)
			return sid;
		first->at += line.len + line.ended;
		first->number = line.number;
	}
	return NULL;
}

/* A pipe, or a long list of arguments: the SID may be in what comes next. */
const char *tr2_first_sid_read(struct tr2_first_sid *first,
			       struct tr2_lines *lines, struct tr2_block *block,
			       size_t *len)
{
	const char *sid;

	first->at = first->number = 0;
	first->found = false;
	tr2_events_begin_log(&first->events);
	for (;;) {
		sid = search_block(first, block, lines->at_end, len);
		if (sid || lines->at_end || lines->failed ||
		    block->len >= TR2_LINE_MAX)
			return sid;
		tr2_lines_read_ahead(lines, block, 2 * block->len);
	}
}
