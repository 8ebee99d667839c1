#include "target/added.h"

#include "trace2-target.h"

#include "host/host.h"
#include "event/event.h"
#include "target/text.h"

struct added_target {
	const struct trace2_target *hooks;
	void *data;
	int is_on; /* constant after open, but a forked child renews it */
	uint64_t dropped; /* atomic */
};

/* `count` and `is_ended` are constant once the targets are opened. */
static struct {
	struct added_target target[TRACE2_TARGETS_MAX];
	size_t count;
	int is_ended;
} added;

#undef trace2_add_target

int trace2_add_target(const struct trace2_target *target, void *data)
{
	struct added_target *place;

	if (added.is_ended || added.count == TRACE2_TARGETS_MAX ||
	    !target->event)
		return 0;
	place = &added.target[added.count++];
	place->hooks = target;
	place->data = data;
	return 1;
}

int tr2_added_end(void)
{
	added.is_ended = 1;
	return added.count != 0;
}

/* ---- What a hook sees of an event ---- */

static struct trace2_event show_event(struct tr2_event *event,
				      struct tr2_target_memory *memory)
{
	const int has_file = event->file && *event->file;

	if (!event->wall_us)
		event->wall_us = tr2_host->wall_us();
	return (struct trace2_event){
		.name = tr2_event_table[event->kind].name,
		.sid = event->origin->sid_json,
		.thread = event->origin->thread,
		.file = has_file ? event->file : NULL,
		.line = has_file ? event->line : 0,
		.repo = event->repo,
		.wall_us = event->wall_us,
		.event_ = event,
		.memory_ = memory,
	};
}

static void set_number(struct trace2_field *field, enum trace2_field_type type,
		       int64_t number)
{
	field->type = type;
	field->number = number;
}

static void set_text(struct trace2_field *field, enum trace2_field_type type,
		     const char *text)
{
	field->type = type;
	field->text = text;
}

/* A member of a const event, of the type that the field's row has. */
#define MEMBER(type) TR2_EVENT_MEMBER(event, row, type)

static void set_field(struct trace2_field *field, const struct tr2_event *event,
		      const struct tr2_field *row)
{
	*field = (struct trace2_field){ .key = row->key };
	switch (row->type) {
	case TR2_FIELD_STRING:
		set_text(field, TRACE2_FIELD_STRING, MEMBER(char *const));
		return;
	case TR2_FIELD_STRINGS:
		field->type = TRACE2_FIELD_STRINGS;
		field->words = MEMBER(char *const *const);
		return;
	case TR2_FIELD_INT:
		set_number(field, TRACE2_FIELD_INT, MEMBER(int));
		return;
	case TR2_FIELD_INT64:
	case TR2_FIELD_UINT64:
		set_number(field, TRACE2_FIELD_INT, MEMBER(int64_t));
		return;
	case TR2_FIELD_BOOL:
		set_number(field, TRACE2_FIELD_BOOL, MEMBER(int));
		return;
	case TR2_FIELD_SECONDS_US:
		set_number(field, TRACE2_FIELD_SECONDS, 1000 * MEMBER(int64_t));
		return;
	case TR2_FIELD_SECONDS_NS:
		set_number(field, TRACE2_FIELD_SECONDS, MEMBER(int64_t));
		return;
	case TR2_FIELD_JSON:;
	}
	set_text(field, TRACE2_FIELD_JSON, MEMBER(char *const));
}

int trace2_event_field(const struct trace2_event *shown, unsigned index,
		       struct trace2_field *field)
{
	const struct tr2_event *event = shown->event_;
	const struct tr2_field *row = tr2_event_table[event->kind].fields;

	for (; row->key; row++) {
		if (tr2_event_lacks(event, row))
			continue;
		if (!index--) {
			set_field(field, event, row);
			return 1;
		}
	}
	return 0;
}

const char *trace2_event_line(const struct trace2_event *shown,
			      enum trace2_format format)
{
	static const struct tr2_text_target *const texts[] = {
		[TRACE2_NORMAL] = &tr2_text_normal,
		[TRACE2_PERF] = &tr2_text_perf,
		[TRACE2_EVENT] = &tr2_text_event_json,
	};

	return tr2_text_line(texts[format], shown->event_, shown->memory_);
}

/* ---- The hooks of the row ---- */

typedef int event_hook(void *data, const struct trace2_event *event);

/* Returns the hook that gets this event. NULL: the target has none. */
static event_hook *find_hook(const struct added_target *target, int in_signal)
{
	return in_signal ? target->hooks->event_in_signal
			 : target->hooks->event;
}

/* Each target counts what it loses. */
static void give_event(struct tr2_event *event,
		       struct tr2_target_memory *memory, int in_signal)
{
	const struct trace2_event shown = show_event(event, memory);

	for (size_t i = 0; i < added.count; i++) {
		struct added_target *target = &added.target[i];
		event_hook *hook = find_hook(target, in_signal);

		if (target->is_on && (!hook || !hook(target->data, &shown)))
			__atomic_fetch_add(&target->dropped, 1,
					   __ATOMIC_RELAXED);
	}
}

int tr2_added_event(void *own, struct tr2_event *event,
		    struct tr2_target_memory *memory)
{
	(void)own;
	if (!event->is_unlisted)
		give_event(event, memory, 0);
	return 1;
}

int tr2_added_event_in_signal(void *own, struct tr2_event *event,
			      struct tr2_target_memory *memory)
{
	(void)own;
	tr2_text_set_known_offset(event);
	give_event(event, memory, 1);
	return 1;
}

int tr2_added_has_too_many_files(void *own)
{
	(void)own;
	return 0;
}

uint64_t tr2_added_count_dropped(void *own)
{
	uint64_t dropped = 0;

	(void)own;
	for (size_t i = 0; i < added.count; i++)
		dropped += __atomic_load_n(&added.target[i].dropped,
					   __ATOMIC_RELAXED);
	return dropped;
}

int tr2_added_open(void *own, const struct tr2_target_options *options)
{
	(void)own;
	(void)options;
	for (size_t i = 0; i < added.count; i++)
		added.target[i].is_on = 1;
	return added.count != 0;
}

int tr2_added_reopen(void *own, const struct tr2_target_options *options)
{
	struct added_target *target;
	int is_on = 0;

	(void)own;
	(void)options;
	for (size_t i = 0; i < added.count; i++) {
		target = &added.target[i];
		target->dropped = 0;
		target->is_on = target->is_on && target->hooks->forked &&
				target->hooks->forked(target->data);
		is_on |= target->is_on;
	}
	return is_on;
}

/* In the order in which they were added; let_go in the reverse one. */
void tr2_added_hold(void *own)
{
	(void)own;
	for (size_t i = 0; i < added.count; i++)
		if (added.target[i].hooks->hold)
			added.target[i].hooks->hold(added.target[i].data);
}

void tr2_added_let_go(void *own)
{
	(void)own;
	for (size_t i = added.count; i--;)
		if (added.target[i].hooks->let_go)
			added.target[i].hooks->let_go(added.target[i].data);
}

void tr2_added_close(void)
{
	for (size_t i = 0; i < added.count; i++)
		if (added.target[i].is_on && added.target[i].hooks->close)
			added.target[i].hooks->close(added.target[i].data);
}
