/*
 * death.h - signals that end the process: parts of the library that want to
 * write something first share one handler.
 *
 * The handler is installed for SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE,
 * where the host left them at their default action, as long as a part
 * watches them. It calls the parts in the order of enum tr2_death_part,
 * restores the default action, and raises the signal again.
 *
 * Threads: any, but one thread at a time for the same part. Keeps errno.
 * SPEC: chapter signal.*
 */
#ifndef TR2_ENDING_DEATH_H
#define TR2_ENDING_DEATH_H

#include <signal.h>

enum tr2_death_part {
	TR2_DEATH_PROCESS, /* writes the `signal` event */
	TR2_DEATH_AGENT,   /* passes on what was traced, also that event */
	TR2_DEATH_PARTS
};

/* What a part does. Both are called in the handler: async-signal-safe. */
struct tr2_death {
	int (*before)(int signo);
	/*
	 * The process lives on, as under a debugger that keeps the signal.
	 * `result` is what `before` returned. May be NULL.
	 */
	void (*after)(int result);
};

/* From now on the handler, if there is one, calls this part. */
void tr2_death_join(enum tr2_death_part part, const struct tr2_death *death);

/*
 * Install the handler for this part, unless signals are left alone. The first
 * process of a container, with pid 1, dies of none of them: only its forked
 * children get the handler.
 */
void tr2_death_watch(enum tr2_death_part part);

/*
 * The same before the program's own code runs, but not for SIGINT: an
 * interpreter that finds SIGINT handled does not handle it itself.
 */
void tr2_death_watch_early(enum tr2_death_part part);

/*
 * Leave SIGINT to the host from now on. The caller is a library, which may
 * trace before main(), and the host has not asked for a handler.
 */
void tr2_death_spare_interrupt(void);

/*
 * The handler does not call this part any more. If no part watches signals,
 * they get their default action back, unless the handler is not ours.
 */
void tr2_death_quit(enum tr2_death_part part);

/* From now on leave signals alone. Restores the default action, as above. */
void tr2_death_leave(void);
int tr2_death_is_left(void);

/* In a child: it may be the first process of a container, or its child. */
void tr2_death_fork_child(void);

/*
 * May the calling thread be in a signal handler? If so, one of the signals
 * that it blocks has a handler (unless that one was installed with
 * SA_NODEFER). Async-signal-safe; keeps errno.
 */
int tr2_death_may_be_in_handler(void);

/*
 * Hold back these signals on the calling thread, while it has a lock that a
 * part waits for; and let them in again.
 */
void tr2_death_hold(sigset_t *before);
void tr2_death_let_go(const sigset_t *before);

#endif
