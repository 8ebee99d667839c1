/*
 * chrome.h - the Chrome target: the records of target/fxt.c, written
 * as trace events by the agent of <trace/tracing.h>.
 * SPEC: chapter chrome.*
 */
#ifndef TR2_TARGET_CHROME_H
#define TR2_TARGET_CHROME_H

#include <stdint.h>

struct tr2_target_place;
struct tr2_settings;

/*
 * As tr2_fxt_open(), for its own setting. *too_many_files says whether the
 * file is the sentinel of a full directory.
 */
int tr2_fxt_chrome_open(const struct tr2_settings *settings,
			const struct tr2_target_place *place,
			int *too_many_files);

int tr2_fxt_chrome_is_on(void);

/* Events that were recorded and could not be written. */
uint64_t tr2_fxt_chrome_lost(void);

void tr2_fxt_chrome_close(void);

/* In a forked child: the file is the parent's. */
void tr2_fxt_chrome_fork_child(void);

#endif
