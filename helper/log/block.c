#include "log/block.h"

#include <stdlib.h>
#include <string.h>

#include "log/glance.h"
#include "log/marks.h"
#include "common/memory.h"

#define ROOM ((size_t)128 << 10) /* text and tokens fit in a core's cache */
#define MARKS 64		 /* words of marks that are found at a time */
#define LOGS_MAX 1024		 /* logs that a block can hold */

/* So do those of all packed blocks that wait for another thread. */
#define PACKED (ROOM / 2)

void tr2_block_make_room(struct tr2_block *block, size_t more)
{
	size_t wanted = block->len + more;

	if (wanted <= block->room)
		return;
	/* For a long line, doubling keeps the copying linear. */
	block->room = wanted <= ROOM ? ROOM : 2 * wanted;
	block->text =
		tr2_must_grow(block->text, block->room + TR2_TOKENS_PADDING);
}

/* The line is complete; the next one begins. */
static void end_line(struct tr2_block *block, struct tr2_block_line *line,
		     size_t end)
{
	struct tr2_block_line *added =
		tr2_vec_add(&block->lines, sizeof(*added));

	line->len = (uint32_t)end - line->at;
	*added = *line;
	*line = (struct tr2_block_line){ .at = (uint32_t)end + 1 };
}

static void take_mark(struct tr2_block *block, struct tr2_block_line *line,
		      size_t place)
{
	const char *text = block->text;

	if (text[place] == '\n')
		end_line(block, line, place);
	else if (text[place] == '\\')
		line->escapes = true;
	else if (place > line->at)
		line->begins |= tr2_glance_may_begin(text, text + place,
						     text + block->len);
}

/* Find more words of marks, as many as fit or are left. */
static void take_marks(struct tr2_block *block, struct tr2_block_line *line,
		       size_t from)
{
	size_t left = block->len - from + TR2_MARKS_WORD - 1, i;
	uint64_t marks[MARKS];

	left /= TR2_MARKS_WORD;
	if (left > MARKS)
		left = MARKS;
	tr2_marks_find(block->text + from, left, marks);
	for (i = 0; i < left; i++, from += TR2_MARKS_WORD)
		for (; marks[i]; marks[i] &= marks[i] - 1)
			take_mark(block, line,
				  from + (size_t)__builtin_ctzll(marks[i]));
}

static void find_lines(struct tr2_block *block)
{
	struct tr2_block_line line = { .at = 0 };
	size_t from;

	for (from = 0; from < block->len; from += MARKS * TR2_MARKS_WORD)
		take_marks(block, &line, from);
	line.torn = block->torn;
	if (line.at < block->len)
		end_line(block, &line, block->len);
}

static struct tr2_block_log *log_at(const struct tr2_block *block, size_t log)
{
	return (struct tr2_block_log *)block->logs.items + log;
}

/* Lines are in order, and each belongs to one log. */
static void share_out_lines(struct tr2_block *block)
{
	struct tr2_block_line *lines = block->lines.items;
	struct tr2_block_log *log;
	uint32_t line = 0;
	size_t i, end;

	for (i = 0; i < block->logs.count; i++) {
		log = log_at(block, i);
		end = log->at;
		if (log->format != TR2_LOG_UNKNOWN)
			end += log->len; /* else its bytes are elsewhere */
		log->first = line;
		while (line < block->lines.count && lines[line].at < end)
			line++;
		log->count = line - log->first;
		if (log->torn)
			lines[line - 1].torn = true;
	}
}

/* A bit for each partition that has lines in it; all for a shared line. */
static uint64_t find_owners(const struct tr2_block *log)
{
	const struct tr2_block_line *lines = log->lines.items;
	uint64_t owners = 0;
	size_t i;

	for (i = 0; i < log->lines.count; i += 1 + lines[i].alike)
		owners |= lines[i].shared ? TR2_OWNERS_ALL
					  : UINT64_C(1) << lines[i].owner;
	return owners;
}

static void glance_at_block(struct tr2_block *block)
{
	struct tr2_block log;
	size_t i;

	if (!block->logs.count)
		tr2_glance_at_lines(block);
	for (i = 0; i < block->logs.count; i++) {
		log = tr2_block_unpack(block, i);
		if (!log.lines.count)
			continue;
		tr2_glance_at_lines(&log);
		if (!log.fault)
			log_at(block, i)->owners = find_owners(&log);
	}
}

void tr2_block_prepare(struct tr2_block *block, bool shared)
{
	if (block->format == TR2_LOG_UNKNOWN || block->format == TR2_LOG_FXT ||
	    !block->len)
		return;
	memset(block->text + block->len, 0, TR2_TOKENS_PADDING);
	find_lines(block);
	share_out_lines(block);
	if (block->format != TR2_LOG_EVENT)
		return;
	if (shared)
		glance_at_block(block);
	if ((block->lines.count > 1 || shared) && !block->logs.count)
		block->has_tokens = tr2_tokens_find(&block->tokens, block->text,
						    block->len) ==
				    TR2_TOKENS_OK;
}

