#include "redact/filter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/common/memory.h"
#include "lib/files/ready.h"
#include "read/kind.h"

static const char *refuse_log(struct tr2_redact_filter *filter)
{
	static char why[160];
	const enum tr2_log_format format = filter->block.format;

	if (!filter->block.len || format == TR2_LOG_EVENT)
		return NULL;
	if (format != TR2_LOG_NORMAL && format != TR2_LOG_PERF)
		return tr2_kind_refuse(&filter->block,
				       "an EVENT, NORMAL or PERF log");
	if (!filter->hide)
		return NULL;
	snprintf(why, sizeof(why),
		 "this is %s, of which only secrets can be hidden; expected an "
		 "EVENT log, or no --hide",
		 tr2_kind_describe(&filter->block));
	return why;
}

const char *tr2_redact_filter_begin(struct tr2_redact_filter *filter,
				    struct tr2_source *source, bool *unreadable)
{
	const char *error = NULL;

	tr2_lines_begin(&filter->lines, source);
	tr2_block_clear(&filter->block);
	filter->number = filter->left = filter->first = 0;
	*unreadable =
		tr2_kind_detect(&filter->lines, &filter->block, "", &error);
	return error ? error : refuse_log(filter);
}

/* A line of NORMAL or PERF: the library's code ends at a NUL. */
static bool add_text_line(struct tr2_redact_filter *filter,
			  const struct tr2_line *line)
{
	if (line->cut || memchr(line->text, '\0', line->len))
		return false;
	return tr2_redactor_any(filter->redactor, line->text, line->len,
				&filter->out);
}

static void add_line(struct tr2_redact_filter *filter,
		     const struct tr2_line *line)
{
	bool added =
		filter->block.format == TR2_LOG_EVENT
			? tr2_redactor_add(filter->redactor, line, &filter->out)
			: add_text_line(filter, line);

	filter->number++;
	if (!added) {
		if (!filter->left++)
			filter->first = filter->number;
		return;
	}
	if (line->ended)
		tr2_buf_byte(&filter->out, '\n');
	if (filter->out.failed)
		tr2_memory_out();
}

/* Write all, also where a pipe takes it by parts. */
static int write_bytes(int fd, const char *bytes, size_t len)
{
	ssize_t done;

	for (; len; bytes += done, len -= (size_t)done) {
		done = tr2_ready_write(fd, bytes, len);
		if (done < 0)
			return errno;
	}
	return 0;
}

static int write_block(struct tr2_redact_filter *filter, int fd)
{
	struct tr2_buf *out = &filter->out;
	struct tr2_line line;
	size_t i;

	tr2_buf_reset(out);
	if (filter->open_line && filter->block.len)
		tr2_buf_byte(out, '\n'); /* after the log before this one */
	tr2_block_prepare(&filter->block);
	for (i = 0; i < filter->block.lines.count; i++) {
		line = tr2_block_line(&filter->block, i);
		add_line(filter, &line);
	}
	if (out->len)
		filter->open_line = out->bytes[out->len - 1] != '\n';
	return write_bytes(fd, out->bytes, out->len);
}

const char *tr2_redact_filter_write(struct tr2_redact_filter *filter, int fd,
				    int *error)
{
	const enum tr2_log_format format = filter->block.format;
	const char *why = NULL;

	*error = 0;
	while (!*error &&
	       tr2_lines_fill(&filter->lines, &filter->block, &why) > 0) {
		filter->block.format = format;
		*error = write_block(filter, fd);
		tr2_block_clear(&filter->block);
	}
	return why;
}

void tr2_redact_filter_release(struct tr2_redact_filter *filter)
{
	tr2_lines_release(&filter->lines);
	tr2_block_release(&filter->block);
	tr2_buf_release(&filter->out);
}
