/*
 * profile.h - EVENT logs as stacks of owners, for viewers of profiles: folded
 * stacks for flamegraph.pl, and speedscope's JSON.
 *
 * Each microsecond belongs to one stack: the processes, regions and children
 * that were open, outermost first (see helper/model/account). So the numbers
 * add up to the time of the root processes.
 */
#ifndef TR2_CONVERT_PROFILE_H
#define TR2_CONVERT_PROFILE_H

#include "model/account/forest.h"
#include "read/read.h"

struct tr2_profile {
	struct tr2_forest forest;
	struct tr2_frames frames;
	uint64_t timeless; /* processes that no stack has, at the end */
};

/* The reader gives its events to the profile. */
void tr2_profile_begin(struct tr2_profile *profile, struct tr2_reader *reader);

/* There are no more events: tell what no stack has. False: there is none. */
bool tr2_profile_end(struct tr2_profile *profile);

/*
 * A line for each stack: its frames with `;` between them, a blank and
 * microseconds.
 */
void tr2_profile_folded(const struct tr2_profile *profile, struct tr2_buf *out);

/* A profile for each root, with its stacks in the order of time. */
void tr2_profile_speedscope(const struct tr2_profile *profile,
			    struct tr2_buf *out);

/* Returns how many spans and events the result can't show. */
uint64_t tr2_profile_lost(const struct tr2_profile *profile);

void tr2_profile_release(struct tr2_profile *profile);

#endif
