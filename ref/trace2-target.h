/*
 * trace2-target.h - a target of the program's own: code that gets every
 * event beside the targets NORMAL, PERF, EVENT, FXT and Chrome.
 *
 *	static int count(void *data, const struct trace2_event *event)
 *	{
 *		...
 *		return 1;
 *	}
 *
 *	static const struct trace2_target counter = { .event = count };
 *
 *	int main(int argc, char **argv)
 *	{
 *		trace2_add_target(&counter, NULL);
 *		trace2_initialize();
 *		...
 *
 * A program that adds a target is traced even if no setting names a
 * destination: trace2_is_enabled() is 1, and children get a session id.
 *
 * These statements apply to every hook:
 *
 * - A hook is called inside a trace call, on the thread that makes the call,
 *   so it should be quick. No lock of the library is held, except the one of
 *   trace2_initialize() during the first events of a process. Several threads
 *   may be inside `event` at the same time: the target protects its own
 *   state.
 * - A trace call inside a hook is dropped and counted. A hook may change
 *   errno. It must return: it must not throw or call exit(3), longjmp(3), fork(2).
 * - What a hook gets is valid only during the hook.
 * - Passwords are replaced already (see trace2.h).
 */
#ifndef TRACE2_TARGET_H
#define TRACE2_TARGET_H

#include <stdint.h>

#include "trace2.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One event. The library fills it in. */
struct trace2_event {
	const char *name;   /* "version", "region_enter", … */
	const char *sid;    /* as JSON escapes it */
	const char *thread; /* "main", "th01:worker" */
	const char *file;   /* NULL: the event has neither file nor line */
	int line;
	int repo;	  /* TRACE2_REPO_NONE, _UNANNOUNCED or a number */
	uint64_t wall_us; /* UTC since the epoch */
	void *event_;	  /* only the library uses these fields */
	void *memory_;
};

enum trace2_field_type {
	TRACE2_FIELD_STRING,  /* text */
	TRACE2_FIELD_STRINGS, /* words */
	TRACE2_FIELD_INT,     /* number */
	TRACE2_FIELD_BOOL,    /* number: 0 or 1 */
	TRACE2_FIELD_SECONDS, /* number, in ns */
	TRACE2_FIELD_JSON     /* text: one JSON value */
};

/* A field of an event, with the key and type that EVENT gives it. */
struct trace2_field {
	const char *key;
	enum trace2_field_type type;
	const char *text;
	const char *const *words; /* ends with NULL */
	int64_t number;
};

/*
 * Set `field` to the field number `index`, from 0, in the order of the EVENT
 * format and without its common keys. Returns 0 if the event has no such
 * field. Fields that this event leaves out are not counted. Call it in an
 * `event` hook.
 */
TRACE2_API int trace2_event_field(const struct trace2_event *event,
				  unsigned index, struct trace2_field *field);

enum trace2_format { TRACE2_NORMAL, TRACE2_PERF, TRACE2_EVENT };

/*
 * Returns the line, LF included, that this target would write without its
 * brief setting, or NULL if it does not show the event or memory fails. EVENT
 * here leaves out no region. The line is valid until the next call in this
 * hook. Call it in `event` or `event_in_signal`.
 */
TRACE2_API const char *trace2_event_line(const struct trace2_event *event,
					 enum trace2_format format);

/* Leave out hooks with NULL, except `event`. */
struct trace2_target {
	/*
	 * An event happened. Returns 1, or 0 if the target lost it, which
	 * trace2_dropped() then counts. The first event is `version`, the last
	 * one `atexit`, or the one that event_in_signal gets.
	 */
	int (*event)(void *data, const struct trace2_event *event);

	/*
	 * The same for `signal`, the last event of a program that dies. Called
	 * in a signal handler: use async-signal-safe functions alone, and wait
	 * for no lock. Without this hook the event counts as dropped.
	 */
	int (*event_in_signal)(void *data, const struct trace2_event *event);

	/*
	 * Around fork(2): `hold` before it; `let_go` after it, in the parent
	 * and in the child. A target with a lock takes and releases it, so
	 * that the child does not find it taken by a thread that it lacks.
	 * The child of a program with threads must only use what is
	 * async-signal-safe, and so must `let_go`.
	 */
	void (*hold)(void *data);
	void (*let_go)(void *data);

	/*
	 * Called in a forked child before its first event, `version`, with
	 * which its own session begins. Returns 1, or 0 if the target is off in
	 * the child. Without this hook it is off: what it has collected belongs
	 * to the parent.
	 */
	int (*forked)(void *data);

	/*
	 * The process exits, and the last event was made. Not called if the
	 * process dies of a signal or calls _exit(2). A thread that the program
	 * left running may still be inside `event`.
	 */
	void (*close)(void *data);

	void (*reserved_[8])(void); /* room for later versions; all NULL */
};

#define TRACE2_TARGETS_MAX 8

/*
 * Add a target. Call it before trace2_initialize(), on the main thread.
 * `target` and `data` must stay valid until the process ends. Returns 1, or
 * 0 if tracing has begun, if there are TRACE2_TARGETS_MAX targets already, or
 * if `target` has no `event`. In a process with privileges of its file it
 * works, too: the program asked, not its environment.
 */
TRACE2_API int trace2_add_target(const struct trace2_target *target,
				 void *data);

#ifdef TRACE2_DISABLE
#define trace2_add_target(target, data) ((void)(target), (void)(data), 0)
#endif

#ifdef __cplusplus
}
#endif
#endif /* TRACE2_TARGET_H */
