#include "trace/reader/private.h"
#include "base/utf8.h"

#define NS UINT64_C(1000000000)

uint64_t fxt_take_word(struct fxt_cursor *in)
{
	uint64_t word;

	if (in->at >= in->words) {
		in->lacks = true;
		return 0;
	}
	memcpy(&word, in->bytes + in->at++ * FXT_WORD, FXT_WORD);
	return word;
}

/* SPEC: fxt.padding */
static void check_padding(struct fxt_cursor *in, size_t len)
{
	const uint8_t *last = in->bytes + in->at * FXT_WORD;
	size_t rest = len % FXT_WORD;
	uint64_t word;

	if (!rest)
		return;
	memcpy(&word, last - FXT_WORD, FXT_WORD);
	if (word >> 8 * rest)
		fxt_find(in, TRACE_READER_PADDING, in->at - 1, 1,
			 "bytes after the end are not zero", word);
}

struct trace_reader_text fxt_take_bytes(struct fxt_cursor *in, uint64_t bytes)
{
	const size_t len = (size_t)bytes; /* 32 bits at most */
	struct trace_reader_text text = { "", 0 };

	if (in->lacks || len > (in->words - in->at) * FXT_WORD) {
		in->lacks = true;
		return text;
	}
	text.bytes = (const char *)in->bytes + in->at * FXT_WORD;
	text.len = len;
	in->at += fxt_words(len);
	check_padding(in, len);
	return text;
}

/* SPEC: fxt.string.utf8 */
void fxt_check_utf8(struct fxt_cursor *in, struct trace_reader_text text,
		    size_t word)
{
	size_t at = 0;

	while (at < text.len) {
		const int len = tr2_utf8_length(text.bytes + at, text.len - at);

		if (len < 0) {
			fxt_find(in, TRACE_READER_STRING_UTF8,
				 word + at / FXT_WORD, 1,
				 "a string is not UTF-8",
				 (uint8_t)text.bytes[at]);
			return;
		}
		at += (size_t)len;
	}
}

static struct trace_reader_text inline_text(struct fxt_cursor *in, size_t len,
					    size_t header)
{
	size_t word = in->at;
	struct trace_reader_text text = fxt_take_bytes(in, len);

	/* SPEC: fxt.string.length */
	if (len > FXT_STRING_BYTES)
		fxt_find(in, TRACE_READER_STRING_LENGTH, header, 1,
			 "a string is too long", len);
	/* SPEC: fxt.string.utf8 */
	if (in->record->type != FXT_KERNEL_OBJECT || header)
		fxt_check_utf8(in, text, word);
	return text;
}

struct trace_reader_text fxt_take_text(struct fxt_cursor *in, uint64_t ref,
				       size_t header)
{
	struct trace_reader_text text = { "", 0 };
	const struct fxt_entry *entry;

	if (!ref)
		return text;
	if (ref & FXT_INLINE)
		return inline_text(in, ref & ~FXT_INLINE & 0xffff, header);
	entry = fxt_find_string(in->reader, ref);
	if (!entry) { /* SPEC: fxt.string.unknown */
		fxt_find(in, TRACE_READER_STRING_UNKNOWN, header, 1,
			 "no string has this index", ref);
		return text;
	}
	if (entry->len) {
		text.bytes = entry->bytes;
		text.len = entry->len;
	}
	return text;
}

/* SPEC: fxt.thread.id */
void fxt_check_ids(struct fxt_cursor *in, struct trace_reader_thread thread,
		   size_t word)
{
	if (thread.process >> 32)
		fxt_find(in, TRACE_READER_THREAD_ID, word, 1,
			 "some readers cut the id of the process",
			 thread.process);
	if (thread.thread >> 32)
		fxt_find(in, TRACE_READER_THREAD_ID, word + 1, 1,
			 "some readers cut the id of the thread",
			 thread.thread);
}

struct trace_reader_thread fxt_take_thread(struct fxt_cursor *in, uint64_t ref)
{
	struct trace_reader_thread thread = { 0, 0 };
	const struct fxt_entry *entry;

	if (!ref) {
		thread.process = fxt_take_word(in);
		thread.thread = fxt_take_word(in);
		if (!in->lacks)
			fxt_check_ids(in, thread, in->at - 2);
		return thread;
	}
	entry = fxt_find_thread(in->reader, ref);
	if (entry)
		return entry->thread;
	/* SPEC: fxt.thread.unknown */
	fxt_find(in, TRACE_READER_THREAD_UNKNOWN, 0, 1,
		 "no thread has this index", ref);
	return thread;
}

uint64_t fxt_to_ns(struct fxt_cursor *in, uint64_t ticks)
{
	uint64_t rate = fxt_current(in->reader)->ticks;
	uint64_t seconds, rest;

	if (!rate)
		rate = NS;
	seconds = ticks / rate;
	rest = ticks % rate;
	while (rate > UINT64_MAX / NS) { /* otherwise rest * NS overflows */
		rate >>= 1;
		rest >>= 1;
	}
	rest = rest * NS / rate;
	if (seconds < INT64_MAX / NS)
		return seconds * NS + rest;
	/* SPEC: fxt.time.range */
	fxt_find(in, TRACE_READER_TIME_RANGE, in->at - 1, 1,
		 "a time is too late", ticks);
	return INT64_MAX;
}

void fxt_take_time(struct fxt_cursor *in)
{
	struct fxt_provider *provider = fxt_current(in->reader);

	in->record->ticks = fxt_take_word(in);
	if (in->lacks)
		return;
	/* SPEC: fxt.initialization.first */
	if (!provider->ticks && !provider->told_ticks_first) {
		provider->told_ticks_first = true;
		fxt_find(in, TRACE_READER_TICKS_FIRST, 0, 1,
			 "a time before the number of ticks is known",
			 in->record->ticks);
	}
	in->record->time = fxt_to_ns(in, in->record->ticks);
}

/* SPEC: fxt.record.reserved */
void fxt_check_reserved(struct fxt_cursor *in, size_t word, uint64_t header,
			uint64_t known)
{
	if (header & ~known)
		fxt_find(in, TRACE_READER_RESERVED, word, 1,
			 "reserved bits are set", header & ~known);
}
