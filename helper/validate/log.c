#include "validate/log.h"

#include <errno.h>
#include <string.h>

#include "check/fxt.h"
#include "common/memory.h"
#include "text/text.h"
#include "textlog/textlog.h"

#define HEAD_MAX ((size_t)64 << 10) /* an event must be in these bytes */

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

/* The worker takes the block; the next one is of the same log. */
static void put_block(struct tr2_log_reader *reader)
{
	const enum tr2_log_format format = reader->block.format;

	tr2_worker_take(reader->worker, &reader->block);
	reader->block.format = format;
	tr2_progress_step(&reader->progress, &reader->totals,
			  reader->lines.bytes);
}

static void put_unreadable(struct tr2_log_reader *reader, const char *why)
{
	reader->totals.unreadable_files++;
	reader->block.len = 0;
	reader->block.fault = tr2_must_copy(why);
	put_block(reader);
}

/* Each block is passed on when it is full, or the log waits for more. */
static void read_blocks(struct tr2_log_reader *reader)
{
	const char *error = NULL;

	while (tr2_lines_fill(&reader->lines, &reader->block, &error) > 0)
		put_block(reader);
	if (error)
		put_unreadable(reader, error);
}

/*
 * An archive has no lines: blocks may end anywhere. Nothing after a record of
 * size 0 is read, so that an endless source ends there; a followed one is
 * waited for anyway.
 */
static void read_archive(struct tr2_log_reader *reader)
{
	struct tr2_block *block = &reader->block;
	struct tr2_fxt_walk walk = { 0 };
	const char *error = NULL;
	bool goes_on = true;

	while (block->len) {
		goes_on = tr2_fxt_walk_on(&walk, block->text, block->len) ||
			  reader->follow;
		put_block(reader);
		if (goes_on)
			tr2_lines_read(&reader->lines, block, &error);
	}
	if (error)
		put_unreadable(reader, error);
}

static void read_source(struct tr2_log_reader *reader, const char *name)
{
	struct tr2_block *head = &reader->block;
	const char *error;

	if (tr2_log_detect(&reader->lines, head, &error)) {
		head->format = TR2_LOG_UNKNOWN;
		put_unreadable(reader, error);
		return;
	}
	if (head->format == TR2_LOG_UNKNOWN && head->len &&
	    tr2_fxt_is_name(name))
		head->format = TR2_LOG_FXT;
	if (head->format == TR2_LOG_FXT) {
		read_archive(reader);
	} else if (head->format == TR2_LOG_UNKNOWN) {
		reader->totals.other_files += head->len > 0;
		put_block(reader);
	} else {
		read_blocks(reader);
	}
}

/* Begin with another log; what the last one left is gone. */
static void begin_log(struct tr2_log_reader *reader, const char *name)
{
	struct tr2_block *block = &reader->block;

	tr2_block_clear(block);
	block->visit = (unsigned)++reader->totals.files;
	block->name = tr2_must_copy(name);
}

void tr2_log_read(struct tr2_log_reader *reader, const char *name, int fd)
{
	struct tr2_source *source;

	begin_log(reader, name);
	if (fd < 0) {
		put_unreadable(reader, strerror(errno));
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

void tr2_log_release(struct tr2_log_reader *reader)
{
	tr2_lines_release(&reader->lines);
	tr2_block_release(&reader->block);
}
