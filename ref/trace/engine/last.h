/*
 * last.h - a process whose own threads have all ended.
 *
 * The system ends a process when its last thread ends, as exit(0) does. The
 * library's own threads must not prevent that, so they look now and then
 * whether they are alone, and then call exit(0). They look only after the end
 * of the first thread, or of a thread that traced while nobody watches the
 * first one: the system tells by a file, which a sandbox may forbid.
 */
#ifndef TR2_TRACE_ENGINE_LAST_H
#define TR2_TRACE_ENGINE_LAST_H

/* The calling thread begins to trace: its end counts from now on. */
void tr2_last_watch(void);

/* The calling thread is about to end. Keeps errno; allocates nothing. */
void tr2_last_note_end(void);

/*
 * A thread of the library's own exists, and is about to be stopped. Its
 * creator and its destroyer call these.
 */
void tr2_last_add_helper(void);
void tr2_last_remove_helper(void);

/*
 * Such a thread has waited for so long, and nothing has happened. Without a
 * thread of the program's, the call ends the process: the caller holds no lock.
 * 1: the first thread has ended, and nothing tells of others. Then the caller
 * ends its own thread, so that the system ends the process with the last one.
 * `finish` is called before an end without exit functions, which another copy
 * of the library may bring; may be NULL.
 */
int tr2_last_look(int waited_ms, void (*finish)(void));

/*
 * Such a thread ends, and holds no lock: from now on the program's signal
 * handlers may run in it, and its exit functions, if it is the last one.
 */
void tr2_last_leave(void);

#endif
