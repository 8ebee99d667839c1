/* doubt.h - what a log can't decide, and why. */
#ifndef TR2_EXPECT_DOUBT_H
#define TR2_EXPECT_DOUBT_H

#include "views/expect/judge.h"

/*
 * May there be more of what the assertion is about than the logs show? Then
 * the reason is a line of `why`: a part can't be read, a process has no end,
 * its format or its nesting leaves something out.
 */
bool tr2_expect_may_be_more(const struct tr2_expect_judge *judge,
			    const struct tr2_assertion *assertion,
			    struct tr2_buf *why);

/* Is the assertion about this process? */
bool tr2_expect_is_in_scope(const struct tr2_expect_log *log,
			    const struct tr2_assertion *assertion,
			    const struct tr2_expect_process *process);

/* Put FILE:LINE. */
void tr2_expect_put_place(struct tr2_buf *out, const struct tr2_expect_log *log,
			  const struct tr2_expect_place *place);

/* Put a line with the reason, and a place unless it is NULL. Returns true. */
bool tr2_expect_say_doubt(struct tr2_buf *why, const struct tr2_expect_log *log,
			  const char *what,
			  const struct tr2_expect_place *place);

#endif
