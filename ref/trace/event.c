/*
 * Event records: one function for all kinds. First all strings get their
 * references (which may write records of their own), then the size is
 * known, then the record is written and committed.
 */
#include "event.h"

#include "args.h"
#include "session.h"

/* An event on its way into the buffer. */
struct event {
	enum fxt_event type;
	uint64_t time;
	uint64_t id;
	struct fxt_text category;
	struct fxt_text name;
	struct tr2_trace_args args;
};

static int look_up(struct tr2_trace_writer *writer, const char *string,
		   struct tr2_trace_known *known, struct fxt_text *text)
{
	if (!tr2_trace_text(writer, string, strlen(string), text))
		return 0;
	if (!text->ref || text->ref & FXT_INLINE)
		return 1;
	known->address = string;
	known->text = tr2_trace_strings_text(tr2_trace.strings, text->ref);
	known->ref = text->ref;
	return 1;
}

/* Most strings were here before, at the same address. */
static int by_content(struct tr2_trace_writer *writer, const char *string,
		      struct fxt_text *text)
{
	const uint64_t hash =
		(uint64_t)(uintptr_t)string * UINT64_C(0x9e3779b97f4a7c15);
	struct tr2_trace_known *known =
		&writer->known[hash >> 32 & (TR2_TRACE_KNOWN - 1)];

	if (known->address != string || !string || strcmp(known->text, string))
		return look_up(writer, string ? string : "", known, text);
	*text = fxt_index(known->ref);
	return 1;
}

static inline __attribute__((always_inline)) int
resolve_all(struct tr2_trace_writer *writer, struct event *event,
	    tr2_trace_resolve *resolve, const char *category, const char *name)
{
	return resolve(writer, category, &event->category) &&
	       resolve(writer, name, &event->name) &&
	       tr2_trace_args_resolve(writer, &event->args, resolve);
}

/* Words of what stands alike in events and blob events. */
static inline size_t common_words(const struct event *event,
				  struct fxt_thread_ref thread)
{
	return 2 + fxt_thread_words(thread) + fxt_text_words(event->category) +
	       fxt_text_words(event->name) + event->args.words;
}

static inline __attribute__((always_inline)) int
write_event(struct tr2_trace_writer *writer, struct event *event,
	    tr2_trace_resolve *resolve, const char *category, const char *name)
{
	size_t words;
	uint64_t *at;

	if (!resolve_all(writer, event, resolve, category, name))
		return 0;
	words = common_words(event, writer->thread) +
		(fxt_event_trailer(event->type) != 0);
	at = tr2_trace_writer_room(writer, &tr2_trace.space, words);
	if (!at)
		return 0;
	at[1] = event->time;
	at = fxt_put_thread(at + 2, writer->thread);
	at = tr2_trace_put_text(at, event->category);
	at = tr2_trace_put_text(at, event->name);
	at = tr2_trace_args_put(at, &event->args);
	if (fxt_event_trailer(event->type))
		*at = event->id;
	tr2_trace_writer_commit(
		writer,
		fxt_event_header(event->type, words, event->args.count,
				 writer->thread.ref, event->category.ref,
				 event->name.ref),
		words);
	return 1;
}

void trace_internal_event(enum fxt_event type, const char *category,
			  const char *name, uint64_t id,
			  const struct trace_arg *args, size_t count)
{
	struct tr2_trace_writer *writer = tr2_trace_begin();
	struct event event;

	if (!writer)
		return;
	event.type = type;
	event.time = tr2_trace_ticks_now(&writer->clock);
	event.id = id;
	tr2_trace_args_set(&event.args, args, count);
	if (!write_event(writer, &event, tr2_trace_literal, category, name))
		tr2_trace_drop(writer);
	tr2_trace_end(writer);
}

void trace_internal_complete(const char *category, const char *name,
			     uint64_t start, const struct trace_arg *args,
			     size_t count)
{
	struct tr2_trace_writer *writer = tr2_trace_begin();
	struct event event;

	if (!writer)
		return;
	event.type = FXT_DURATION_COMPLETE;
	event.time = start;
	event.id = tr2_trace_ticks_now(&writer->clock);
	if (event.id < start)
		event.id = start;
	tr2_trace_args_set(&event.args, args, count);
	if (!write_event(writer, &event, tr2_trace_literal, category, name))
		tr2_trace_drop(writer);
	tr2_trace_end(writer);
}

void trace_event_write(const struct trace_event *given)
{
	struct tr2_trace_writer *writer;
	struct event event;

	if (!TRACE_ENABLED())
		return;
	writer = tr2_trace_begin();
	if (!writer)
		return;
	event.type = given->type;
	event.time = given->time;
	if (!event.time)
		event.time = tr2_trace_ticks_now(&writer->clock);
	event.id = given->id;
	tr2_trace_args_set(&event.args, given->args, given->arg_count);
	if (!write_event(writer, &event, by_content, given->category,
			 given->name))
		tr2_trace_drop(writer);
	tr2_trace_end(writer);
}

/*
 * A large record, though never longer than others: some readers know only
 * short ones.
 */
static int write_blob_event(struct tr2_trace_writer *writer,
			    struct event *event, const char *category,
			    const char *name, const void *bytes, size_t size)
{
	size_t words;
	uint64_t *at;

	if (size > FXT_BLOB_BYTES ||
	    !resolve_all(writer, event, tr2_trace_literal, category, name))
		return 0;
	words = common_words(event, writer->thread) + 2 + fxt_words(size);
	at = tr2_trace_writer_room(writer, &tr2_trace.space, words);
	if (!at)
		return 0;
	at[1] = fxt_format_header(event->category.ref, event->name.ref,
				  event->args.count, writer->thread.ref);
	at = tr2_trace_put_text(at + 2, event->category);
	at = tr2_trace_put_text(at, event->name);
	*at++ = event->time;
	at = fxt_put_thread(at, writer->thread);
	at = tr2_trace_args_put(at, &event->args);
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
	struct event event;

	if (!writer)
		return;
	event.time = tr2_trace_ticks_now(&writer->clock);
	tr2_trace_args_set(&event.args, args, count);
	if (!write_blob_event(writer, &event, category, name, bytes, size))
		tr2_trace_drop(writer);
	tr2_trace_end(writer);
}
