/*
 * look.h - when to look whether a descriptor is still ours
 * and whether the size of files is limited by now.
 *
 * To look costs two thirds of an event, so it can't be done for each one.
 * It is worth its price where the host may have done something since the
 * last event: where more time passed between two events than twice the
 * least that ever did (TR2_LOOK_QUICK_NS at most), and after
 * TR2_LOOK_OFTEN_NS in any case. Late events pay for their looks in time,
 * TR2_LOOK_PRICE_NS each, so that all looks take less than one percent of
 * it; TR2_LOOK_CREDIT of them may be owed. So a host that has used up its
 * credit may write to a lost descriptor for TR2_LOOK_OFTEN_NS at most.
 */
#ifndef TR2_DESTINATION_LOOK_H
#define TR2_DESTINATION_LOOK_H

#include "destination/destination.h"

#define TR2_LOOK_QUICK_NS 500u
#define TR2_LOOK_OFTEN_NS 100000u
#define TR2_LOOK_PRICE_NS 100000u
#define TR2_LOOK_CREDIT 1024u

/* For each event; `now_ns` may go back. Async-signal-safe. */
int tr2_destination_is_due(struct tr2_destination_look *look, uint64_t now_ns);

#endif
