/*
 * chrome.h - the Chrome target: the records of target/fxt.h, written
 * as trace events by the agent of <trace/tracing.h>. The functions are hooks
 * of target/table.h; `own` is not used.
 * SPEC: chapter chrome.*
 */
#ifndef TR2_TARGET_CHROME_H
#define TR2_TARGET_CHROME_H

#include <stdint.h>

struct tr2_target_options;

int tr2_chrome_open(void *own, const struct tr2_target_options *options);
int tr2_chrome_has_too_many_files(void *own);

/* Returns the drops of the engine, and the records that were not written. */
uint64_t tr2_chrome_count_dropped(void *own);

/* Find out how many events can't be written. */
void tr2_chrome_settle(void);

void tr2_chrome_close(void);

/* In a forked child: the file belongs to the parent. */
void tr2_chrome_leave_parent(void *own);

#endif
