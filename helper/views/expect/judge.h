/* judge.h - does an assertion hold? */
#ifndef TR2_EXPECT_JUDGE_H
#define TR2_EXPECT_JUDGE_H

#include "views/expect/fact.h"

enum tr2_verdict { TR2_HOLDS, TR2_FAILS, TR2_UNDECIDED };

struct tr2_outcome {
	const struct tr2_assertion *assertion;
	enum tr2_verdict verdict;
	struct tr2_buf why; /* lines: what was found, or why it is undecided */
};

struct tr2_expect_judge {
	const struct tr2_expect_log *log;
	bool whole;	  /* logs without an end are complete */
	unsigned nesting; /* the limit that EVENT logs were written with */
};

/* Release `why` afterwards. */
void tr2_assertion_judge(const struct tr2_expect_judge *judge,
			 const struct tr2_assertion *assertion,
			 struct tr2_outcome *outcome);

/* What a log can't decide, and why. */

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

/* The formats of outcomes; a format is a number of this list. */
extern const char *const tr2_expect_formats[];

void tr2_expect_say(struct tr2_buf *out, unsigned format,
		    const struct tr2_outcome *outcomes, size_t count);

/* list.c: assertions that hold now, one a line. */
void tr2_expect_list(struct tr2_buf *out, const struct tr2_expect_judge *judge);

#endif
