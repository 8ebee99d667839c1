/*
 * added.h - targets of the program's own (trace2-target.h). All of them are
 * one row of the table. The functions are hooks of target/table.h.
 */
#ifndef TR2_TARGET_ADDED_H
#define TR2_TARGET_ADDED_H

#include <stdint.h>

#include "target/target.h"

/* 1: the program has added a target. From now on it can add none. */
int tr2_added_end(void);

int tr2_added_open(void *own, const struct tr2_target_options *options);
int tr2_added_event(void *own, struct tr2_event *event,
		    struct tr2_target_memory *memory);
int tr2_added_event_in_signal(void *own, struct tr2_event *event,
			      struct tr2_target_memory *memory);
int tr2_added_has_too_many_files(void *own);
uint64_t tr2_added_count_dropped(void *own);
void tr2_added_hold(void *own);
void tr2_added_let_go(void *own);
int tr2_added_reopen(void *own, const struct tr2_target_options *options);
void tr2_added_close(void);

#endif
