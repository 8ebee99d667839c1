/* chrome_write.c - Chrome's trace events as records, in order. */
#include "views/archive/chrome.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"
#include "views/archive/writer.h"

#define METADATA (FXT_FLOW_END + 1)
#define SKIPPED (METADATA + 1)

/* One text of each kind is in use at once. */
struct chrome_writing {
	struct tr2_fxt_writer writer;
	struct tr2_fxt_thread thread; /* of the last event */
	struct tr2_buf category, name, value;
};

static int compare_events(const void *a, const void *b)
{
	const struct tr2_chrome_event *one = a, *two = b;
	const bool named = one->phase == 'M', other = two->phase == 'M';

	if (named != other)
		return named ? -1 : 1;
	return one->time != two->time ? tr2_order(one->time, two->time)
				      : tr2_order(one->order, two->order);
}

static unsigned type_of(char phase)
{
	static const char *const phases[] = {
		[FXT_INSTANT] = "iIR",	       [FXT_COUNTER] = "C",
		[FXT_DURATION_BEGIN] = "B",    [FXT_DURATION_END] = "E",
		[FXT_DURATION_COMPLETE] = "X", [FXT_ASYNC_BEGIN] = "bS",
		[FXT_ASYNC_INSTANT] = "nTp",   [FXT_ASYNC_END] = "eF",
		[FXT_FLOW_BEGIN] = "s",	       [FXT_FLOW_STEP] = "t",
		[FXT_FLOW_END] = "f",	       [METADATA] = "M",
	};
	unsigned type = 0;

	while (type < SKIPPED && !strchr(phases[type], phase))
		type++;
	return type;
}

/* A text of an archive has no NUL. What is no string is empty. */
static struct tr2_fxt_text text_of(const struct tr2_parse *file,
				   const struct tr2_value *value,
				   struct tr2_buf *scratch)
{
	struct tr2_fxt_text text = { "", 0 };

	if (value->kind != TR2_STRING)
		return text;
	text.bytes = tr2_parse_text(file, value, scratch, &text.len);
	text.len = strnlen(text.bytes, text.len);
	return text;
}

/* An object or array is the text that it has in the file. */
static void put_arg(struct chrome_writing *writing,
		    const struct tr2_parse *file, struct tr2_fxt_text name,
		    const struct tr2_value *value)
{
	struct tr2_fxt_writer *writer = &writing->writer;
	const char *text = file->text + value->start;
	const struct tr2_fxt_text whole = { text, value->end - value->start };

	if (value->kind == TR2_STRING)
		tr2_fxt_arg_text(writer, name,
				 text_of(file, value, &writing->value), false);
	else if (value->kind == TR2_INTEGER && *text == '-')
		tr2_fxt_arg_int(writer, name, strtoll(text, NULL, 10));
	else if (value->kind == TR2_INTEGER)
		tr2_fxt_arg_uint(writer, name, strtoull(text, NULL, 10));
	else if (value->kind == TR2_FRACTION)
		tr2_fxt_arg_double(writer, name, strtod(text, NULL));
	else if (value->kind == TR2_BOOLEAN)
		tr2_fxt_arg_bool(writer, name, *text == 't');
	else if (value->kind == TR2_NULL)
		tr2_fxt_arg_null(writer, name);
	else
		tr2_fxt_arg_text(writer, name, whole, false);
}

/* Returns the value of args.name, without a kind if there is none. */
static struct tr2_value walk_args(struct chrome_writing *writing,
				  const struct tr2_chrome_event *event,
				  bool puts)
{
	struct tr2_parse *file = (struct tr2_parse *)event->file;
	struct tr2_value key, value, found = { .kind = TR2_NO_VALUE };
	size_t token = event->args.token;
	struct tr2_fxt_text name;

	if (event->args.kind != TR2_OBJECT ||
	    tr2_parse_byte(file, token + 1) == '}')
		return found;
	do {
		token = tr2_parse_key(file, token + 1, &key);
		token = tr2_parse_value(file, token, &value);
		name = text_of(file, &key, &writing->name);
		if (puts)
			put_arg(writing, file, name, &value);
		else if (name.len == 4 && !memcmp(name.bytes, "name", 4))
			found = value;
	} while (tr2_parse_byte(file, token) == ',');
	return found;
}

static void put_metadata(struct chrome_writing *writing,
			 const struct tr2_chrome_event *event)
{
	const struct tr2_fxt_thread thread = { .process = event->process,
					       .thread = event->thread };
	const struct tr2_value value = walk_args(writing, event, false);
	struct tr2_fxt_text kind =
		text_of(event->file, &event->name, &writing->category);
	struct tr2_fxt_text name =
		text_of(event->file, &value, &writing->value);

	if (!name.len)
		return;
	if (kind.len == 12 && !memcmp(kind.bytes, "process_name", 12))
		tr2_fxt_name_process(&writing->writer, event->process, name);
	if (kind.len == 11 && !memcmp(kind.bytes, "thread_name", 11))
		tr2_fxt_name_thread(&writing->writer, &thread, name);
}

static void put_event(struct chrome_writing *writing,
		      const struct tr2_chrome_event *event, enum fxt_event type)
{
	struct tr2_fxt_thread *thread = &writing->thread;

	if (thread->process != event->process ||
	    thread->thread != event->thread)
		*thread = (struct tr2_fxt_thread){ .process = event->process,
						   .thread = event->thread };
	tr2_fxt_begin_event(&writing->writer, type, event->time, thread,
			    text_of(event->file, &event->category,
				    &writing->category),
			    text_of(event->file, &event->name, &writing->name));
	walk_args(writing, event, true);
	tr2_fxt_end_event(&writing->writer,
			  type == FXT_DURATION_COMPLETE
				  ? event->time + event->length
				  : event->id);
}

void tr2_chrome_log_write(struct tr2_chrome_log *log, struct tr2_buf *out)
{
	struct chrome_writing writing = { .name = TR2_BUF_INIT };
	const struct tr2_chrome_event *event;
	uint32_t i;

	if (!log->events.count)
		return;
	tr2_vec_sort(&log->events, sizeof(*event), compare_events);
	tr2_fxt_begin(&writing.writer, out, "chrome");
	event = log->events.items;
	for (i = 0; i < log->events.count; i++, event++) {
		const unsigned type = type_of(event->phase);

		if (type == METADATA)
			put_metadata(&writing, event);
		else if (type == SKIPPED)
			log->left_out++;
		else
			put_event(&writing, event, (enum fxt_event)type);
	}
	log->cut = writing.writer.cut;
	tr2_fxt_release(&writing.writer);
	tr2_buf_release(&writing.category);
	tr2_buf_release(&writing.name);
	tr2_buf_release(&writing.value);
}
