#include "validate/log.h"

#include <errno.h>
#include <string.h>

#include "check/fxt.h"
#include "common/memory.h"
#include "text/text.h"
#include "textlog/textlog.h"

#define HEAD_MAX ((size_t)64 << 10) /* an event must be in these bytes */
#define SMALL ((size_t)16 << 10)    /* a smaller log shares a block */

static bool is_object_line(const char *text, size_t len)
{
	return tr2_text_starts(text, len, "{") ||
	       tr2_text_starts(text, len, "\xef\xbb\xbf{");
}

/*
 * An EVENT log has a line that begins as an object and contains the word
 * `event`.
 */
enum tr2_log_format tr2_log_format_of(const char *head, size_t len)
{
	const char *line = head, *end = head + len;
	enum tr2_text_form form = tr2_textlog_form(head, len);

	if (tr2_fxt_is_archive(head, len))
		return TR2_LOG_FXT;
	if (form)
		return form == TR2_TEXT_PERF ? TR2_LOG_PERF : TR2_LOG_NORMAL;
	while (line && !is_object_line(line, (size_t)(end - line))) {
		line = memchr(line, '\n', (size_t)(end - line));
		if (line)
			line++;
	}
	if (line && tr2_text_find(line, (size_t)(end - line), "\"event\""))
		return TR2_LOG_EVENT;
	return TR2_LOG_UNKNOWN;
}

/* A value of the JSON that viewers of traces read. */
static bool is_chrome(const char *head, size_t len)
{
	return (tr2_text_starts(head, len, "{") ||
		tr2_text_starts(head, len, "[")) &&
	       (tr2_text_find(head, len, "\"traceEvents\"") ||
		tr2_text_find(head, len, "\"ph\":"));
}

const char *tr2_log_describe(const struct tr2_block *head)
{
	switch (head->format) {
	case TR2_LOG_EVENT:
		return "a Trace2 EVENT log";
	case TR2_LOG_NORMAL:
		return "a Trace2 NORMAL log";
	case TR2_LOG_PERF:
		return "a Trace2 PERF log";
	case TR2_LOG_FXT:
		return "an archive of the FXT format";
	case TR2_LOG_UNKNOWN:;
	}
	if (!head->len)
		return "an empty file";
	if (is_chrome(head->text, head->len))
		return "a trace in Chrome's JSON";
	return memchr(head->text, '\0', head->len) ? "a binary file"
						   : "a text file, no log";
}

/* Pass the packed logs to the workers. */
static void put_pack(struct tr2_log_reader *reader)
{
	if (reader->pack)
		tr2_feed_put(reader->feed, reader->pack);
	reader->pack = NULL;
}

/* Returns an empty block for the next piece of a log. */
static struct tr2_block *take_block(struct tr2_log_reader *reader,
				    enum tr2_log_format format)
{
	struct tr2_block *block = tr2_feed_take(reader->feed);

	block->visit = (unsigned)reader->totals.files;
	block->format = format;
	return block;
}

/* The head holds the whole log. */
static void pack_head(struct tr2_log_reader *reader)
{
	if (reader->pack && !tr2_block_has_room(reader->pack, &reader->head))
		put_pack(reader);
	if (!reader->pack)
		reader->pack = tr2_feed_take(reader->feed);
	tr2_block_pack(reader->pack, &reader->head);
	if (reader->follow)
		put_pack(reader);
}

/* The head is the beginning of a larger log, which continues in that block. */
static struct tr2_block *put_head(struct tr2_log_reader *reader)
{
	struct tr2_block *block, head = reader->head;

	put_pack(reader);
	block = take_block(reader, head.format);
	reader->head =
		(struct tr2_block){ .text = block->text, .room = block->room };
	block->text = head.text;
	block->room = head.room;
	block->len = head.len;
	block->name = head.name;
	return block;
}

static void put_unreadable(struct tr2_log_reader *reader,
			   struct tr2_block *block, const char *why)
{
	reader->totals.unreadable_files++;
	block->len = 0;
	block->fault = tr2_must_copy(why);
}

