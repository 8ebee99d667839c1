/*
 * trace.h - what tests of the trace engine share: a buffer, a handler
 * that counts what it hears, an archive of what was traced, and its records
 * as lines of text:
 *
 *	instant example/name @main "a"=int32:1
 */
#ifndef UNIT_KIT_TRACE_TRACE_H
#define UNIT_KIT_TRACE_TRACE_H

#include <stdlib.h>
#include <string.h>

#include "kit/tap.h"
#include "trace/engine.h"
#include "trace/event.h"
#include "trace/engine/fxt.h"
#include "trace/reader.h"

/*
 * The handler
 */

static struct {
	int disposition;
	size_t written;
	char alert[16];
	int full;
	uint32_t wrapped;
	uint64_t durable;
} kit_heard;

/* Categories that begin with "off" are, unless they are all on. */
static int kit_all_on;

static inline bool kit_is_on(struct trace_handler *handler,
			     const char *category)
{
	(void)handler;
	return kit_all_on || strncmp(category, "off", 3) != 0;
}

static inline void kit_stopped(struct trace_handler *handler, int disposition,
			       size_t written)
{
	(void)handler;
	kit_heard.disposition = disposition;
	kit_heard.written = written;
}

static inline void kit_full(struct trace_handler *handler, uint32_t wrapped,
			    uint64_t durable)
{
	(void)handler;
	kit_heard.full++;
	kit_heard.wrapped = wrapped;
	kit_heard.durable = durable;
}

static inline void kit_alerted(struct trace_handler *handler, const char *name)
{
	(void)handler;
	memcpy(kit_heard.alert, name, strlen(name) + 1);
}

static inline struct trace_handler *kit_handler(void)
{
	static struct trace_handler_ops ops;
	static struct trace_handler handler;

	ops.is_category_enabled = kit_is_on;
	ops.trace_stopped = kit_stopped;
	ops.notify_buffer_full = kit_full;
	ops.send_alert = kit_alerted;
	handler.ops = &ops;
	return &handler;
}

/*
 * The buffer
 */

static void *kit_buffer;
static size_t kit_size;

static inline int kit_initialize(enum trace_buffering_mode mode, size_t size)
{
	trace_engine_terminate();
	free(kit_buffer);
	kit_buffer = calloc(1, size);
	kit_size = size;
	return trace_engine_initialize(kit_handler(), mode, kit_buffer, size);
}

static inline void kit_start(enum trace_buffering_mode mode, size_t size)
{
	if (kit_initialize(mode, size) ||
	    trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER))
		tap_ok(0, "the engine starts");
}

static inline struct trace_buffer_header *kit_header(void)
{
	return (struct trace_buffer_header *)kit_buffer;
}

/*
 * The archive
 */

struct kit_archive {
	uint64_t *words;
	size_t count;
	size_t room;
};

static inline int kit_append(void *archive, const uint64_t *words, size_t count)
{
	struct kit_archive *to = (struct kit_archive *)archive;

	while (to->count + count > to->room) {
		to->room = to->room * 2 + 4096;
		to->words = (uint64_t *)realloc(to->words, to->room * 8);
	}
	memcpy(to->words + to->count, words, count * 8);
	to->count += count;
	return 0;
}

static inline void kit_begin_archive(struct kit_archive *archive)
{
	uint64_t head[3] = { FXT_MAGIC, fxt_provider_info_header(1, 4), 0 };

	memcpy(&head[2], "test", 4);
	memset(archive, 0, sizeof(*archive));
	kit_append(archive, head, 3);
}

/* Passes before this one are not read. */
static uint32_t kit_oldest;

/* What a manager would make of the buffer. 0, or the buffer is broken. */
static inline int kit_make_archive(struct kit_archive *archive,
				   const void *buffer, size_t size)
{
	struct trace_buffer_header header;
	const char *wrong;

	kit_begin_archive(archive);
	memcpy(&header, buffer, sizeof(header));
	wrong = trace_buffer_check(&header, size);
	if (wrong)
		printf("# %s\n", wrong);
	return wrong ? -1
		     : trace_buffer_read(&header, buffer, kit_oldest,
					 kit_append, archive);
}

/*
 * Records
 */

typedef void kit_record(void *context, const struct trace_reader_record *);

static inline void kit_complain(void *count,
				const struct trace_reader_finding *finding)
{
	if (trace_reader_level(finding->problem) == TRACE_READER_INFO)
		return;
	printf("# %s at %" PRIu64 ": %s\n", trace_reader_id(finding->problem),
	       finding->offset, finding->message);
	++*(int *)count;
}

/* Read it, strictly. Returns how many findings there are. */
static inline int kit_read(const struct kit_archive *archive, kit_record *use,
			   void *context)
{
	int findings = 0;
	struct trace_reader_options options = { kit_complain, &findings, 0 };
	struct trace_reader *reader = trace_reader_new(&options);
	struct trace_reader_record record;

	trace_reader_feed(reader, archive->words, archive->count * 8);
	while (trace_reader_next(reader, &record) > 0)
		use(context, &record);
	trace_reader_end(reader);
	trace_reader_free(reader);
	return findings;
}

