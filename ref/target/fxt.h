/*
 * fxt.h - the FXT target: an event in, a record of the trace engine
 * out. The one target that is not text: no line, no write(2) an event.
 * The Chrome target is the same but for the file that records end in.
 * SPEC: chapters fxt.target.* and chrome.*
 *
 * While it is on, the engine of the process is ours: what the program
 * traces itself by <trace/event.h> is in the same trace.
 *
 * Threads: open, reopen and close on one thread; events from any, those
 * of signals included.
 */
#ifndef TR2_TARGET_FXT_H
#define TR2_TARGET_FXT_H

#include <stdint.h>

struct tr2_buf;
struct tr2_event;
struct tr2_settings;

/* Whose trace it is, as far as the names of files tell. */
struct tr2_target_place {
	const char *component; /* the last one of the SID */
	unsigned depth;	       /* of processes above this one that trace */
};

/*
 * Start the engine on what the settings name. Warns as destinations do;
 * 0 where the target stays off. Keeps errno.
 */
int tr2_fxt_open(const struct tr2_settings *settings,
		 const struct tr2_target_place *place);

int tr2_fxt_is_on(void);

/* Is the file that was opened the sentinel of a full directory? */
int tr2_fxt_too_many_files(void);

/*
 * Write the event's record, if its category is wanted. `text` is memory
 * for what has to be made of its fields; in a signal handler a fixed one.
 * 0, or -1 where there is no room for that: the event is lost, and counted
 * by the caller.
 */
int tr2_fxt_event(const struct tr2_event *event, struct tr2_buf *text);

/*
 * The records of a region without its event, for callers that have no
 * other target.
 */
void tr2_fxt_enter(const char *category, const char *label, int repo);
void tr2_fxt_leave(const char *category, const char *label, int repo);

/*
 * Before the events that are lost are reported: know of all until now, and
 * with destination debug warn why. Not in a signal handler.
 */
void tr2_fxt_settle(void);

/* Events that are lost. */
uint64_t tr2_fxt_dropped(void);

/* In a signal handler whose process dies: what waits to be written is. */
void tr2_fxt_hurry(void);

/* The last event is written: stop, and cut off what was not used. */
void tr2_fxt_close(void);

/* In a forked child: at once, and before its first event. */
void tr2_fxt_fork_child(void);
int tr2_fxt_reopen(const struct tr2_settings *settings,
		   const struct tr2_target_place *place);

#endif