int tr2_log_detect(struct tr2_lines *lines, struct tr2_block *block,
		   const char **error)
{
	size_t wanted = 1;

	for (;;) {
		while (block->len < wanted && !lines->at_end)
			if (tr2_lines_read(lines, block, error))
				return -1;
		block->format = tr2_log_format_of(block->text, block->len);
		if (block->format != TR2_LOG_UNKNOWN || block->len < wanted ||
		    block->len >= HEAD_MAX)
			return 0;
		wanted = 2 * block->len;
	}
}

static void put_block(struct tr2_log_reader *reader, struct tr2_block *block)
{
	tr2_feed_put(reader->feed, block);
	tr2_progress_step(&reader->progress, &reader->totals,
			  reader->lines.bytes);
}

/* The last block is empty; after an error it has the error. */
static void end_blocks(struct tr2_log_reader *reader, struct tr2_block *block,
		       const char *error)
{
	if (!error) {
		tr2_feed_give_back(reader->feed, block);
		return;
	}
	put_unreadable(reader, block, error);
	tr2_feed_put(reader->feed, block);
}

/* The block has the head of the log. */
static void read_blocks(struct tr2_log_reader *reader, struct tr2_block *block)
{
	enum tr2_log_format format = block->format;
	const char *error = NULL;

	while (tr2_lines_fill(&reader->lines, block, &error) > 0) {
		put_block(reader, block);
		block = take_block(reader, format);
	}
	end_blocks(reader, block, error);
}

/*
 * An archive has no lines: blocks may end anywhere, and an empty one follows
 * the last. Nothing after a record of size 0 is read, so that an endless
 * source ends there; a followed one is waited for anyway.
 */
static void read_archive(struct tr2_log_reader *reader, struct tr2_block *block)
{
	struct tr2_fxt_walk walk = { 0 };
	const char *error = NULL;
	bool goes_on = true;

	while (block->len) {
		goes_on = tr2_fxt_walk_on(&walk, block->text, block->len) ||
			  reader->follow;
		put_block(reader, block);
		block = take_block(reader, TR2_LOG_FXT);
		if (goes_on)
			tr2_lines_read(&reader->lines, block, &error);
	}
	end_blocks(reader, block, error);
}

/*
 * Returns the format of the log according to its head. A small log is read as
 * a whole; a followed one is not, because its end may never come.
 */
static enum tr2_log_format read_head(struct tr2_log_reader *reader,
				     const char *name)
{
	struct tr2_block *head = &reader->head;
	const char *error;

	if (tr2_log_detect(&reader->lines, head, &error)) {
		put_unreadable(reader, head, error);
		return head->format = TR2_LOG_UNKNOWN;
	}
	if (head->format == TR2_LOG_UNKNOWN && head->len &&
	    tr2_fxt_is_name(name))
		head->format = TR2_LOG_FXT;
	if (head->format == TR2_LOG_UNKNOWN)
		reader->totals.other_files += head->len > 0;
	else if (head->format != TR2_LOG_FXT && !reader->follow)
		tr2_lines_read_ahead(&reader->lines, head, SMALL);
	return head->format;
}

static void read_source(struct tr2_log_reader *reader, const char *name)
{
	enum tr2_log_format format = read_head(reader, name);

	if (format == TR2_LOG_FXT)
		read_archive(reader, put_head(reader));
	else if (format == TR2_LOG_UNKNOWN ||
		 (reader->lines.at_end && reader->head.len < SMALL))
		pack_head(reader);
	else
		read_blocks(reader, put_head(reader));
}

void tr2_log_read(struct tr2_log_reader *reader, const char *name, int fd)
{
	struct tr2_source *source;

	reader->totals.files++;
	reader->head.visit = (unsigned)reader->totals.files;
	reader->head.name = tr2_must_copy(name);
	if (fd < 0) {
		put_unreadable(reader, &reader->head, strerror(errno));
		pack_head(reader);
		return;
	}
	source = tr2_source_open(fd);
	if (reader->follow)
		tr2_source_follow(source, name);
	tr2_lines_begin(&reader->lines, source);
	read_source(reader, name);
	tr2_progress_step(&reader->progress, &reader->totals,
			  reader->lines.bytes);
	reader->totals.bytes += reader->lines.bytes;
	tr2_source_close(source);
}

void tr2_log_end(struct tr2_log_reader *reader)
{
	put_pack(reader);
	tr2_block_release(&reader->head);
}
