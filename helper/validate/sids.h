/*
 * sids.h - the sessions that were seen, 16 bytes each, and the EVENT
 * version that each one's `version` event declared.
 */
#ifndef TR2_VALIDATE_SIDS_H
#define TR2_VALIDATE_SIDS_H

#include "validate/hash.h"

/* A hash of the SID, whose last bits are the declared version or 0. */
struct tr2_sid {
	struct tr2_hash hash;
};

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

#define TR2_SID_EVT_BITS UINT64_C(7)

static inline unsigned tr2_sid_evt(const struct tr2_sid *sid)
{
	return (unsigned)(sid->hash.b & TR2_SID_EVT_BITS);
}

static inline void tr2_sid_declare(struct tr2_sid *sid, unsigned evt)
{
	sid->hash.b = (sid->hash.b & ~TR2_SID_EVT_BITS) | evt;
}

void tr2_sids_release(struct tr2_sids *sids);

#endif
