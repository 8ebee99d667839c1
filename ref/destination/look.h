/*
 * look.h - when to check whether a descriptor is still ours, and whether the
 * size of files is limited by now.
 *
 * Such a look costs two thirds of an event, so it can't be made for each one.
 * It is worth its price if the host may have done something since the last
 * event. Therefore a look is due if the gap between two events is more than
 * twice the shortest gap so far (which counts as TR2_LOOK_QUICK_NS at most),
 * and always after TR2_LOOK_OFTEN_NS. Gaps pay for looks, TR2_LOOK_PRICE_NS
 * each, so that all looks together take less than one percent of the time; up
 * to TR2_LOOK_CREDIT looks may be owed. A host that has used up its credit
 * may therefore write to a lost descriptor for TR2_LOOK_OFTEN_NS at most.
 *
 * Each thread looks for itself: it may have descriptors of its own
 * (unshare(2) with CLONE_FILES), and gaps between the events of several
 * threads tell nothing of any of them.
 */
#ifndef TR2_DESTINATION_LOOK_H
#define TR2_DESTINATION_LOOK_H

#include "destination/destination.h"

#define TR2_LOOK_QUICK_NS 500u
#define TR2_LOOK_OFTEN_NS 100000u
#define TR2_LOOK_PRICE_NS 100000u
#define TR2_LOOK_CREDIT 1024u

/* Call it for each event at `seen->now_ns`, which may go back. */
int tr2_destination_is_due(struct tr2_destination_look *look,
			   struct tr2_destination_seen *seen);

#endif