struct kit_text {
	char *bytes;
	size_t room;
	size_t used;
};

static inline void kit_put(struct kit_text *text, const char *bytes, size_t len)
{
	if (text->used + len + 1 > text->room)
		len = text->room - text->used - 1;
	if (len)
		memcpy(text->bytes + text->used, bytes, len);
	text->used += len;
	text->bytes[text->used] = '\0';
}

static inline void kit_put_string(struct kit_text *text, const char *string)
{
	kit_put(text, string, strlen(string));
}

static inline void kit_put_number(struct kit_text *text, uintmax_t number)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%" PRIuMAX, number);
	kit_put_string(text, digits);
}

static inline void kit_put_arg(struct kit_text *text,
			       const struct trace_reader_arg *arg)
{
	static const char *const types[] = {
		"null",	  "int32",   "uint32", "int64", "uint64", "double",
		"string", "pointer", "koid",   "bool",	"blob",
	};
	char number[64];

	kit_put_string(text, " ");
	kit_put(text, arg->name.bytes, arg->name.len);
	kit_put_string(text, "=");
	kit_put_string(text, types[arg->type]);
	number[0] = '\0';
	if (arg->type == FXT_ARG_INT32 || arg->type == FXT_ARG_INT64)
		snprintf(number, sizeof(number), ":%" PRId64,
			 arg->value.integer);
	else if (arg->type == FXT_ARG_DOUBLE)
		snprintf(number, sizeof(number), ":%g", arg->value.number);
	else if (arg->type == FXT_ARG_STRING)
		kit_put_string(text, ":");
	else if (arg->type != FXT_ARG_NULL)
		snprintf(number, sizeof(number), ":%" PRIu64, arg->value.word);
	kit_put_string(text, number);
	kit_put(text, arg->text.bytes, arg->text.len);
}

/* Names of a line: by record type, and by event type. */
static inline const char *kit_type(const struct trace_reader_record *record)
{
	static const char *const events[] = {
		"instant",    "counter",     "begin",	      "end",
		"complete",   "async-begin", "async-instant", "async-end",
		"flow-begin", "flow-step",   "flow-end",
	};

	switch (record->type) {
	case FXT_EVENT:
		return events[record->subtype];
	case FXT_BLOB:
		return "blob";
	case FXT_KERNEL_OBJECT:
		return record->subtype == FXT_OBJECT_PROCESS ? "process"
							     : "thread";
	case FXT_LARGE:
		return record->subtype == FXT_LARGE_EVENT ? "blob-event"
							  : "attachment";
	default:
		return NULL;
	}
}

/* Are names of processes and threads lines too? */
static int kit_shows_names;

/* An id, or a scope that is not the thread's. */
static inline void kit_put_id(struct kit_text *text,
			      const struct trace_reader_record *record)
{
	if (record->type == FXT_EVENT && record->subtype != FXT_INSTANT &&
	    record->subtype != FXT_DURATION_COMPLETE &&
	    fxt_event_trailer((enum fxt_event)record->subtype)) {
		kit_put_string(text, " #");
		kit_put_number(text, record->id);
	}
	if (record->type == FXT_EVENT && record->subtype == FXT_INSTANT &&
	    record->id) {
		kit_put_string(text, " scope ");
		kit_put_number(text, record->id);
	}
}

/* One line; nothing for what only defines. */
static inline void kit_put_record(void *lines,
				  const struct trace_reader_record *record)
{
	struct kit_text *text = (struct kit_text *)lines;
	const char *type = kit_type(record);

	if (!type || (record->type == FXT_KERNEL_OBJECT && !kit_shows_names))
		return;
	kit_put_string(text, type);
	kit_put_string(text, " ");
	kit_put(text, record->category.bytes, record->category.len);
	kit_put_string(text, "/");
	kit_put(text, record->name.bytes, record->name.len);
	kit_put_id(text, record);
	for (unsigned i = 0; i < record->args_count; i++)
		kit_put_arg(text, &record->args[i]);
	if (record->payload.len) {
		kit_put_string(text, " <");
		kit_put(text, record->payload.bytes, record->payload.len);
		kit_put_string(text, ">");
	}
	kit_put_string(text, "\n");
}

/*
 * Stop, and all events as lines. Static, valid until the next call; "broken"
 * where a strict reader finds fault with it.
 */
static inline const char *kit_lines(void)
{
	static char bytes[65536];
	struct kit_text text = { bytes, sizeof(bytes), 0 };
	struct kit_archive archive;

	bytes[0] = '\0';
	trace_engine_stop(0);
	if (kit_make_archive(&archive, kit_buffer, kit_size) < 0 ||
	    kit_read(&archive, kit_put_record, &text))
		snprintf(bytes, sizeof(bytes), "broken");
	free(archive.words);
	return bytes;
}

#endif
