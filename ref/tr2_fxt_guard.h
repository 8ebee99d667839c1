/*
 * tr2_fxt_guard.h - the host lives, whatever others do to a file that we
 * have mapped.
 *
 * The FXT target maps its file, shared, since that alone keeps each record
 * of a program that is killed without a system call an event. So whoever
 * may write the file may also cut it (`: >t.fxt`, `cp x t.fxt`, logrotate's
 * copytruncate), and the next record that is written behind its new end is
 * a SIGBUS. No check can come before it: the file may be cut between the
 * check and the store. Memory that nobody can cut (a sealed memfd, private
 * pages) does not outlive SIGKILL.
 *
 * So there is a handler for SIGBUS while a file is mapped, and only then.
 * For a fault in the mapping it puts empty memory in place of all that was
 * in use, tells the owner, and returns: the record goes nowhere, and the
 * thread gets on. Every other SIGBUS is the host's: its own handler is
 * called as if it were installed alone, and where there is none the program
 * dies of it at the same instruction.
 *
 * What a host sees:
 *   - sigaction() shows a handler for SIGBUS that is not its own, from
 *     trace2_initialize() on with a FXT target that is a file.
 *   - SIGBUS is unblocked in each thread that traces, by its first record:
 *     a fault that is blocked kills at once.
 *   - A host that installs its own handler later is not protected, and nor
 *     is a thread that blocks SIGBUS again while it traces. They die if the
 *     file is cut, as with any file that is mapped.
 *
 * Each copy of the library in a process has a guard of its own; a later one
 * calls an earlier one as the host's handler. A forked child has its
 * parent's until it forgets the mapping.
 */
#ifndef TR2_FXT_GUARD_H
#define TR2_FXT_GUARD_H

#include <stddef.h>

/*
 * Guard a mapping of which `size` bytes are in use at first. `lost` is
 * called when it was cut, by the thread that found out, in the handler of
 * the signal: once, unless several threads find out at the same time.
 */
void tr2_fxt_guard_begin(void *map, size_t size, void (*lost)(void));

/* So much of it is in use from now on: call it first. Any thread. */
void tr2_fxt_guard_widen(size_t size);

/* Unblock SIGBUS in the calling thread. Async-signal-safe; keeps errno. */
void tr2_fxt_guard_thread(void);

/*
 * There is no mapping any more, or will not be. The host's own handler is
 * back, unless somebody else has installed one since.
 */
void tr2_fxt_guard_end(void);

#endif
