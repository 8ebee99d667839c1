/*
 * hand_out.h - which client gets which record. Needs the agent's lock.
 */
#ifndef TR2_TRACE_AGENT_HAND_OUT_H
#define TR2_TRACE_AGENT_HAND_OUT_H

#include <stdbool.h>
#include <stdint.h>

struct tr2_agent_client;
struct trace_reader_record;

/* Pass the record to those clients of the list that want it. */
void tr2_hand_out_record(struct tr2_agent_client *clients,
			 const struct trace_reader_record *record);

/* No more records for now; so many were dropped so far. */
void tr2_hand_out_flush(struct tr2_agent_client *clients, uint64_t dropped);

/*
 * Ask for the union of the clients' categories, which is never freed; threads
 * that trace look it up again. 0, ENOMEM, or ENOSPC: they are too many.
 */
int tr2_hand_out_unite(const struct tr2_agent_client *clients);

/* Ask for these, as if they were the union. NULL: there is no client. */
void tr2_hand_out_want(const char *categories);

/* Does a client want any category? */
bool tr2_hand_out_is_wanted(void);

/* Take a client off the list, if it is there. */
void tr2_hand_out_unlink(struct tr2_agent_client **clients,
			 const struct tr2_agent_client *client);

#endif
