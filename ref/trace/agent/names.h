/*
 * names.h - what processes and threads are called: a name is told
 * when it is new, and a file that begins later can be told of all.
 *
 * Under the agent's lock.
 */
#ifndef TR2_TRACE_AGENT_NAMES_H
#define TR2_TRACE_AGENT_NAMES_H

#include "trace/agent/agent.h"

/*
 * -1: no name of a process or thread, or the one that it has. 0: another
 * one. Else it is the first name of what has this place, from 1.
 */
int tr2_agent_names_put(const struct trace_reader_record *record);

void tr2_agent_names_tell(struct tr2_agent_client *client);
void tr2_agent_names_clear(void);

#endif
