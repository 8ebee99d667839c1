#include "target/text.h"

#include <limits.h>

#include "host/hold.h"
#include "host/host.h"
#include "host/wait.h"
#include "event/event.h"
#include "target/table.h"

struct tr2_text_target tr2_text_normal = {
	.id = TR2_TARGET_NORMAL,
	.format = tr2_normal_format,
	.needs_wall = tr2_text_needs_wall,
	.is_local = 1,
};

struct tr2_text_target tr2_text_perf = {
	.id = TR2_TARGET_PERF,
	.format = tr2_perf_format,
	.needs_wall = tr2_text_needs_wall,
	.is_local = 1,
};

struct tr2_text_target tr2_text_event_json = {
	.id = TR2_TARGET_EVENT,
	.format = tr2_event_json_format,
	.needs_wall = tr2_event_json_needs_wall,
};

/* All atomic. */
static struct {
	int32_t offset;	  /* the last known one */
	uint64_t quarter; /* for which it was asked; set after it; 0: never */
	int is_asked;	  /* a thread is asking for it */
	int is_stuck;	  /* nobody may ask any more */
} zone;

int tr2_text_open(void *own, const struct tr2_target_options *options)
{
	struct tr2_text_target *text = own;
	const struct tr2_destination_options destination =
		tr2_target_destination(options, text->id);

	text->brief = options->settings->target[text->id].brief;
	text->nesting_limit = options->settings->event_nesting;
	return tr2_destination_open(&text->destination, &destination);
}

/*
 * A destination that has failed stays on: it counts its drops.
 * SPEC: fork.shared
 */
int tr2_text_reopen(void *own, const struct tr2_target_options *options)
{
	struct tr2_text_target *text = own;
	const struct tr2_destination_options destination =
		tr2_target_destination(options, text->id);

	tr2_destination_reopen(&text->destination, &destination);
	return text->destination.kind != TR2_DESTINATION_OFF;
}

static uint64_t zone_quarter(void)
{
	return __atomic_load_n(&zone.quarter, __ATOMIC_ACQUIRE);
}

/* No handler leaves in the middle: nobody else would ask. */
static void ask_offset(uint64_t wall_us, uint64_t quarter)
{
	struct tr2_hold hold;

	tr2_hold_begin_all(&hold);
	if (!__atomic_exchange_n(&zone.is_asked, 1, __ATOMIC_ACQ_REL)) {
		if (zone_quarter() != quarter)
			__atomic_store_n(&zone.offset,
					 tr2_host->utc_offset(wall_us),
					 __ATOMIC_RELAXED);
		__atomic_store_n(&zone.quarter, quarter, __ATOMIC_RELEASE);
		__atomic_store_n(&zone.is_asked, 0, __ATOMIC_RELEASE);
	}
	tr2_hold_end(&hold, 0, 0);
}

/* The first threads have nothing to go on with. */
static void wait_for_offset(uint64_t *waited_ns)
{
	while (!zone_quarter() &&
	       __atomic_load_n(&zone.is_asked, __ATOMIC_ACQUIRE) &&
	       tr2_wait_moment(waited_ns))
		;
}

/*
 * A zone's offset changes only at quarters of an hour: one thread asks once
 * in each, and the others go on with what is known. The C library has a lock
 * around its zones, reads a file and asks for memory meanwhile, so a fork does
 * not wait for that. A child that is forked then would find the lock taken for
 * ever: it goes on with what its parent knew.
 */
static int32_t utc_offset(const struct tr2_text_target *text,
			  struct tr2_target_memory *memory, uint64_t wall_us)
{
	const uint64_t quarter = wall_us / 900000000u;

	if (memory->offset_quarter == quarter)
		return memory->utc_offset;
	if (!__atomic_load_n(&zone.is_stuck, __ATOMIC_RELAXED)) {
		if (zone_quarter() != quarter)
			ask_offset(wall_us, quarter);
		wait_for_offset(text->destination.waited_ns);
	}
	if (zone_quarter() == quarter)
		memory->offset_quarter = quarter;
	memory->utc_offset = __atomic_load_n(&zone.offset, __ATOMIC_RELAXED);
	return memory->utc_offset;
}

