/*
 * text.h - the text targets NORMAL, PERF and EVENT: they turn an event into a
 * line (event/format.h) and write it to a destination. The functions are
 * hooks of target/table.h.
 */
#ifndef TR2_TARGET_TEXT_H
#define TR2_TARGET_TEXT_H

#include <stdint.h>

#include "config/settings.h"
#include "destination/destination.h"
#include "event/format.h"
#include "target/target.h"

/* Constant after open, but a forked child changes the destination. */
struct tr2_text_target {
	enum tr2_target_id id;
	tr2_format_fn *format;
	tr2_needs_wall_fn *needs_wall;
	int is_local; /* writes local times */
	int brief;
	int nesting_limit;
	struct tr2_destination destination;
};

extern struct tr2_text_target tr2_text_normal;
extern struct tr2_text_target tr2_text_perf;
extern struct tr2_text_target tr2_text_event_json;

int tr2_text_open(void *own, const struct tr2_target_options *options);
int tr2_text_event(void *own, struct tr2_event *event,
		   struct tr2_target_memory *memory);
int tr2_text_event_in_signal(void *own, struct tr2_event *event,
			     struct tr2_target_memory *memory);
/*
 * Returns the line that this target would write without its brief setting,
 * made in `memory`; NULL: it does not show the event, or memory fails. Safe
 * in a signal handler if the event's times are set.
 */
const char *tr2_text_line(const struct tr2_text_target *text,
			  struct tr2_event *event,
			  struct tr2_target_memory *memory);

/* For a signal handler: the offset of the last event. */
void tr2_text_set_known_offset(struct tr2_event *event);

int tr2_text_has_too_many_files(void *own);
int tr2_text_has_event(void *own, const struct tr2_target_memory *memory);
uint64_t tr2_text_count_dropped(void *own);
void tr2_text_hold(void *own);
void tr2_text_let_go(void *own);
void tr2_text_leave_parent(void *own);
int tr2_text_reopen(void *own, const struct tr2_target_options *options);

#endif
