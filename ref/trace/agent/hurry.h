/*
 * hurry.h - calls for the agent's thread to pass on everything now, from
 * other threads and from signal handlers; and what the agent does before its
 * process dies of a signal.
 *
 * The functions up to tr2_hurry_finish() are for the agent alone, and need
 * its locks.
 */
#ifndef TR2_TRACE_AGENT_HURRY_H
#define TR2_TRACE_AGENT_HURRY_H

#include <stdbool.h>

/*
 * Begin: the thread waits for input on the descriptor *fd. 0, or an error.
 */
int tr2_hurry_begin(int *fd);
void tr2_hurry_end(void);

/*
 * Handle signals that kill the process, if `caller` is code of the program
 * itself. SPEC: signal.library
 */
void tr2_hurry_watch(const void *caller);

/*
 * The program's own code runs now: handle SIGINT, too, for a user who wants
 * that, unless the program handles it.
 */
void tr2_hurry_watch_rest(void);

/*
 * Has somebody called? `is_ready` says whether the descriptor is ready; *fd
 * may be another one from now on.
 */
bool tr2_hurry_take(int *fd, bool is_ready);

/* Everything was passed on. */
void tr2_hurry_finish(void);

/* A record is about to be passed on: whoever waits goes on waiting. */
void tr2_hurry_note_record(void);

/* A process that dies from now on waits for tr2_hurry_end(). */
void tr2_hurry_expect_end(void);

/* Call the thread and do not wait for it. Async-signal-safe. */
void tr2_hurry_call(void);

/* The process ends by quick_exit(3). */
void tr2_hurry_quick_exit(void);

#endif
