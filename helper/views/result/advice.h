/*
 * advice.h - the rules of helper/model/account that are worth a word: with at
 * least a fifth of the wall time, and 50 ms.
 */
#ifndef TR2_RESULT_ADVICE_H
#define TR2_RESULT_ADVICE_H

#include "views/result/result.h"

struct tr2_tip {
	const struct tr2_advice *advice;
	const char *what; /* has the time */
	uint64_t count;
	int64_t time, saves; /* microseconds; saves: 0: nobody knows */
};

typedef void tr2_tip_fn(void *context, const struct tr2_tip *tip);

/* Those that save most come first. */
void tr2_tips_tell(const struct tr2_result *result, tr2_tip_fn *tell,
		   void *context);

/* Write them as lines. */
void tr2_advice_put(struct tr2_buf *out, const struct tr2_result *result);

#endif
