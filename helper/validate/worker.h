/*
 * worker.h - one checker, fed with blocks: from what a log begins with to
 * what is said of it.
 */
#ifndef TR2_VALIDATE_WORKER_H
#define TR2_VALIDATE_WORKER_H

#include "validate/block.h"
#include "validate/checker.h"
#include "validate/options.h"
#include "validate/textlog.h"

struct tr2_worker {
	struct tr2_checker checker;
	struct tr2_report report;
	struct tr2_totals totals;
	struct tr2_statistics statistics;
	unsigned long number; /* of the last line of the log at hand */
	struct tr2_textlog text;
	bool in_text; /* the log at hand is one, and is this worker's */
	struct trace_reader *archive; /* the same of an archive, or NULL */
};

void tr2_worker_init(struct tr2_worker *worker,
		     const struct tr2_options *options);

/* Take a block that was prepared: what of it is this worker's. */
void tr2_worker_take(struct tr2_worker *worker, const struct tr2_block *block);

/* No more comes. */
void tr2_worker_end(struct tr2_worker *worker);

/* Give the report, as it is, to another worker; nothing is left. */
void tr2_worker_merge(struct tr2_worker *worker, struct tr2_worker *other);
void tr2_worker_release(struct tr2_worker *worker);

#endif
