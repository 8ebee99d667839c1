/*
 * sids.h - all SIDs so far: what must be known about a process after its end.
 */
#ifndef TR2_STREAM_SIDS_H
#define TR2_STREAM_SIDS_H

#include <stdbool.h>

#include "lib/common/hash.h"
#include "lib/common/map.h"

struct tr2_stream_session;

/*
 * A SID is a slot of a map, by its hash. Its `line` has flags; from the lowest
 * one: the declared EVENT version, or 0; the writer (enum tr2_writer); and the
 * TR2_SID_* below. Its `value` is the open session, or what is kept of the
 * names of one that has ended.
 */
#define TR2_SID_EVT_BITS 7UL
#define TR2_SID_WRITER_SHIFT 3
#define TR2_SID_WRITER_BITS (7UL << TR2_SID_WRITER_SHIFT)
#define TR2_SID_RIGHT (1UL << 6) /* its text was checked */
#define TR2_SID_ENDED (1UL << 7)
#define TR2_SID_LATE_TOLD (1UL << 8) /* late events were reported */
#define TR2_SID_DAEMON (1UL << 9)    /* a command that forks */
#define TR2_SID_NAMED (1UL << 10)    /* it has a hierarchy of its own */
#define TR2_SID_EARLY (1UL << 11)    /* a child before its hierarchy */
#define TR2_SID_ASTRAY (1UL << 12)   /* its hierarchy is wrong */
#define TR2_SID_OPEN (1UL << 13)     /* it is open */
#define TR2_SID_SEEN (1UL << 14)     /* it has had an event */
#define TR2_SID_TORN (1UL << 15)     /* a line before it is broken */
#define TR2_SID_AT_END		     /* flags of a process, not of its SID */ \
	(TR2_SID_ENDED | TR2_SID_LATE_TOLD | TR2_SID_DAEMON | TR2_SID_NAMED | \
	 TR2_SID_EARLY | TR2_SID_ASTRAY)

struct tr2_sids {
	struct tr2_map all;
	size_t seen; /* those that had an event */
};

uint64_t tr2_sids_hash(const char *text, size_t len);

/* Returns the SID, which may be new. Valid until the next call. */
struct tr2_map_slot *tr2_sids_add(struct tr2_sids *sids, const char *text,
				  size_t len);

/* The same for the SID of an event. */
struct tr2_map_slot *tr2_sids_enter(struct tr2_sids *sids, const char *text,
				    size_t len);

static inline bool tr2_sid_has(const struct tr2_map_slot *sid,
			       unsigned long bit)
{
	return sid->line & bit;
}

static inline void tr2_sid_set(struct tr2_map_slot *sid, unsigned long bit)
{
	sid->line |= bit;
}

static inline void tr2_sid_unset(struct tr2_map_slot *sid, unsigned long bit)
{
	sid->line &= ~bit;
}

static inline unsigned tr2_sid_evt(const struct tr2_map_slot *sid)
{
	return (unsigned)(sid->line & TR2_SID_EVT_BITS);
}

static inline void tr2_sid_declare(struct tr2_map_slot *sid, unsigned evt)
{
	sid->line = (sid->line & ~TR2_SID_EVT_BITS) | evt;
}

static inline unsigned tr2_sid_writer(const struct tr2_map_slot *sid)
{
	return (unsigned)((sid->line & TR2_SID_WRITER_BITS) >>
			  TR2_SID_WRITER_SHIFT);
}

static inline void tr2_sid_set_writer(struct tr2_map_slot *sid, unsigned writer)
{
	sid->line &= ~TR2_SID_WRITER_BITS;
	sid->line |= (unsigned long)writer << TR2_SID_WRITER_SHIFT;
}

/* Returns the open session, or NULL. */
static inline struct tr2_stream_session *
tr2_sid_session(const struct tr2_map_slot *sid)
{
	return tr2_sid_has(sid, TR2_SID_OPEN)
		       ? (struct tr2_stream_session *)(uintptr_t)sid->value
		       : NULL;
}

static inline void tr2_sid_open(struct tr2_map_slot *sid,
				struct tr2_stream_session *session)
{
	sid->value = (uintptr_t)session;
	tr2_sid_set(sid, TR2_SID_OPEN);
}

#endif
