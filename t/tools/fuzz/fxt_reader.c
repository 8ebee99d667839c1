/*
 * Any bytes, in pieces whose sizes the first byte decides: the reader stays
 * in its memory, tells what it sees within the archive, and gives records
 * that can be written as Chrome's JSON.
 */
#include <stdlib.h>

#include "trace/chrome/chrome.h"
#include "trace/engine/fxt.h"
#include "trace/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t whole;

static void check_finding(void *context,
			  const struct trace_reader_finding *finding)
{
	(void)context;
	if (finding->offset > whole || !finding->message ||
	    !trace_reader_id(finding->problem))
		abort();
}

static void take_records(struct trace_reader *reader, struct tr2_chrome *chrome)
{
	struct trace_reader_record record;

	while (trace_reader_next(reader, &record) > 0) {
		if (record.offset + record.words * FXT_WORD > whole)
			abort();
		tr2_chrome_record(chrome, &record);
		tr2_buf_reset(chrome->out);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace_reader_options options = { .finding = check_finding };
	struct tr2_buf out = TR2_BUF_INIT;
	struct trace_reader *reader;
	struct tr2_chrome chrome;
	size_t piece, at = 1;
	uint8_t *copy;

	if (!size)
		return 0;
	options.flags = data[0] & 3;
	piece = (size_t)(data[0] >> 2) + 1;
	piece = piece == 64 ? size : piece;
	whole = size - 1;
	reader = trace_reader_new(&options);
	tr2_chrome_begin(&chrome, &out);
	for (; at < size; at += piece) {
		piece = piece < size - at ? piece : size - at;
		copy = memcpy(malloc(piece), data + at, piece);
		trace_reader_feed(reader, copy, piece);
		take_records(reader, &chrome);
		free(copy);
	}
	trace_reader_end(reader);
	trace_reader_free(reader);
	tr2_buf_release(&out);
	return 0;
}