static void leave_zone(void)
{
	if (__atomic_exchange_n(&zone.is_asked, 0, __ATOMIC_RELAXED))
		__atomic_store_n(&zone.is_stuck, 1, __ATOMIC_RELAXED);
}

static void need_wall(const struct tr2_text_target *text,
		      struct tr2_event *event, struct tr2_target_memory *memory)
{
	if (!event->wall_us)
		event->wall_us = tr2_host->wall_us();
	if (text->is_local)
		event->utc_offset = utc_offset(text, memory, event->wall_us);
}

static struct tr2_format format_of(const struct tr2_text_target *text,
				   struct tr2_target_memory *memory)
{
	struct tr2_format format = {
		.brief = text->brief,
		.nesting_limit = text->nesting_limit,
		.utc = &memory->utc,
		.local = &memory->local,
	};

	return format;
}

int tr2_text_event(void *own, struct tr2_event *event,
		   struct tr2_target_memory *memory)
{
	struct tr2_text_target *text = own;
	const struct tr2_format format = format_of(text, memory);
	struct tr2_buf *line = &memory->line;
	struct tr2_destination_seen *seen = &memory->seen[text->id];

	/* SPEC: category.list */
	if (event->is_unlisted)
		return 1;
	if (text->needs_wall(event, &format))
		need_wall(text, event, memory);
	tr2_buf_reset(line);
	text->format(event, &format, line);
	if (line->failed)
		return 0;
	seen->now_ns = event->mono_ns;
	if (line->len)
		tr2_destination_write(&text->destination, line->bytes,
				      line->len, seen);
	tr2_destination_is_done = 0;
	return 1;
}

void tr2_text_set_known_offset(struct tr2_event *event)
{
	event->utc_offset = __atomic_load_n(&zone.offset, __ATOMIC_RELAXED);
}

/* Only a signal handler has a line of a fixed size. */
const char *tr2_text_line(const struct tr2_text_target *text,
			  struct tr2_event *event,
			  struct tr2_target_memory *memory)
{
	struct tr2_format format = format_of(text, memory);
	struct tr2_buf *line = &memory->line;

	format.brief = 0;
	format.nesting_limit = INT_MAX;
	if (!line->fixed)
		need_wall(text, event, memory);
	tr2_buf_reset(line);
	text->format(event, &format, line);
	tr2_buf_byte(line, '\0');
	return line->failed || line->len == 1 ? NULL : line->bytes;
}

int tr2_text_event_in_signal(void *own, struct tr2_event *event,
			     struct tr2_target_memory *memory)
{
	struct tr2_text_target *text = own;
	const struct tr2_format format = format_of(text, memory);
	struct tr2_buf *line = &memory->line;

	tr2_text_set_known_offset(event);
	tr2_buf_reset(line);
	text->format(event, &format, line);
	if (line->failed)
		return 0;
	tr2_destination_write_signal(&text->destination, line->bytes,
				     line->len);
	return 1;
}

/* Brief lines may be alike. */
int tr2_text_has_event(void *own, const struct tr2_target_memory *memory)
{
	const struct tr2_text_target *text = own;

	return tr2_destination_is_done ||
	       (!text->brief && tr2_destination_ends_with(&text->destination,
							  memory->line.bytes,
							  memory->line.len));
}

int tr2_text_has_too_many_files(void *own)
{
	const struct tr2_text_target *text = own;

	return text->destination.too_many_files;
}

uint64_t tr2_text_count_dropped(void *own)
{
	const struct tr2_text_target *text = own;

	return __atomic_load_n(&text->destination.dropped, __ATOMIC_RELAXED);
}

void tr2_text_hold(void *own)
{
	struct tr2_text_target *text = own;

	tr2_destination_fork_prepare(&text->destination);
}

void tr2_text_let_go(void *own)
{
	struct tr2_text_target *text = own;

	tr2_destination_fork_parent(&text->destination);
}

void tr2_text_leave_parent(void *own)
{
	struct tr2_text_target *text = own;

	leave_zone();
	tr2_destination_fork_child(&text->destination);
}
