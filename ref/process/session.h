/*
 * session.h - who this process is: session id, depth, hierarchy.
 * SPEC: chapter session.*
 */
#ifndef TR2_PROCESS_SESSION_H
#define TR2_PROCESS_SESSION_H

#include <stddef.h>

/*
 * Longer texts are neither taken from the environment nor put there, so
 * that with 43 bytes a level no variable ever becomes too long for exec.
 */
#define TR2_SESSION_MOST ((size_t)65536)

struct tr2_session {
	/* Constant from begin on; a forked child begins another one. */
	char *sid;
	const char *component; /* the last part of sid: this process */
	char *sid_json;	       /* sid, escaped for JSON */
	size_t sid_json_len;
	unsigned depth; /* how many `/` in sid */

	/* Grows with each name; under the lock `threads`. */
	char *hierarchy; /* or NULL */

	/* Texts that were replaced but may still be read. */
	char **old;
	size_t old_count;
	size_t old_room;
};

/*
 * Make a session id below `parent_sid` (NULL or "": at the top), from the
 * clock, the host name and the pid. `parent_name` is where the hierarchy
 * starts. Both are taken byte for byte, unless they are too long, and may be
 * the session's own. 0, or -1 where memory fails; then the session stays as
 * it was.
 */
int tr2_session_begin(struct tr2_session *session, const char *parent_sid,
		      const char *parent_name);

/*
 * Append a command's name to the hierarchy. Earlier texts stay valid. The
 * new hierarchy, or `name` where memory fails.
 */
const char *tr2_session_name(struct tr2_session *session, const char *name);

#endif
