/*
 * Any bytes as a log: what it becomes is an archive in which a strict
 * reader finds no error and no warning.
 */
#include <limits.h>
#include <stdlib.h>

#include "convert/logs.h"
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
	struct tr2_line line = { 0 };
	const uint8_t *end;

	for (; size; data += line.len + line.ended) {
		end = memchr(data, '\n', size);
		line.ended = end != NULL;
		line.len = end ? (size_t)(end - data) : size;
		line.number++;
		line.text = calloc(1, line.len + TR2_TOKENS_PADDING);
		memcpy(line.text, data, line.len);
		tr2_checker_line(checker, &line);
		free(line.text);
		size -= line.len + line.ended;
	}
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
	struct tr2_totals totals = { 0 };
	struct tr2_report report = { .format = &silent,
				     .out = stderr,
				     .totals = &totals,
				     .max = ULONG_MAX,
				     .live = true };
	struct tr2_buf archive = TR2_BUF_INIT;
	struct tr2_checker checker;
	struct tr2_logs *logs = malloc(sizeof(*logs));

	tr2_report_begin(&report);
	tr2_checker_init(&checker, &report);
	tr2_logs_begin(logs, &checker, &archive);
	checker.take = tr2_logs_event;
	checker.taker = logs;
	tr2_checker_begin_file(&checker, "log");
	give_lines(&checker, data, size);
	tr2_logs_end(logs);
	check_archive(&archive);
	free(logs);
	tr2_checker_release(&checker);
	tr2_buf_release(&archive);
	tr2_buf_release(&report.buf);
	free(totals.of_rule);
	return 0;
}
