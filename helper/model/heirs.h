/*
 * heirs.h - processes whose parent executed them: the parent ends with its
 * heir, though the heir's log may be read first.
 *
 * A view that lets go of a process when it has ended offers it here. Where its
 * parent has not been seen, or may have an exec that is not known yet, some 50
 * bytes are kept of it.
 */
#ifndef TR2_MODEL_HEIRS_H
#define TR2_MODEL_HEIRS_H

#include "lib/common/map.h"
#include "model/timeline.h"

struct tr2_heirs {	       /* May be all 0. */
	struct tr2_map places; /* from the hash of the parent's SID, from 1 */
	struct tr2_vec kept;   /* struct tr2_heir_kept */
};

/* This process has ended. `parent` is NULL: it is not there, or not yet. */
void tr2_heirs_offer(struct tr2_heirs *heirs, uint64_t parent_sid,
		     struct tr2_timeline *parent,
		     const struct tr2_timeline *child, bool has_pid);

/* The process ends: so it may with one that was offered before. */
void tr2_heirs_take(const struct tr2_heirs *heirs, uint64_t sid,
		    struct tr2_timeline *process);

void tr2_heirs_release(struct tr2_heirs *heirs);

#endif
