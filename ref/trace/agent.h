/*
 * agent.h - the agent: a trace manager inside the process that is traced.
 *
 *	program's threads --> engine's buffer --> agent's thread --> clients
 *
 * It has a thread, with all signals blocked, that reads what the program's
 * threads trace and hands each client the records that it asked for. There
 * is an agent only while there is a client, and none in a forked child.
 *
 * While it is there the engine of the process is the agent's. What a client or
 * an observer is called for is done before anything else goes on, so it
 * must not call what is here, but for tr2_agent_tell_names().
 */
#ifndef TRACE_AGENT_H
#define TRACE_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/reader.h"

/*
 * Of its owner, who leaves it alone between tr2_agent_add() and
 * tr2_agent_remove(). The functions are called by one thread at a time.
 */
struct tr2_agent_client {
	/* A comma list; see categories.h for all. */
	const char *categories;

	/* An event of these categories. */
	void (*event)(struct tr2_agent_client *client,
		      const struct trace_reader_record *record);
	/*
	 * A process or thread has this name now. `place`, if it is not 0,
	 * counts them: it had none before, as far as the client knows.
	 */
	void (*name)(struct tr2_agent_client *client,
		     const struct trace_reader_record *record, int place);
	/* No more for now; so many were dropped until here. */
	void (*flush)(struct tr2_agent_client *client, uint64_t dropped);

	struct tr2_agent_client *next;
};

/*
 * From now on it is given what is traced. 0, or EBUSY (somebody else has
 * the engine), ENOMEM, EAGAIN (no thread), ENOSPC (too many clients).
 */
int tr2_agent_add(struct tr2_agent_client *client);

/* Other categories; what was traced before is handed over before. */
int tr2_agent_change(struct tr2_agent_client *client, const char *categories);

/* What was traced until now is handed over first. */
void tr2_agent_remove(struct tr2_agent_client *client);

/*
 * All clients have what was traced until now, unless a thread won't have
 * it, and know what they lost of it.
 */
void tr2_agent_flush(void);

/*
 * From a signal handler whose process dies of it: have everything handed
 * over, and wait for that, but no longer than a tenth of a second.
 */
void tr2_agent_hurry(void);

/*
 * The names of all processes and threads, by client->name: for a client, in
 * its own functions. A new client is told without.
 */
void tr2_agent_tell_names(struct tr2_agent_client *client);

/* What clients have asked for together, or NULL: nothing. */
const char *tr2_agent_categories(void);

struct trace_observer;
void tr2_agent_observe(struct trace_observer *observer);
void tr2_agent_unobserve(struct trace_observer *observer);

#endif
