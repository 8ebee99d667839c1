/* record_kit.h - a record to show as Chrome's trace event, and its text. */
#ifndef UNIT_TRACE_CHROME_RECORD_KIT_H
#define UNIT_TRACE_CHROME_RECORD_KIT_H

#include <string.h>

#include "kit/tap.h"
#include "trace/chrome/chrome.h"

#define TEXT(literal)                          \
	{                                      \
		(literal), sizeof(literal) - 1 \
	}

static struct tr2_buf out;

/* What is in `out`, which is empty then. */
static const char *take_output(void)
{
	static char text[4096];
	size_t len = out.len < sizeof(text) ? out.len : sizeof(text) - 1;

	memcpy(text, out.bytes, len);
	text[len] = '\0';
	tr2_buf_reset(&out);
	return text;
}

static const struct trace_reader_record sample = {
	.type = FXT_EVENT,
	.thread = { UINT64_C(0x100000005), UINT64_C(0x200000006) },
	.time = 1234567,
	.end = 1236067,
	.id = 31,
	.category = TEXT("c\""),
	.name = TEXT("n\\"),
	.payload = TEXT("abc"),
	.args_count = 2,
	.args = {
		{ .type = FXT_ARG_STRING, .name = TEXT("s"),
		  .text = TEXT("t") },
		{ .type = FXT_ARG_INT32, .name = TEXT("i"),
		  .value.integer = 1 },
	},
};

static const char *text_of(struct trace_reader_record *record)
{
	struct tr2_chrome chrome = { .out = &out };

	tr2_chrome_record(&chrome, record);
	return take_output();
}

#endif
