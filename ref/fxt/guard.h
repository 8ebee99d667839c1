/*
 * guard.h - keep the host alive, whatever other programs do to a file
 * that is mapped.
 *
 * The FXT target maps its file shared, because only this keeps each record of
 * a program that is killed, without a system call for each event. But every
 * program that may write the file may also truncate it (`: >t.fxt`, `cp x
 * t.fxt`, logrotate's copytruncate), and then the next record after the new
 * end causes a SIGBUS. No check can prevent this: the file may be cut between
 * the check and the store. Memory that nobody can cut (a sealed memfd,
 * private pages) does not survive SIGKILL.
 *
 * So there is a handler for SIGBUS, but only while a file is mapped. After a
 * fault in the mapping it replaces the used part by empty memory, informs the
 * owner, and returns: the record is lost, and the thread goes on. Every other
 * SIGBUS belongs to the host: its own handler is called as if it were
 * installed alone; without one the program dies at the same instruction.
 *
 * The host can notice this:
 *
 * - From trace2_initialize() on, with a FXT target that is a file,
 *   sigaction() shows a handler for SIGBUS that is not the host's own.
 * - Each thread's first record unblocks SIGBUS in this thread: a fault
 *   that is blocked kills at once.
 * - A host that installs its own handler later is not protected, nor is a
 *   thread that blocks SIGBUS again while it traces. They die if the file
 *   is cut, as with any mapped file.
 *
 * Each copy of the library in a process has a guard of its own; a later one
 * calls an earlier one as the host's handler. A forked child has its parent's
 * guard until it gives up the mapping.
 */
#ifndef TR2_FXT_GUARD_H
#define TR2_FXT_GUARD_H

#include <stddef.h>

/*
 * Guard a mapping of which `size` bytes are in use at first. `lost` is called
 * when it was cut, in the signal handler of the thread that noticed: once, or
 * more often if several threads notice at the same time.
 */
void tr2_fxt_guard_begin(void *map, size_t size, void (*lost)(void));

/*
 * Guard one more mapping, as a whole. `which` counts from 1, and may be added
 * again. Call this before using it. Any thread.
 */
void tr2_fxt_guard_add(size_t which, void *map, size_t size);

/* The most mappings at a time. */
#define TR2_FXT_GUARDED 64

/*
 * So much of the first mapping is in use from now on; call this before using
 * it. Any thread.
 */
void tr2_fxt_guard_widen(size_t size);

/* Unblock SIGBUS in the calling thread. Async-signal-safe; keeps errno. */
void tr2_fxt_guard_thread(void);

/*
 * There is no mapping any more, or never will be. Restores the host's own
 * handler, unless another one was installed meanwhile.
 */
void tr2_fxt_guard_end(void);

#endif
