/*
 * Trace2's events as records of the trace engine, for FXT and for Chrome.
 * target/fxt_open.c and target/chrome.c open these targets.
 * SPEC: chapter fxt.target.*
 */
#include "target/fxt.h"

#include <stdlib.h>

#include "trace/engine.h"
#include "trace/engine/fxt.h"
#include "trace/engine/writer.h"
#include "trace2.h"
#include "base/buf.h"
#include "event/event.h"
#include "base/utf8.h"
#include "base/quote.h"
#include "base/real.h"
#include "fxt/engine.h"
#include "target/fxt_guest.h"
#include "target/target.h"

#define OWN_CATEGORY "trace2" /* for events without a category */
#define REGION_NAME "region"  /* for regions without a label */

/* The form of a kind that is not an instant with the kind's name. */
struct shape {
	enum fxt_event type;
	enum { NO_ID, CHILD_ID, THREAD_ID } id;
	const char *name; /* NULL: the kind's name */
	size_t name_at;	  /* member with the name; used unless it is empty */
};

#define AT(member) offsetof(struct tr2_event, member)
#define ASYNC(type)                                    \
	{                                              \
		FXT_ASYNC_##type, CHILD_ID, "child", 0 \
	}
#define REGION(type)                                            \
	{                                                       \
		FXT_DURATION_##type, NO_ID, "region", AT(label) \
	}
#define DATA                                      \
	{                                         \
		FXT_INSTANT, NO_ID, NULL, AT(key) \
	}
#define SUM(id)                                 \
	{                                       \
		FXT_COUNTER, id, NULL, AT(name) \
	}

/* SPEC: fxt.target.event */
static const struct shape shapes[TR2_EVENT_COUNT] = {
	[TR2_EVENT_REGION_ENTER] = REGION(BEGIN),
	[TR2_EVENT_REGION_LEAVE] = REGION(END),
	[TR2_EVENT_DATA] = DATA,
	[TR2_EVENT_DATA_JSON] = DATA,
	[TR2_EVENT_CHILD_START] = ASYNC(BEGIN),
	[TR2_EVENT_CHILD_EXIT] = ASYNC(END),
	[TR2_EVENT_CHILD_READY] = ASYNC(END),
	[TR2_EVENT_TH_TIMER] = SUM(THREAD_ID),
	[TR2_EVENT_TIMER] = SUM(NO_ID),
	[TR2_EVENT_TH_COUNTER] = SUM(THREAD_ID),
	[TR2_EVENT_COUNTER] = SUM(NO_ID),
};

/* ---- Texts: UTF-8, in place if possible ---- */

/*
 * Texts that had to be made are in `buf`, one after the other. They move
 * while it grows, so pointers to them are set when the record is complete.
 */
struct texts {
	struct tr2_buf *buf;
	size_t count;
	struct {
		const char **place;
		size_t start;
	} made[TR2_EVENT_FIELDS_MAX];
};

/* A character that a NUL cuts off is not valid. */
static int is_utf8(const char *text)
{
	int length;

	for (; *text; text += length) {
		length = tr2_utf8_length(text, SIZE_MAX);
		if (length < 0)
			return 0;
	}
	return 1;
}

static void add_repaired(struct tr2_buf *out, const char *text)
{
	int length;

	for (; *text; text += abs(length)) {
		length = tr2_utf8_length(text, SIZE_MAX);
		if (length < 0)
			tr2_buf_str(out, "\xef\xbf\xbd");
		else
			tr2_buf_add(out, text, (size_t)length);
	}
}

static void note_made_text(struct texts *texts, const char **place,
			   size_t start)
{
	tr2_buf_byte(texts->buf, '\0');
	texts->made[texts->count].place = place;
	texts->made[texts->count++].start = start;
}

/* SPEC: fxt.string.utf8 */
static void set_text(struct texts *texts, const char **place, const char *text)
{
	const size_t start = texts->buf->len;

	*place = text;
	if (is_utf8(text))
		return;
	add_repaired(texts->buf, text);
	note_made_text(texts, place, start);
}

