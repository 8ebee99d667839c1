/*
 * sids.h - the sessions that were seen, at most 32 bytes each: what has to
 * be known of one when it has ended.
 */
#ifndef TR2_STREAM_SIDS_H
#define TR2_STREAM_SIDS_H

#include <stdbool.h>

#include "common/hash.h"
#include "common/vec.h"

struct tr2_stream_session;

/*
 * The last bits of the hash are not of the hash but say, from below: the
 * EVENT version that was declared, or 0; who wrote it (enum tr2_writer);
 * and the TR2_SID_* that follow.
 */
struct tr2_sid {
	struct tr2_hash hash;
	union {
		struct tr2_stream_session *session; /* with TR2_SID_OPEN */
		uint64_t
			names; /* else: as of struct tr2_stream_session, or 0 */
	};
};

#define TR2_SID_EVT_BITS UINT64_C(7)
#define TR2_SID_WRITER_SHIFT 3
#define TR2_SID_WRITER_BITS (UINT64_C(7) << TR2_SID_WRITER_SHIFT)
#define TR2_SID_RIGHT (UINT64_C(1) << 6) /* its text was checked */
#define TR2_SID_ENDED (UINT64_C(1) << 7)
#define TR2_SID_LATE_TOLD (UINT64_C(1) << 8) /* that it goes on nevertheless */
#define TR2_SID_DAEMON (UINT64_C(1) << 9)    /* a command that forks */
#define TR2_SID_NAMED (UINT64_C(1) << 10)    /* it has a hierarchy of its own */
#define TR2_SID_EARLY (UINT64_C(1) << 11)    /* a child before the first one */
#define TR2_SID_ASTRAY (UINT64_C(1) << 12)   /* its hierarchy is wrong */
#define TR2_SID_OPEN (UINT64_C(1) << 13)     /* its events come */
#define TR2_SID_SEEN (UINT64_C(1) << 14)     /* there was an event of it */
#define TR2_SID_TORN (UINT64_C(1) << 15)     /* before, a broken line */
#define TR2_SID_AT_END /* bits of a process, not of its SID */                \
	(TR2_SID_ENDED | TR2_SID_LATE_TOLD | TR2_SID_DAEMON | TR2_SID_NAMED | \
	 TR2_SID_EARLY | TR2_SID_ASTRAY)
#define TR2_SID_BITS ((UINT64_C(1) << 16) - 1)

/*
 * They lie in chunks, in the order in which they came, and never move. The
 * index has their numbers, from 1, by hash, and in the bits that the largest
 * number leaves more of the hash: so most others are passed over without a
 * look at them. It grows by two fifths, and is
 * made anew from the chunks when the old one is gone: so little memory is
 * idle, and none for a moment is twice there.
 */
struct tr2_sids {
	struct tr2_vec chunks; /* of struct tr2_sid * */
	uint32_t *index;
	size_t room;	      /* of the index */
	unsigned number_bits; /* of what is in it; the others are a hash's */
	size_t count;	      /* of those in the chunks */
	size_t seen;	      /* of these, with an event */
	/* Most events have the SID of the one before. */
	char last[256];
	size_t last_len;
	struct tr2_sid *last_sid;
};

/* What is found for a SID, without the bits. */
struct tr2_hash tr2_sids_hash(const char *text, size_t len);

/* The session of that hash, or NULL if it was not seen. */
struct tr2_sid *tr2_sids_find(const struct tr2_sids *sids,
			      struct tr2_hash hash);

/* The session of that SID, new or known. */
struct tr2_sid *tr2_sids_add(struct tr2_sids *sids, const char *text,
			     size_t len);

/* The same, of an event. */
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
