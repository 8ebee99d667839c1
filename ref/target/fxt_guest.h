/*
 * fxt_guest.h - the FXT target beside tracing at run time: a process has one
 * engine, and while the agent has it, the target is one of the agent's
 * clients, whichever of the two came first.
 */
#ifndef TR2_TARGET_FXT_GUEST_H
#define TR2_TARGET_FXT_GUEST_H

#include <stdint.h>

struct tr2_destination_options;
struct tr2_fxt_file;

/* Does the agent have the engine? */
int tr2_fxt_guest_is_needed(void);

/* The file was begun: let the agent fill it. 0, or an error. */
int tr2_fxt_guest_begin(struct tr2_fxt_file *file, const char *categories);

/*
 * The target has the engine, and fills the file: if the agent asks for the
 * engine, it gets it, and the target becomes its client.
 */
void tr2_fxt_guest_offer(struct tr2_fxt_file *file, const char *categories);

/*
 * Does nobody have the engine now, for it changes hands? Then an event is
 * lost, and counted.
 */
int tr2_fxt_guest_loses(void);

/*
 * Pass on what was traced so far. With destination debug, warn why events are
 * lost. 0: the target is not a guest.
 */
int tr2_fxt_guest_settle(const struct tr2_destination_options *destination);

/* Returns how many events did not reach the file by way of the agent. */
uint64_t tr2_fxt_guest_lost(void);

/* No more events. 0: the target was not a guest, but has the engine. */
int tr2_fxt_guest_end(void);

/* In a forked child, which has no agent. */
void tr2_fxt_guest_forget(void);

#endif
