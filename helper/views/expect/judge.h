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

#endif
