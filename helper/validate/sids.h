/*
 * sids.h - the sessions that were seen, 16 bytes each, and the EVENT
 * version that each one's `version` event declared.
 */
#ifndef TR2_VALIDATE_SIDS_H
#define TR2_VALIDATE_SIDS_H

#include "validate/hash.h"

/*
 * A hash of the SID. Its last bits are not of the hash: the version that
 * was declared, or 0, and whether the SID's text was seen to be right.
 */
struct tr2_sid {
	struct tr2_hash hash;
};

#define TR2_SID_EVT_BITS UINT64_C(7)
#define TR2_SID_RIGHT UINT64_C(8)
#define TR2_SID_BITS (TR2_SID_EVT_BITS | TR2_SID_RIGHT)

struct tr2_sids {
	struct tr2_sid *slots;
	size_t room; /* a power of two, or 0 */
	size_t count;
	/* Most events have the SID of the one before. */
	char last[256];
	size_t last_len;
	size_t last_slot;
};

#define TR2_SIDS_INIT                   \
	{                               \
		NULL, 0, 0, { 0 }, 0, 0 \
	}

/* The session of that SID, new or known. Valid until the next call. */
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

static inline int tr2_sid_is_right(const struct tr2_sid *sid)
{
	return !!(sid->hash.b & TR2_SID_RIGHT);
}

static inline void tr2_sid_set_right(struct tr2_sid *sid)
{
	sid->hash.b |= TR2_SID_RIGHT;
}

void tr2_sids_release(struct tr2_sids *sids);

#endif
