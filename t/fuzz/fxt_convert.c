/*
 * Any bytes as a log: what it becomes is an archive in which a strict
 * reader finds no error and no warning.
 */
#include <stdlib.h>

#include "convert/logs.h"
#include "convert/tell.h"
#include "trace/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void refuse(void *context, const struct trace_reader_finding *finding)
{
	(void)context;
	if (trace_reader_level(finding->problem) == TRACE_READER_INFO)
		return;
	fprintf(stderr, "%s at 0x%llx: %s\n", trace_reader_id(finding->problem),
		(unsigned long long)finding->offset, finding->message);
	abort();
}

static void check_archive(const struct tr2_buf *archive)
{
	struct trace_reader_options options = { .finding = refuse };
	struct trace_reader *reader = trace_reader_new(&options);
	struct trace_reader_record record;

	trace_reader_feed(reader, archive->bytes, archive->len);
	while (trace_reader_next(reader, &record) > 0)
		;
	trace_reader_end(reader);
	trace_reader_free(reader);
}

static void give_lines(struct tr2_checker *checker, const uint8_t *data,
		       size_t size)
{
	struct tr2_block block = { .format = TR2_LOG_EVENT };
	struct tr2_line line;
	size_t i;

	tr2_block_make_room(&block, size);
	memcpy(block.text, data, size);
	block.len = size;
	block.torn = data[size - 1] != '\n';
	tr2_block_prepare(&block, false);
	for (i = 0; i < block.count; i++) {
		line = tr2_block_line(&block, i);
		line.number = i + 1;
		tr2_checker_line(checker, &line);
	}
	tr2_block_release(&block);
}

static void put_nothing(struct tr2_buf *out, const struct tr2_finding *finding)
{
	(void)out;
	(void)finding;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct tr2_format silent = { "", "", "", put_nothing,
						  NULL };
	struct tr2_buf archive = TR2_BUF_INIT;
	struct tr2_logs *logs;
	struct tr2_tell tell;

	if (!size)
		return 0;
	tr2_tell_begin(&tell);
	tell.report.format = &silent;
	logs = malloc(sizeof(*logs));
	tr2_logs_begin(logs, &tell.checker, &archive);
	tell.checker.take = tr2_logs_event;
	tell.checker.taker = logs;
	tr2_checker_begin_file(&tell.checker, "log", 1);
	give_lines(&tell.checker, data, size);
	tr2_logs_end(logs);
	check_archive(&archive);
	free(logs);
	tr2_tell_release(&tell);
	tr2_buf_release(&archive);
	return 0;
}
