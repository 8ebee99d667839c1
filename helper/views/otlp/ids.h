/*
 * ids.h - the ids of traces and spans. Those of processes are the ones that
 * trace2receiver gives them, so that spans of both join:
 *
 *	trace	bytes 0 to 15 of SHA-256 of the SID's first component
 *	span	bytes 16 to 23 of SHA-256 of its last component
 *	parent	the span of the component before
 *
 * Where a component repeats the one before it, as in SIDs of git-repo, the
 * process would be its own parent: both are one span here. A component that
 * repeats an earlier one has the span of the whole SID up to it.
 */
#ifndef TR2_OTLP_IDS_H
#define TR2_OTLP_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TR2_OTLP_TRACE 16
#define TR2_OTLP_SPAN 8

struct tr2_otlp_ids {
	unsigned char trace[TR2_OTLP_TRACE], span[TR2_OTLP_SPAN];
	unsigned char parent[TR2_OTLP_SPAN];
	bool has_parent;
	bool joined; /* a TRACEPARENT gave them */
};

/* The ids of the process with this SID. */
void tr2_otlp_ids_of(struct tr2_otlp_ids *ids, const char *sid, size_t len);

/* The id of the span with this number in the process. */
void tr2_otlp_inner_id(unsigned char *span, const char *sid, size_t len,
		       uint64_t number);

/*
 * The process has this TRACEPARENT: it belongs to the same trace, and below
 * that span if it has no parent of its own. Nothing changes if the text does
 * not have the form of W3C's Trace Context, or is not the first one.
 */
void tr2_otlp_ids_join(struct tr2_otlp_ids *ids, const char *text, size_t len);

#endif
