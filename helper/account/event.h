/* event.h - what an event does to its process. */
#ifndef TR2_ACCOUNT_EVENT_H
#define TR2_ACCOUNT_EVENT_H

#include "account/forest.h"

struct tr2_record;

/* A tr2_checker_fn, for struct tr2_forest. */
void tr2_summary_event(void *forest, struct tr2_record *record);

#endif
