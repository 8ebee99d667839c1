/*
 * fxt.h - the FXT target: it turns an event into a record of the trace
 * engine. There is no line, and no write(2) for an event. The Chrome target
 * makes the same records; they end in another file.
 * SPEC: chapters fxt.target.* and chrome.*
 *
 * While the target is on, it owns the process's engine, or shares it with the
 * agent (fxt_guest.h), and the program's own trace points (<trace/event.h>)
 * are in the same trace.
 *
 * The functions are hooks of target/table.h; `own` is not used.
 */
#ifndef TR2_TARGET_FXT_H
#define TR2_TARGET_FXT_H

#include <stdint.h>

struct tr2_event;
struct tr2_target_memory;
struct tr2_target_options;

/* Start the engine with the destination that the settings name. */
int tr2_fxt_open(void *own, const struct tr2_target_options *options);

/* Does the target have the engine? */
int tr2_fxt_is_on(void);

int tr2_fxt_has_too_many_files(void *own);
uint64_t tr2_fxt_count_dropped(void *own);
void tr2_fxt_settle(void);

/* Stop, and cut off the unused part. */
void tr2_fxt_close(void);

void tr2_fxt_leave_parent(void *own);
int tr2_fxt_reopen(void *own, const struct tr2_target_options *options);

/*
 * ---- Records: of FXT and of Chrome ----
 */

/*
 * Write the event's record if its category is wanted. Texts that have to be
 * made are in `memory->line`. Async-signal-safe.
 */
int tr2_fxt_event(void *own, struct tr2_event *event,
		  struct tr2_target_memory *memory);
int tr2_fxt_event_in_signal(void *own, struct tr2_event *event,
			    struct tr2_target_memory *memory);

void tr2_fxt_enter_region(const char *category, const char *label, int repo);
void tr2_fxt_leave_region(const char *category, const char *label, int repo);

#endif
