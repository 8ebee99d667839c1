/*
 * Any bytes as a log: what it becomes is an archive in which a strict
 * reader finds no error and no warning.
 */
#include <stdio.h>
#include <stdlib.h>

#include "views/archive/logs.h"
#include "read/events.h"
#include "trace/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void refuse_finding(void *context,
			   const struct trace_reader_finding *finding)
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
	struct trace_reader_options options = { .finding = refuse_finding };
	struct trace_reader *reader = trace_reader_new(&options);
	struct trace_reader_record record;

	trace_reader_feed(reader, archive->bytes, archive->len);
	while (trace_reader_next(reader, &record) > 0)
		;
	trace_reader_end(reader);
	trace_reader_free(reader);
}

static void ignore_problem(void *context, const struct tr2_problem *problem)
{
	(void)context;
	(void)problem;
}

static void give_lines(struct tr2_events *events, const char *text, size_t size)
{
	struct tr2_line line = { .text = text };
	const char *end;

	for (; size; line.text += line.len + line.ended) {
		end = memchr(line.text, '\n', size);
		line.ended = end != NULL;
		line.len = end ? (size_t)(end - line.text) : size;
		line.number++;
		tr2_events_line(events, &line);
		size -= line.len + line.ended;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct tr2_logs logs;
	static struct tr2_events events;
	struct tr2_buf archive = TR2_BUF_INIT;
	char *text = calloc(1, size + TR2_TOKENS_PADDING);

	events = (struct tr2_events){ .tell = ignore_problem,
				      .take = tr2_logs_event,
				      .taker = &logs };
	tr2_logs_begin(&logs, &events, &archive);
	if (size)
		memcpy(text, data, size);
	give_lines(&events, text, size);
	tr2_logs_end(&logs);
	check_archive(&archive);
	free(text);
	tr2_events_release(&events);
	tr2_buf_release(&archive);
	return 0;
}
