#include "validate/log.h"

#include <errno.h>
#include <string.h>

#include "validate/fxt.h"
#include "validate/memory.h"
#include "validate/text.h"
#include "validate/textlog.h"

#define HEAD_MAX ((size_t)64 << 10) /* where an event must be found */

static bool is_object_line(const char *text, size_t len)
{
	return tr2_text_starts(text, len, "{") ||
	       tr2_text_starts(text, len, "\xef\xbb\xbf{");
}

/* A line that begins as an object, and the word `event`: an EVENT log. */
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

/* An empty block, with which the log begins if `name` is there. */
static struct tr2_block *begin_block(struct tr2_log_reader *reader,
				     const char *name)
{
	struct tr2_block *block = tr2_feed_take(reader->feed);

	block->visit = (unsigned)reader->totals.files;
	if (name)
		block->name = tr2_must_copy(name);
	return block;
}

static void put_unreadable(struct tr2_log_reader *reader,
			   struct tr2_block *block, const char *why)
{
	reader->totals.unreadable_files++;
	block->len = 0;
	block->fault = tr2_must_copy(why);
	tr2_feed_put(reader->feed, block);
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

/* The block has the head of the log. */
static void read_blocks(struct tr2_log_reader *reader, struct tr2_block *block)
{
	enum tr2_log_format format = block->format;
	const char *error;
	int got;

	while ((got = tr2_lines_fill(&reader->lines, block, &error)) > 0) {
		tr2_feed_put(reader->feed, block);
		tr2_progress_step(&reader->progress, &reader->totals,
				  reader->lines.bytes);
		block = begin_block(reader, NULL);
		block->format = format;
	}
	if (got < 0)
		put_unreadable(reader, block, error);
	else
		tr2_feed_give_back(reader->feed, block);
}

/* It has no lines: blocks end anywhere, and one of nothing is behind all. */
static void read_archive(struct tr2_log_reader *reader, struct tr2_block *block)
{
	const char *error = NULL;

	while (block->len) {
		tr2_feed_put(reader->feed, block);
		tr2_progress_step(&reader->progress, &reader->totals,
				  reader->lines.bytes);
		block = begin_block(reader, NULL);
		block->format = TR2_LOG_FXT;
		tr2_lines_read(&reader->lines, block, &error);
	}
	if (error)
		put_unreadable(reader, block, error);
	else
		tr2_feed_give_back(reader->feed, block);
}

static void read_source(struct tr2_log_reader *reader, const char *name)
{
	struct tr2_block *block = begin_block(reader, name);
	const char *error;

	if (tr2_log_detect(&reader->lines, block, &error)) {
		put_unreadable(reader, block, error);
		return;
	}
	if (block->format == TR2_LOG_UNKNOWN && block->len &&
	    tr2_fxt_is_name(name))
		block->format = TR2_LOG_FXT;
	if (block->format == TR2_LOG_FXT) {
		read_archive(reader, block);
	} else if (block->format == TR2_LOG_UNKNOWN) {
		reader->totals.other_files += block->len > 0;
		tr2_feed_put(reader->feed, block);
	} else {
		read_blocks(reader, block);
	}
}

void tr2_log_read(struct tr2_log_reader *reader, const char *name, int fd)
{
	struct tr2_source *source;

	reader->totals.files++;
	if (fd < 0) {
		put_unreadable(reader, begin_block(reader, name),
			       strerror(errno));
		return;
	}
	source = tr2_source_open(fd);
	if (reader->follow)
		tr2_source_follow(source, name);
	tr2_lines_begin(&reader->lines, source);
	read_source(reader, name);
	reader->totals.bytes += reader->lines.bytes;
	tr2_source_close(source);
}
