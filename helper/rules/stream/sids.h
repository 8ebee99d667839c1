/*
 * sids.h - all sessions so far, with at most 32 bytes each: what must be
 * known about a session after its end.
 */
#ifndef TR2_STREAM_SIDS_H
#define TR2_STREAM_SIDS_H

#include <stdbool.h>

#include "lib/common/hash.h"
#include "lib/common/vec.h"

struct tr2_stream_session;

/*
 * The last bits of the hash are replaced by flags; from the lowest one: the
 * declared EVENT version, or 0; the writer (enum tr2_writer); and the
 * TR2_SID_* below.
 */
struct tr2_sid {
	struct tr2_hash hash;
	union {
		struct tr2_stream_session
			*session; /* valid with TR2_SID_OPEN */
		uint64_t
			names; /* otherwise: as in struct tr2_stream_session, or 0 */
	};
};

#define TR2_SID_EVT_BITS UINT64_C(7)
#define TR2_SID_WRITER_SHIFT 3
#define TR2_SID_WRITER_BITS (UINT64_C(7) << TR2_SID_WRITER_SHIFT)
#define TR2_SID_RIGHT (UINT64_C(1) << 6) /* its text was checked */
#define TR2_SID_ENDED (UINT64_C(1) << 7)
#define TR2_SID_LATE_TOLD (UINT64_C(1) << 8) /* late events were reported */
#define TR2_SID_DAEMON (UINT64_C(1) << 9)    /* a command that forks */
#define TR2_SID_NAMED (UINT64_C(1) << 10)    /* it has a hierarchy of its own */
#define TR2_SID_EARLY (UINT64_C(1) << 11)    /* a child before its hierarchy */
#define TR2_SID_ASTRAY (UINT64_C(1) << 12)   /* its hierarchy is wrong */
#define TR2_SID_OPEN (UINT64_C(1) << 13)     /* it is open */
#define TR2_SID_SEEN (UINT64_C(1) << 14)     /* it has had an event */
#define TR2_SID_TORN (UINT64_C(1) << 15)     /* a line before it is broken */
#define TR2_SID_AT_END /* flags of a process, not of its SID */               \
	(TR2_SID_ENDED | TR2_SID_LATE_TOLD | TR2_SID_DAEMON | TR2_SID_NAMED | \
	 TR2_SID_EARLY | TR2_SID_ASTRAY)
#define TR2_SID_BITS ((UINT64_C(1) << 16) - 1)

/*
 * The SIDs are in chunks, in the order in which they came, and never move.
 * The index contains their numbers, from 1, at places given by their hashes;
 * the remaining bits of an entry hold more of the hash, so that most other
 * SIDs are skipped without being read. The index grows by two fifths. It is
 * freed first and then made again from the chunks: so little memory is
 * unused, and there are never two of them.
 */
struct tr2_sids {
	struct tr2_vec chunks; /* struct tr2_sid * */
	uint32_t *index;
	size_t room;	      /* entries of the index */
	unsigned number_bits; /* bits of the number; others: hash */
	size_t count;	      /* SIDs in the chunks */
	size_t seen;	      /* those of them that had an event */
	/* Most events have the same SID as the event before. */
	char last[256];
	size_t last_len;
	struct tr2_sid *last_sid;
};

/* Returns the hash of a SID, without the flags. */
struct tr2_hash tr2_sids_hash(const char *text, size_t len);

/* Returns the session with this hash, or NULL if there is none. */
struct tr2_sid *tr2_sids_find(const struct tr2_sids *sids,
			      struct tr2_hash hash);

/* Returns the session with this SID, which may be new. */
struct tr2_sid *tr2_sids_add(struct tr2_sids *sids, const char *text,
			     size_t len);

/* The same for the SID of an event. */
struct tr2_sid *tr2_sids_enter(struct tr2_sids *sids, const char *text,
			       size_t len);

static inline unsigned tr2_sid_evt(const struct tr2_sid *sid)
{
	return (unsigned)(sid->hash.b & TR2_SID_EVT_BITS);
}

static inline void tr2_sid_declare(struct tr2_sid *sid, unsigned evt)
{
	sid->hash.b = (sid->hash.b & ~TR2_SID_EVT_BITS) | evt;
}

static inline unsigned tr2_sid_writer(const struct tr2_sid *sid)
{
	return (unsigned)((sid->hash.b & TR2_SID_WRITER_BITS) >>
			  TR2_SID_WRITER_SHIFT);
}

static inline void tr2_sid_set_writer(struct tr2_sid *sid, unsigned writer)
{
	sid->hash.b &= ~TR2_SID_WRITER_BITS;
	sid->hash.b |= (uint64_t)writer << TR2_SID_WRITER_SHIFT;
}

static inline bool tr2_sid_has(const struct tr2_sid *sid, uint64_t bit)
{
	return sid->hash.b & bit;
}

static inline void tr2_sid_set(struct tr2_sid *sid, uint64_t bit)
{
	sid->hash.b |= bit;
}

static inline void tr2_sid_unset(struct tr2_sid *sid, uint64_t bit)
{
	sid->hash.b &= ~bit;
}

void tr2_sids_release(struct tr2_sids *sids);

#endif
