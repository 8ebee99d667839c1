/*
 * names.h - the names of processes and threads: a name is reported when it is
 * new, and all names can be reported to a file that begins later.
 *
 * Needs the agent's lock.
 */
#ifndef TR2_TRACE_AGENT_NAMES_H
#define TR2_TRACE_AGENT_NAMES_H

#include "trace/agent/agent.h"

/* More are not kept: a newer name takes the place of the oldest. */
#define TR2_AGENT_NAMES_MAX ((size_t)4096)

/*
 * -1: the record has no name of a process or thread, or the name is known. 0:
 * the process or thread has another name now. Otherwise it is new, and this
 * is its place, from 1.
 */
int tr2_agent_names_put(const struct trace_reader_record *record);

void tr2_agent_names_tell(struct tr2_agent_client *client);
void tr2_agent_names_clear(void);

/* In a forked child: as clear, but frees nothing. */
void tr2_agent_names_forget(void);

#endif
