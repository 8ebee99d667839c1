/* sweep.h - what the parts of sweep share. */
#ifndef SWEEP_H
#define SWEEP_H

#include "base/buf.h"

#define SWEEP_TARGETS 3 /* normal, perf, event */

/* What the targets hold after a failure. */
enum sweep_outcome {
	SWEEP_SAME,	  /* all that they hold without it */
	SWEEP_ONE_IS_CUT, /* but for one, from some event on */
	SWEEP_WHOLE,	  /* lines, each of them whole */
	SWEEP_ANYTHING,	  /* the target writes no lines */
};

/* What the world sees of one run. */
struct sweep_seen {
	int status;
	int told; /* did a call fail? */
	struct tr2_buf stream[2];
	struct tr2_buf target[SWEEP_TARGETS];
};

int sweep_is_equal(const struct tr2_buf *one, const struct tr2_buf *other);

/*
 * Are all lines lines of `whole`, in their order, but for what is told?
 * `all`: and none is missing?
 */
int sweep_is_part(const struct tr2_buf *part, const struct tr2_buf *whole,
		  int all);

/* How many processes have written this EVENT. */
int sweep_processes(const struct tr2_buf *event);

/* Is what a run left as `outcome` says, beside one without a failure? */
int sweep_is_as(const struct sweep_seen *seen, const struct sweep_seen *good,
		enum sweep_outcome outcome);

#endif
