#include "validate/log.h"

#include <errno.h>
#include <string.h>

#include "read/fxt_log.h"
#include "read/kind.h"
#include "lib/common/memory.h"

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
	struct tr2_fxt_log_walk walk = { 0 };
	const char *error = NULL;
	bool goes_on = true;

	while (block->len) {
		goes_on = tr2_fxt_log_walk_on(&walk, block->text, block->len) ||
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

	if (tr2_kind_detect(&reader->lines, head, name, &error)) {
		head->format = TR2_LOG_UNKNOWN;
		put_unreadable(reader, error);
		return;
	}
	if (head->format == TR2_LOG_FXT) {
		read_archive(reader);
	} else if (!tr2_block_has_lines(head)) {
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
