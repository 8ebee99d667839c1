/*
 * agent.h - the agent: a trace manager inside the process that is traced.
 *
 *	program's threads --> engine's buffer --> agent's thread --> clients
 *
 * The agent's thread, which has all signals blocked, reads the records of the
 * program's threads and passes to each client the records that it asked for.
 * The thread begins with the first event.
 * The agent exists only while it has a client, and never in a forked child.
 *
 * While the agent exists, it owns the process's engine. It calls clients and
 * observers and waits until they return; so they must not call the functions
 * of this header, except tr2_agent_tell_names(). If they do, or if a signal
 * handler does that interrupted one of these functions, the call has no effect
 * (EBUSY).
 */
#ifndef TR2_TRACE_AGENT_AGENT_H
#define TR2_TRACE_AGENT_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/reader.h"

/*
 * The client's owner must not change it between tr2_agent_add() and
 * tr2_agent_remove(). Only one thread at a time calls its functions.
 */
struct tr2_agent_client {
	/* a comma list; categories.h says how to name all categories */
	const char *categories;

	/* Receives an event of these categories. */
	void (*event)(struct tr2_agent_client *client,
		      const struct trace_reader_record *record);
	/*
	 * The name of a process or thread, or a metadata event. `place`, if it
	 * is not 0, counts processes and threads: this one is new for the
	 * client.
	 */
	void (*name)(struct tr2_agent_client *client,
		     const struct trace_reader_record *record, int place);
	/* No more records for now; so many were dropped so far. */
	void (*flush)(struct tr2_agent_client *client, uint64_t dropped);
	/*
	 * Whole records that others refer to, or that give names, as they are
	 * in the buffer. May be NULL.
	 */
	void (*definition)(struct tr2_agent_client *client, const void *bytes,
			   size_t len);

	/*
	 * The code that wants to trace: if it is the program's, not a
	 * library's, the agent handles signals that kill the process. NULL:
	 * nobody's code. tr2_agent_user: the user wants it, before the
	 * program's own code runs; then SIGINT is left alone until its first
	 * event: an interpreter that finds it handled does not handle it.
	 */
	const void *caller;

	struct tr2_agent_client *next;
};

extern const char tr2_agent_user;

/*
 * Add a client, which gets the records from now on. 0, or EBUSY (another part
 * of the program has the engine), ENOMEM, EAGAIN (no thread), ENOSPC (too
 * many clients).
 */
int tr2_agent_add(struct tr2_agent_client *client);

/*
 * This client comes before the one that is being added, which is the first:
 * only for the owner of the engine, who gives it up (tr2_trace_set_yield()).
 */
void tr2_agent_add_guest(struct tr2_agent_client *guest);

/*
 * A client of <trace/agent.h> that is not added yet; NULL: no memory. The
 * categories are not copied. trace_agent_remove_client() frees it.
 */
struct trace_agent_consumer;
struct tr2_agent_client *
tr2_agent_make_client(const struct trace_agent_consumer *consumer,
		      const char *categories);

/* Change the categories. The client first gets the records so far. */
int tr2_agent_change(struct tr2_agent_client *client, const char *categories);

/* Remove a client, which first gets the records so far. */
void tr2_agent_remove(struct tr2_agent_client *client);

/* Pass all records so far to all clients, and the number of drops. */
void tr2_agent_flush(void);

/* Does the agent's thread run, or does another thread begin it now? */
bool tr2_agent_has_thread(void);

/*
 * Call this from the handler of a signal that kills the process. It passes on
 * all records and waits for that at most a tenth of a second.
 */
void tr2_agent_hurry(void);

/*
 * Report the names of all processes and threads to client->name, and then all
 * metadata events. A client
 * calls it from its own functions, because a new client is not told
 * automatically.
 */
void tr2_agent_tell_names(struct tr2_agent_client *client);

/* Returns the union of all clients' categories, or NULL if there is none. */
const char *tr2_agent_categories(void);

struct trace_observer;
void tr2_agent_observe(struct trace_observer *observer);
void tr2_agent_unobserve(struct trace_observer *observer);

#endif