static void set_words(struct texts *texts, const char **place,
		      const char *const *words)
{
	struct tr2_buf *buf = texts->buf;
	size_t start = buf->len, len;

	tr2_quote_words(buf, words);
	tr2_buf_byte(buf, '\0');
	len = buf->len - start;
	/* Each byte may have to be replaced by three. */
	if (tr2_buf_grow(buf, 3 * len))
		return;
	add_repaired(buf, buf->bytes + start);
	note_made_text(texts, place, start + len);
}

static int point_at_texts(const struct texts *texts)
{
	if (texts->buf->failed)
		return 0;
	for (size_t i = 0; i < texts->count; i++)
		*texts->made[i].place =
			texts->buf->bytes + texts->made[i].start;
	return 1;
}

/* ---- Arguments: the fields of the event table ---- */

_Static_assert(TR2_EVENT_FIELDS_MAX + 1 <= TRACE_MAX_ARGS,
	       "a record has room for the fields of an event and one more");

static int is_text(const struct tr2_field *field)
{
	return field->type == TR2_FIELD_STRING ||
	       field->type == TR2_FIELD_JSON ||
	       field->type == TR2_FIELD_STRINGS;
}

static void set_number(struct trace_value *value, const struct tr2_event *event,
		       const struct tr2_field *field)
{
	switch (field->type) {
	case TR2_FIELD_INT:
		*value = TA_INT32(TR2_EVENT_MEMBER(event, field, int));
		return;
	case TR2_FIELD_INT64:
		*value = TA_INT64(TR2_EVENT_MEMBER(event, field, int64_t));
		return;
	case TR2_FIELD_UINT64:
		*value = TA_UINT64(TR2_EVENT_MEMBER(event, field, uint64_t));
		return;
	case TR2_FIELD_BOOL:
		*value = TA_BOOL(TR2_EVENT_MEMBER(event, field, int) != 0);
		return;
	case TR2_FIELD_STRING: /* is_text() */
	case TR2_FIELD_STRINGS:
	case TR2_FIELD_JSON:
	case TR2_FIELD_SECONDS_US: /* t_abs and t_rel are not arguments */
	case TR2_FIELD_SECONDS_NS:;
	}
	*value = TA_DOUBLE(
		tr2_real_seconds(TR2_EVENT_MEMBER(event, field, uint64_t)));
}

/* Is the field in another part of the record than the arguments? */
static int is_elsewhere(const struct shape *shape,
			const struct tr2_field *field)
{
	return field->offset == AT(category) || field->offset == AT(nesting) ||
	       field->offset == AT(t_abs) || field->offset == AT(t_rel) ||
	       field->offset == shape->name_at;
}

static void set_arg(struct trace_arg *arg, const struct tr2_event *event,
		    const struct tr2_field *field, struct texts *texts)
{
	arg->name = field->key;
	if (!is_text(field)) {
		set_number(&arg->value, event, field);
		return;
	}
	if (event->number) {
		arg->value = TA_INT64(*event->number);
		return;
	}
	arg->value = TA_STRING("");
	if (field->type == TR2_FIELD_STRINGS)
		set_words(texts, &arg->value.as.string,
			  TR2_EVENT_MEMBER(event, field, char *const *const));
	else
		set_text(texts, &arg->value.as.string,
			 TR2_EVENT_MEMBER(event, field, char *const));
}

/* SPEC: fxt.target.repo */
static size_t set_repo(struct trace_arg *arg, int repo)
{
	if (repo == TRACE2_REPO_NONE)
		return 0;
	arg->name = "repo";
	arg->value = TA_INT32(repo < 0 ? 0 : repo);
	return 1;
}