/* The log has at least one line. */
static size_t measure_lines(const struct tr2_block *log)
{
	const struct tr2_block_line *first = log->lines.items;
	const struct tr2_block_line *last = first + log->lines.count - 1;

	return last->at + last->len - first->at;
}

/* A single line finds its own tokens when it is read. */
void tr2_block_find_tokens(struct tr2_block *log, struct tr2_tokens *tokens)
{
	const struct tr2_block_line *lines = log->lines.items;

	if (log->format != TR2_LOG_EVENT || log->lines.count < 2)
		return;
	log->has_tokens = tr2_tokens_find(tokens, log->text + lines->at,
					  measure_lines(log)) == TR2_TOKENS_OK;
	log->tokens = *tokens;
}

struct tr2_line tr2_block_line(const struct tr2_block *block, size_t place)
{
	const struct tr2_block_line *lines = block->lines.items;
	const struct tr2_block_line *line = &lines[place];
	bool cut = block->cut || line->len > TR2_LINE_MAX;

	return (struct tr2_line){
		.text = block->text + line->at,
		.len = cut ? TR2_LINE_MAX : line->len,
		.ended = !line->torn,
		.cut = cut,
		.second = block->datagram && place == 1,
		.owner = line->owner,
		.shared = line->shared,
		.escapes = line->escapes,
		.tokens = block->has_tokens ? &block->tokens : NULL,
	};
}

/* A log with lines can be packed. */
static bool has_lines(const struct tr2_block *block)
{
	return block->len && block->format != TR2_LOG_UNKNOWN;
}

bool tr2_block_has_room(const struct tr2_block *block,
			const struct tr2_block *small)
{
	if (block->logs.count == LOGS_MAX || block->len + small->len >= PACKED)
		return false;
	return !has_lines(block) || !has_lines(small) ||
	       block->format == small->format;
}

/* A line without an LF gets one, which separates it from the next log. */
static void add_text(struct tr2_block *block, const char *text, size_t len)
{
	tr2_block_make_room(block, len + 1);
	memcpy(block->text + block->len, text, len);
	block->len += len;
	if (text[len - 1] != '\n')
		block->text[block->len++] = '\n';
}

void tr2_block_pack(struct tr2_block *block, struct tr2_block *small)
{
	struct tr2_block_log *log = tr2_vec_add(&block->logs, sizeof(*log));

	*log = (struct tr2_block_log){
		.format = small->format,
		.visit = small->visit,
		.name = small->name,
		.fault = small->fault,
		.at = block->len,
		.len = small->len,
		.owners = TR2_OWNERS_ALL,
	};
	if (has_lines(small)) {
		log->torn = small->text[small->len - 1] != '\n';
		block->format = small->format;
		add_text(block, small->text, small->len);
	}
	small->name = small->fault = NULL;
	tr2_block_clear(small);
}

/*
 * The last line of the log is the last of the block: no line follows on which
 * its meaning could depend.
 */
struct tr2_block tr2_block_unpack(const struct tr2_block *block, size_t number)
{
	const struct tr2_block_log *log = log_at(block, number);
	/* Leaves out the members of feed.c, which need the feed's lock. */
	struct tr2_block one = {
		.format = log->format,
		.visit = log->visit,
		.name = log->name,
		.fault = log->fault,
		.dropped = block->dropped,
		.text = block->text,
		.len = log->len,
		.room = block->room,
		.torn = block->torn,
		.cut = block->cut,
		.datagram = block->datagram,
		.leads_on = true,
		.lines = block->lines,
	};

	one.lines.count = log->count;
	if (log->count)
		one.lines.items = (struct tr2_block_line *)block->lines.items +
				  log->first;
	return one;
}

void tr2_block_clear(struct tr2_block *block)
{
	while (block->logs.count) {
		free(log_at(block, --block->logs.count)->name);
		free(log_at(block, block->logs.count)->fault);
	}
	free(block->name);
	free(block->fault);
	if (block->room > ROOM)
		tr2_block_release(block);
	*block = (struct tr2_block){
		.text = block->text,
		.room = block->room,
		.lines = { block->lines.items, 0, block->lines.room },
		.logs = block->logs,
		.tokens = block->tokens,
	};
}

void tr2_block_release(struct tr2_block *block)
{
	free(block->text);
	tr2_vec_release(&block->lines);
	tr2_vec_release(&block->logs);
	tr2_tokens_release(&block->tokens);
	*block = (struct tr2_block){ 0 };
}
