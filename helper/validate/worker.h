/*
 * worker.h - a checker that gets blocks, and finds out what kind of log they
 * belong to.
 */
#ifndef TR2_VALIDATE_WORKER_H
#define TR2_VALIDATE_WORKER_H

#include "read/bytes/block.h"
#include "rules/check/checker.h"
#include "read/fxt_log.h"
#include "validate/options.h"
#include "rules/textlog/textlog.h"

/* The state of a log. Members that are not in use are zero. */
struct tr2_worker_log {
	unsigned long number; /* number of its last line */
	struct tr2_textlog text;
	struct tr2_others others;  /* lines between events */
	struct tr2_others carried; /* lines that a carrier changed */
	bool judged;		   /* consumers examine it, for --for */
	bool in_text;		   /* it is text, and this worker's */
	bool amid;		   /* others came */
	bool bare;		   /* an event had nothing before it */
	struct tr2_fxt_log archive;

	struct tr2_checker_log checked;
};

struct tr2_worker {
	struct tr2_checker checker;
	struct tr2_report report;
	struct tr2_totals totals;
	struct tr2_statistics statistics;
	struct tr2_worker_log *log; /* the present log, */
	struct tr2_worker_log own; /* which is this where one follows another */
	struct tr2_buf plain; /* a line without what a carrier put into it */
	struct tr2_buf mark;  /* what it put before the last line with such */
};

void tr2_worker_init(struct tr2_worker *worker,
		     const struct tr2_options *options);

/* Take a block, which is empty afterwards. */
void tr2_worker_take(struct tr2_worker *worker, struct tr2_block *block);

/* Continue with another log, for logs that arrive side by side. */
void tr2_worker_go_on(struct tr2_worker *worker, struct tr2_worker_log *log);

/* The present log has ended, and no other one has begun. */
void tr2_worker_end_log(struct tr2_worker *worker);

/* There are no more blocks. The findings are kept; the checker is released. */
void tr2_worker_end(struct tr2_worker *worker);

/* Release a worker that has ended. */
void tr2_worker_release(struct tr2_worker *worker);

#endif
