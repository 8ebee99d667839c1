/*
 * alone.h - what one event shows by itself, and no schema says: two of its
 * values contradict each other, or a number is none that there can be.
 */
#ifndef TR2_RULES_ALONE_H
#define TR2_RULES_ALONE_H

#include "read/record.h"
#include "rules/finding/finding.h"

/* Report it. The event fits its schema. */
void tr2_alone_check(struct tr2_record *record, struct tr2_sink *sink);

#endif