static size_t set_args(struct trace_arg *args, const struct tr2_event *event,
		       const struct shape *shape, struct texts *texts)
{
	const struct tr2_field *field = tr2_event_table[event->kind].fields;
	size_t count = 0;

	for (; field->key; field++) {
		if (is_elsewhere(shape, field) ||
		    (is_text(field) &&
		     !TR2_EVENT_MEMBER(event, field, char *const)))
			continue;
		set_arg(&args[count++], event, field, texts);
	}
	return count + set_repo(&args[count], event->repo);
}

/* Arguments were made without the lengths of strings, which are known now. */
static void measure_strings(struct trace_arg *args, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (args[i].value.type == FXT_ARG_STRING)
			args[i].value = TA_STRING(args[i].value.as.string);
}

/* ---- The record ---- */

/* SPEC: fxt.target.category */
static const char *or_own(const char *category)
{
	return category && *category ? category : OWN_CATEGORY;
}

/* Viewers show nothing for an empty name. */
static const char *name_of(const struct tr2_event *event,
			   const struct shape *shape)
{
	const char *name = NULL;

	if (shape->name_at)
		name = *(
			const char *const *)(const void *)((const char *)event +
							   shape->name_at);
	if (!name || !*name)
		name = shape->name;
	return name ? name : tr2_event_table[event->kind].name;
}

static uint64_t id_of(const struct tr2_event *event, const struct shape *shape)
{
	if (shape->id == CHILD_ID)
		return (uint64_t)event->child_id;
	return shape->id == THREAD_ID ? event->origin->number : 0;
}

static int write_record(const struct tr2_event *event, struct tr2_buf *buf)
{
	const struct shape *shape = &shapes[event->kind];
	struct trace_arg args[TR2_EVENT_FIELDS_MAX + 1];
	struct trace_event record = {
		.type = shape->type,
		.time = event->mono_ns,
		.id = id_of(event, shape),
		.args = args,
	};
	struct texts texts = { .buf = buf, .count = 0 };

	tr2_buf_reset(buf);
	record.category = or_own(event->category);
	record.name = name_of(event, shape);
	record.arg_count = set_args(args, event, shape, &texts);
	if (!point_at_texts(&texts))
		return 0;
	measure_strings(args, record.arg_count);
	trace_event_write(&record);
	return 1;
}

/* SPEC: fxt.target.name */
static void write_name(const struct tr2_event *event)
{
	if (event->kind == TR2_EVENT_CMD_NAME && event->name)
		trace_name_process(event->hierarchy ? event->hierarchy
						    : event->name);
	if (event->kind == TR2_EVENT_THREAD_START ||
	    event->kind == TR2_EVENT_VERSION)
		trace_name_thread(event->origin->thread);
}

int tr2_fxt_event(void *own, struct tr2_event *event,
		  struct tr2_target_memory *memory)
{
	(void)own;
	write_name(event);
	if (!tr2_fxt_wants(or_own(event->category)))
		return 1;
	if (tr2_fxt_guest_loses())
		return 1;
	return write_record(event, &memory->line);
}

int tr2_fxt_event_in_signal(void *own, struct tr2_event *event,
			    struct tr2_target_memory *memory)
{
	struct tr2_trace_writer *writer = tr2_trace_writer_borrow();
	const int is_written = tr2_fxt_event(own, event, memory);

	tr2_trace_writer_return(writer);
	return is_written;
}

static void write_region(enum fxt_event type, const char *category,
			 const char *label, int repo)
{
	struct trace_arg arg;
	const struct trace_event record = {
		.type = type,
		.category = or_own(category),
		.name = label && *label ? label : REGION_NAME,
		.args = &arg,
		.arg_count = set_repo(&arg, repo),
	};

	if (tr2_fxt_wants(record.category) && !tr2_fxt_guest_loses())
		trace_event_write(&record);
}

void tr2_fxt_enter_region(const char *category, const char *label, int repo)
{
	write_region(FXT_DURATION_BEGIN, category, label, repo);
}

void tr2_fxt_leave_region(const char *category, const char *label, int repo)
{
	write_region(FXT_DURATION_END, category, label, repo);
}
