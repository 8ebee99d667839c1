/*
 * Event records: one function for all kinds. First all strings get their
 * references (which may write records of their own), then the size is known,
 * and then the record is written and committed.
 */
#include "trace/event.h"

#include "trace/engine/args.h"
#include "trace/engine/session.h"

/*
 * ---- The common case, in one pass -------------------------------------
 *
 * In the common case all strings are known, each value needs one word at
 * most, and there is room for the largest such record. Until the commit, all
 * words that are written here are dead space. If the case turns out not to be
 * common, write_event() begins the record again.
 */

#define COMMON_WORDS (2 + 2 * FXT_ARGS + 1)

/* Returns the reference of a string that is known; or more than 16 bits. */
typedef uint64_t known_ref(const struct tr2_trace_writer *writer,
			   const char *string);

#define UNKNOWN UINT64_MAX

static inline uint64_t literal_ref(const struct tr2_trace_writer *writer,
				   const char *literal)
{
	uint64_t cached = writer->cache[tr2_trace_cache_slot(literal)];

	return cached >> 16 == (uintptr_t)literal ? (uint16_t)cached : UNKNOWN;
}

/* The address may hold another text by now. */
static inline uint64_t content_ref(const struct tr2_trace_writer *writer,
				   const char *string)
{
	const struct tr2_trace_known *known =
		&writer->known[tr2_trace_known_slot(string)];

	if (known->address != string || !string || strcmp(known->text, string))
		return UNKNOWN;
	return known->ref;
}

/*
 * May store one word more than the argument needs; NULL: not the common case.
 */
static inline __attribute__((always_inline)) uint64_t *
put_common(uint64_t *at, const struct trace_value *value, uint64_t key)
{
	const size_t word = (size_t)tr2_trace_is_word(value);

	if (key > UINT16_MAX || value->type == FXT_ARG_STRING)
		return NULL;
	at[0] = fxt_arg_header((enum fxt_arg)value->type, 1 + word,
			       (uint16_t)key,
			       word ? 0 : (uint32_t)value->as.word);
	at[1] = value->as.word;
	return at + 1 + word;
}

static inline __attribute__((always_inline)) int
write_common(struct tr2_trace_writer *writer, const struct trace_event *event,
	     uint64_t time, known_ref *ref)
{
	const uint64_t category = ref(writer, event->category);
	const uint64_t name = ref(writer, event->name);
	uint64_t *start = writer->at, *at;
	size_t words;

	if ((category | name) > UINT16_MAX || !writer->thread.ref ||
	    writer->room < COMMON_WORDS || event->arg_count > FXT_ARGS)
		return 0;
	start[1] = time;
	at = start + 2;
	for (size_t i = 0; i < event->arg_count; i++) {
		at = put_common(at, &event->args[i].value,
				ref(writer, event->args[i].name));
		if (!at)
			return 0;
	}
	*at = event->id;
	words = (size_t)(at - start) +
		(fxt_event_has_word(event->type, event->id) != 0);
	tr2_trace_writer_commit(
		writer,
		fxt_event_header(event->type, words, (unsigned)event->arg_count,
				 writer->thread.ref, (uint16_t)category,
				 (uint16_t)name),
		words);
	return 1;
}

/*
 * ---- Any event ---------------------------------------------------------
 */

/* The strings and arguments of an event on their way into the buffer. */
struct parts {
	struct fxt_text category;
	struct fxt_text name;
	struct tr2_trace_args args;
};

static int by_content(struct tr2_trace_writer *writer, const char *string,
		      struct fxt_text *text)
{
	const uint64_t ref = content_ref(writer, string);
	struct tr2_trace_known *known =
		&writer->known[tr2_trace_known_slot(string)];

	*text = fxt_index((uint16_t)ref);
	if (ref != UNKNOWN)
		return 1;
	if (!string)
		string = "";
	if (!tr2_trace_text(writer, string, strlen(string), text))
		return 0;
	if (!text->ref || text->ref & FXT_INLINE)
		return 1;
	known->address = string;
	known->text = tr2_trace_strings_text(tr2_trace.strings, text->ref);
	known->ref = text->ref;
	return 1;
}

static int resolve_all(struct tr2_trace_writer *writer, struct parts *parts,
		       const struct trace_event *event,
		       tr2_trace_resolve *resolve)
{
	tr2_trace_args_set(&parts->args, event->args, event->arg_count);
	return resolve(writer, event->category, &parts->category) &&
	       resolve(writer, event->name, &parts->name) &&
	       tr2_trace_args_resolve(writer, &parts->args, resolve);
}

/* Words of the part that events and blob events have in common. */
static size_t common_words(const struct parts *parts,
			   struct fxt_thread_ref thread)
{
	return 2 + fxt_thread_words(thread) + fxt_text_words(parts->category) +
	       fxt_text_words(parts->name) + parts->args.words;
}

