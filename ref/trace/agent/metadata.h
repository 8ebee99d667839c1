/*
 * metadata.h - events that describe the process: the last one of each name is
 * kept for files and clients that begin later, and the agent writes one
 * itself.
 *
 * Needs the agent's lock, except tr2_metadata_write().
 * SPEC: tracing.metadata
 */
#ifndef TR2_TRACE_AGENT_METADATA_H
#define TR2_TRACE_AGENT_METADATA_H

#include "trace/agent/agent.h"

/* More names are passed on, but not kept. */
#define TR2_METADATA_MAX 64

/* Keep a copy of the event, unless there is no memory. */
void tr2_metadata_keep(const struct trace_reader_record *record);

/* Pass all kept events to client->name. */
void tr2_metadata_tell(struct tr2_agent_client *client);
void tr2_metadata_clear(void);

/* In a forked child: as clear, but frees nothing. */
void tr2_metadata_forget(void);

/* Write an event that describes the machine and the library. */
void tr2_metadata_write(void);

#endif
