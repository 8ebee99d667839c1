#include "redact/filter.h"

#include <errno.h>
#include <string.h>

#include "lib/common/memory.h"
#include "lib/files/ready.h"
#include "read/kind.h"
#include "read/text/pieces.h"

static void leave_line(struct tr2_redact_filter *filter, unsigned long number)
{
	if (!filter->left++)
		filter->first = number;
}

static void end_line(struct tr2_redact_filter *filter, bool put, bool ended,
		     unsigned long number)
{
	if (!put)
		leave_line(filter, number);
	else if (ended)
		tr2_buf_byte(&filter->out, '\n');
	tr2_must_hold(&filter->out);
}

/* A tr2_plain_piece_fn. */
static void add_piece(void *context, const struct tr2_plain_piece *piece)
{
	struct tr2_redact_filter *filter = context;

	const bool put =
		tr2_redactor_piece(filter->redactor, piece, &filter->out);

	if (put && filter->pieces.crlf)
		tr2_buf_byte(&filter->out, '\r');
	end_line(filter, put, piece->ended, piece->number);
}

static const char *refuse_log(struct tr2_redact_filter *filter)
{
	const enum tr2_log_format format = filter->block.format;

	if (!filter->block.len || format == TR2_LOG_EVENT ||
	    format == TR2_LOG_NORMAL || format == TR2_LOG_PERF)
		return NULL;
	return tr2_kind_refuse(&filter->block, "an EVENT, NORMAL or PERF log");
}

const char *tr2_redact_filter_begin(struct tr2_redact_filter *filter,
				    struct tr2_source *source, bool *unreadable)
{
	tr2_lines_begin(&filter->lines, source);
	tr2_block_clear(&filter->block);
	filter->number = filter->left = filter->first = 0;
	filter->amid = false;
	*unreadable = tr2_kind_detect(&filter->lines, &filter->block, "");
	filter->pieces.take = add_piece;
	filter->pieces.taker = filter;
	tr2_pieces_begin(&filter->pieces, filter->block.format);
	return *unreadable ? filter->lines.failed : refuse_log(filter);
}

static void add_event(struct tr2_redact_filter *filter,
		      const struct tr2_line *line)
{
	tr2_pieces_end(&filter->pieces);
	end_line(filter, tr2_redactor_add(filter->redactor, line, &filter->out),
		 line->ended, line->number);
}

/* The library's code, which finds secrets in text, ends at a NUL. */
static void add_line(struct tr2_redact_filter *filter,
		     const struct tr2_line *line)
{
	if (filter->block.format == TR2_LOG_EVENT &&
	    !tr2_plain_is_other(line, false, &filter->amid))
		add_event(filter, line);
	else if (line->cut || memchr(line->text, '\0', line->len))
		leave_line(filter, line->number);
	else
		tr2_pieces_line(&filter->pieces, line);
}

static int write_out(struct tr2_redact_filter *filter, int fd)
{
	const struct tr2_buf *out = &filter->out;

	if (out->len)
		filter->open_line = out->bytes[out->len - 1] != '\n';
	return tr2_ready_write(fd, out->bytes, out->len) < out->len ? errno : 0;
}

static int write_block(struct tr2_redact_filter *filter, int fd)
{
	struct tr2_buf *out = &filter->out;
	struct tr2_line line;

	tr2_buf_reset(out);
	if (filter->open_line && filter->block.len)
		tr2_buf_byte(out, '\n'); /* after the log before this one */
	tr2_block_prepare(&filter->block);
	for (size_t i = 0; i < filter->block.lines.count; i++) {
		line = tr2_block_line(&filter->block, i);
		line.number = ++filter->number;
		add_line(filter, &line);
	}
	return write_out(filter, fd);
}

const char *tr2_redact_filter_write(struct tr2_redact_filter *filter, int fd,
				    int *error)
{
	const enum tr2_log_format format = filter->block.format;

	*error = 0;
	while (!*error && tr2_lines_fill(&filter->lines, &filter->block) > 0) {
		filter->block.format = format;
		*error = write_block(filter, fd);
		tr2_block_clear(&filter->block);
	}
	tr2_buf_reset(&filter->out);
	tr2_pieces_end(&filter->pieces);
	if (!*error)
		*error = write_out(filter, fd);
	return filter->lines.failed;
}

void tr2_redact_filter_release(struct tr2_redact_filter *filter)
{
	tr2_lines_release(&filter->lines);
	tr2_block_release(&filter->block);
	tr2_pieces_release(&filter->pieces);
	tr2_buf_release(&filter->out);
}
