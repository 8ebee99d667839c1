/*
 * worker.h - one checker, fed with blocks: from what a log begins with to
 * what is said of it.
 */
#ifndef TR2_VALIDATE_WORKER_H
#define TR2_VALIDATE_WORKER_H

#include "log/block.h"
#include "validate/checker.h"
#include "validate/options.h"
#include "textlog/textlog.h"

/* How far a log is. What is not in use is all zeros. */
struct tr2_worker_log {
	unsigned long number; /* of its last line */
	struct tr2_textlog text;
	bool judged;		      /* by programs, for --for */
	bool in_text;		      /* it is one, and is this worker's */
	struct trace_reader *archive; /* the same of an archive, or NULL */

	/* What the checker knows of it, when it is at another one. */
	struct tr2_checker_log checked;
};

struct tr2_worker {
	struct tr2_checker checker;
	struct tr2_report report;
	struct tr2_totals totals;
	struct tr2_statistics statistics;
	struct tr2_worker_log log; /* the one at hand */
};

void tr2_worker_init(struct tr2_worker *worker,
		     const struct tr2_options *options);

/* Take a block that was prepared: what of it is this worker's. */
void tr2_worker_take(struct tr2_worker *worker, const struct tr2_block *block);

/*
 * Put the log at hand aside, or go on with one that was: for logs that
 * come side by side, to one worker.
 */
void tr2_worker_put_aside(struct tr2_worker *worker,
			  struct tr2_worker_log *log);
void tr2_worker_go_on(struct tr2_worker *worker, struct tr2_worker_log *log);

/* The log at hand has ended, and no other one has begun. */
void tr2_worker_end_log(struct tr2_worker *worker);

/* No more comes. What was said stays; the checker is released. */
void tr2_worker_end(struct tr2_worker *worker);

/* Give the report to another worker. Both have ended; nothing is left. */
void tr2_worker_merge(struct tr2_worker *worker, struct tr2_worker *other);

/* Of a worker that has ended. */
void tr2_worker_release(struct tr2_worker *worker);

#endif