static __attribute__((noinline)) int
write_event(struct tr2_trace_writer *writer, const struct trace_event *event,
	    uint64_t time, tr2_trace_resolve *resolve)
{
	const int trailer = fxt_event_has_word(event->type, event->id);
	struct parts parts;
	size_t words;
	uint64_t *at;

	if (!resolve_all(writer, &parts, event, resolve))
		return 0;
	words = common_words(&parts, writer->thread) + (size_t)trailer;
	at = tr2_trace_writer_room(writer, &tr2_trace.space, words);
	if (!at)
		return 0;
	at[1] = time;
	at = fxt_put_thread(at + 2, writer->thread);
	at = tr2_trace_put_text(at, parts.category);
	at = tr2_trace_put_text(at, parts.name);
	at = tr2_trace_args_put(at, &parts.args);
	if (trailer)
		*at = event->id;
	tr2_trace_writer_commit(
		writer,
		fxt_event_header(event->type, words, parts.args.count,
				 writer->thread.ref, parts.category.ref,
				 parts.name.ref),
		words);
	return 1;
}

static inline __attribute__((always_inline)) void
finish_event(struct tr2_trace_writer *writer, const struct trace_event *event,
	     uint64_t time, known_ref *ref, tr2_trace_resolve *resolve)
{
	if (__builtin_expect(!write_common(writer, event, time, ref), 0) &&
	    !write_event(writer, event, time, resolve))
		tr2_trace_drop(writer);
	tr2_trace_end(writer);
}

void trace_internal_event(enum fxt_event type, const char *category,
			  const char *name, uint64_t id,
			  const struct trace_arg *args, size_t count)
{
	const struct trace_event event = {
		.type = type,
		.id = id,
		.category = category,
		.name = name,
		.args = args,
		.arg_count = count,
	};
	struct tr2_trace_writer *writer = tr2_trace_begin();

	if (writer)
		finish_event(writer, &event,
			     tr2_trace_ticks_now(&writer->clock), literal_ref,
			     tr2_trace_literal);
}

void trace_internal_complete(const char *category, const char *name,
			     uint64_t start, const struct trace_arg *args,
			     size_t count)
{
	struct trace_event event = {
		.type = FXT_DURATION_COMPLETE,
		.category = category,
		.name = name,
		.args = args,
		.arg_count = count,
	};
	struct tr2_trace_writer *writer = tr2_trace_begin();

	if (!writer)
		return;
	event.id = tr2_trace_ticks_now(&writer->clock);
	if (event.id < start)
		event.id = start;
	finish_event(writer, &event, start, literal_ref, tr2_trace_literal);
}

void trace_event_write(const struct trace_event *event)
{
	struct tr2_trace_writer *writer;
	uint64_t time = event->time;

	if (!TRACE_ENABLED())
		return;
	writer = tr2_trace_begin();
	if (!writer)
		return;
	if (!time)
		time = tr2_trace_ticks_now(&writer->clock);
	if (event->type == FXT_DURATION_COMPLETE && event->id < time) {
		tr2_trace_drop(writer); /* SPEC: fxt.duration.backward */
		tr2_trace_end(writer);
		return;
	}
	finish_event(writer, event, time, content_ref, by_content);
}

/*
 * Write a large record, though not longer than a normal one: some readers
 * accept only short ones.
 */
static int write_blob_event(struct tr2_trace_writer *writer,
			    const struct trace_event *event, const void *bytes,
			    size_t size)
{
	struct parts parts;
	size_t words;
	uint64_t *at;

	if (size > FXT_BLOB_BYTES ||
	    !resolve_all(writer, &parts, event, tr2_trace_literal))
		return 0;
	words = common_words(&parts, writer->thread) + 2 + fxt_words(size);
	at = tr2_trace_writer_room(writer, &tr2_trace.space, words);
	if (!at)
		return 0;
	at[1] = fxt_format_header(parts.category.ref, parts.name.ref,
				  parts.args.count, writer->thread.ref);
	at = tr2_trace_put_text(at + 2, parts.category);
	at = tr2_trace_put_text(at, parts.name);
	*at++ = tr2_trace_ticks_now(&writer->clock);
	at = fxt_put_thread(at, writer->thread);
	at = tr2_trace_args_put(at, &parts.args);
	*at++ = size;
	fxt_put_bytes(at, bytes, size);
	tr2_trace_writer_commit(
		writer, fxt_large_blob_header(FXT_LARGE_EVENT, words), words);
	return 1;
}

void trace_internal_blob_event(const char *category, const char *name,
			       const void *bytes, size_t size,
			       const struct trace_arg *args, size_t count)
{
	struct tr2_trace_writer *writer = tr2_trace_begin();
	const struct trace_event event = {
		.category = category,
		.name = name,
		.args = args,
		.arg_count = count,
	};

	if (!writer)
		return;
	if (!write_blob_event(writer, &event, bytes, size))
		tr2_trace_drop(writer);
	tr2_trace_end(writer);
}
