/*
 * session.h - the identity of this process: session id, depth, hierarchy.
 *
 * This room holds what the library knows about its process and its threads,
 * without the calls that change it: who the process is (session.h) and who
 * started it (ancestry.h), what each thread is doing (thread.h), and what was
 * counted and timed (metric.h). Only ref/process uses it. Nothing here writes
 * an event or takes a lock.
 *
 * SPEC: chapter session.*
 */
#ifndef TR2_SESSION_SESSION_H
#define TR2_SESSION_SESSION_H

#include <stddef.h>

/*
 * Longer texts are neither read from the environment nor exported, so that
 * with 43 bytes for each level no variable gets too long for exec.
 */
#define TR2_SESSION_MOST ((size_t)65536)

/*
 * A process that sets its name again and again begins a new hierarchy when it
 * has more bytes than this.
 */
#define TR2_SESSION_HIERARCHY ((size_t)1024)

/*
 * The C library never gives back what a variable had before, so a process
 * exports so many bytes of hierarchies.
 */
#define TR2_SESSION_EXPORTS ((size_t)4 << 20)

struct tr2_buf;

struct tr2_session {
	/* Constant after begin; a forked child begins another session. */
	char *sid;
	const char *component; /* the last part of sid, for this process */
	char *sid_json;	       /* sid, escaped for JSON; may be sid itself */
	size_t sid_json_len;
	unsigned depth; /* number of `/` in sid */

	/* Grows with each name; the lock `threads` protects it. */
	char *hierarchy; /* or NULL */
	int is_named;	 /* the hierarchy has a name of this process */

	/* Texts that were replaced; other threads may still read them. */
	char **old;
	size_t old_count;
	size_t old_room;
};

/*
 * Make a session id below `parent_sid` (NULL or "": at the top) from the
 * clock, the host name and the pid. The hierarchy starts with `parent_name`.
 * Both are used unchanged unless they are too long, and may be the session's
 * own texts. 0, or -1 if memory fails; then the session does not change.
 */
int tr2_session_begin(struct tr2_session *session, const char *parent_sid,
		      const char *parent_name);

/*
 * Append a command's name to the hierarchy, of which only the last one is
 * kept. Returns a copy of it in `out`, or `name` if memory fails.
 */
const char *tr2_session_name(struct tr2_session *session, const char *name,
			     struct tr2_buf *out);

#endif
