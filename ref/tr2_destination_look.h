/*
 * tr2_destination_look.h - when to look whether a descriptor is still ours
 * and whether the size of files is limited by now.
 *
 * To look costs two thirds of an event, so it can't be done for each one.
 * It is worth its price where the host may have done something since the
 * last event: where more time passed between two events than twice the
 * least that ever did (TR2_LOOK_QUICK_NS at most), and else after
 * TR2_LOOK_OFTEN_NS. Looks are paid for in time, TR2_LOOK_PRICE_NS each, so
 * that they take less than half a percent of it; TR2_LOOK_CREDIT of them may
 * be owed.
 */
#ifndef TR2_DESTINATION_LOOK_H
#define TR2_DESTINATION_LOOK_H

#include "tr2_destination.h"

#define TR2_LOOK_QUICK_NS 500u
#define TR2_LOOK_OFTEN_NS 100000u
#define TR2_LOOK_PRICE_NS 100000u
#define TR2_LOOK_CREDIT 64u

/* For each event; `now_ns` may go back. Async-signal-safe. */
int tr2_destination_is_due(struct tr2_destination_look *look, uint64_t now_ns);

#endif
