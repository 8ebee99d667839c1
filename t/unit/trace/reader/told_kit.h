/*
 * told_kit.h - records word by word, and all that the reader says of them:
 *
 *	TYPE.SUBTYPE fields that are not 0 | id @offset+length seen message
 *
 * Offsets count from the record that is told of.
 */
#ifndef UNIT_TRACE_READER_TOLD_KIT_H
#define UNIT_TRACE_READER_TOLD_KIT_H

#include "trace/reader.h"

#include <stdarg.h>
#include <stdlib.h>

#include "kit/tap.h"

/* Magic, provider 1, ticks, string 1 and thread 1. */
static const uint64_t start[] = {
	0x0016547846040010, 0x0040000000110020, 0x74736574, 0x21, 1000000000,
	0x0000000700010022, 0x656d616e677261,	0x10033,    10,	  11,
};

static char text[4096];
static size_t text_len;

__attribute__((format(printf, 1, 2))) static inline void
put_told(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text_len += (size_t)vsnprintf(text + text_len, sizeof(text) - text_len,
				      format, args);
	va_end(args);
}

static inline void put_text(const char *name, struct trace_reader_text value)
{
	size_t i;

	if (!value.len)
		return;
	put_told(" %s=", name);
	for (i = 0; i < value.len && i < 40; i++)
		put_told(value.bytes[i] < '!' || value.bytes[i] > '~' ? "<%02x>"
								      : "%c",
			 (unsigned char)value.bytes[i]);
	if (i < value.len)
		put_told("...%zu", value.len);
}

static inline void put_number(const char *name, uint64_t value)
{
	if (value)
		put_told(" %s=%" PRIx64, name, value);
}

static inline void put_thread(const char *name,
			      struct trace_reader_thread thread)
{
	if (thread.process || thread.thread)
		put_told(" %s=%" PRIx64 ".%" PRIx64, name, thread.process,
			 thread.thread);
}

static inline void put_arg(const struct trace_reader_arg *arg)
{
	put_told(" [%d", (int)arg->type);
	put_text("n", arg->name);
	put_text("t", arg->text);
	put_number("v", arg->value.word);
	put_told("]");
}

static inline void put_record(const struct trace_reader_record *record)
{
	unsigned i;

	put_told("%d.%u%s%s", (int)record->type, record->subtype,
		 record->unknown ? " unknown" : "",
		 record->flawed ? " flawed" : "");
	if (record->provider != 1)
		put_told(" provider=%u", record->provider);
	put_number("index", record->index);
	put_thread("thread", record->thread);
	put_thread("other", record->other);
	put_number("ticks", record->ticks);
	put_number("time", record->time);
	put_number("end", record->end);
	put_number("id", record->id);
	put_number("cpu", record->cpu);
	put_number("state", record->state);
	put_text("category", record->category);
	if (record->type == FXT_EVENT && !record->category.len &&
	    (!record->category.bytes || *record->category.bytes))
		put_told(" an empty text is not empty");
	put_text("name", record->name);
	put_text("payload", record->payload);
	for (i = 0; i < record->args_count; i++)
		put_arg(&record->args[i]);
	put_told("\n");
}

/* Place of the record. */
static uint64_t begin;

static inline void put_finding(void *unused,
			       const struct trace_reader_finding *finding)
{
	(void)unused;
	put_told("| %s @%" PRId64 "+%zu %" PRIx64 " %s\n",
		 trace_reader_id(finding->problem),
		 (int64_t)(finding->offset - begin), finding->len,
		 finding->seen, finding->message);
}

/* Spans and durations are not reported unless a test asks for it. */
static unsigned told_flags = TRACE_READER_UNBALANCED;

/* 0: findings alone. */
static int told_records = 1;

/* Returns the findings about the words. */
static inline const char *told_from(const uint64_t *words, size_t count,
				    size_t start_bytes)
{
	const struct trace_reader_options options = { put_finding, NULL,
						      told_flags };
	struct trace_reader *reader = trace_reader_new(&options);
	struct trace_reader_record record;

	text_len = 0;
	text[0] = '\0';
	begin = start_bytes;
	trace_reader_feed(reader, start, start_bytes);
	while (trace_reader_next(reader, &record) > 0)
		;
	trace_reader_feed(reader, words, count * 8);
	while (trace_reader_next(reader, &record) > 0) {
		if (told_records)
			put_record(&record);
		begin = trace_reader_offset(reader);
	}
	trace_reader_end(reader);
	trace_reader_free(reader);
	return text;
}

/* The same after a start. */
static inline const char *tell_words(const uint64_t *words, size_t count)
{
	return told_from(words, count, sizeof(start));
}

struct told_row {
	const char *about;
	const char *words; /* in hexadecimal */
	const char *told;
};

/* Returns the first row with another result, and the result; or -1. */
static inline int first_wrong(const struct told_row *rows, int count)
{
	uint64_t words[64];
	const char *got;
	int i;

	for (i = 0; i < count; i++) {
		const char *at = rows[i].words;
		size_t used = 0;
		char *end;

		for (; *at; at = *end ? end + 1 : end)
			words[used++] = strtoull(at, &end, 16);
		got = tell_words(words, used);
		if (strcmp(got, rows[i].told) != 0) {
			printf("# %s\n# %s\n", rows[i].about, got);
			return i;
		}
	}
	return -1;
}

#endif
