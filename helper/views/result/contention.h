/*
 * contention.h - commands that ran at once in one repository: how many, which
 * failed because of a lock, and who likely held it, and which came again and
 * again.
 *
 * A command is a process without a parent; model/totals/notes.h tells which
 * ones are kept.
 */
#ifndef TR2_RESULT_CONTENTION_H
#define TR2_RESULT_CONTENTION_H

#include "views/result/result.h"

struct tr2_contention_lock {
	const char *lock;   /* "index.lock" */
	const char *holder; /* a command, or NULL: none was seen */
	const char *caller; /* of that, or "" */
	uint32_t count;	    /* of commands that failed */
};

struct tr2_contention_repeat {
	const char *command, *caller;
	uint32_t count; /* each began within seconds of the last */
};

struct tr2_contention {
	const char *repository;
	uint32_t commands, peak;
	int64_t elapsed, summed; /* while any ran, and of all of them */
	struct tr2_vec locks;	 /* struct tr2_contention_lock */
	struct tr2_vec repeats;	 /* struct tr2_contention_repeat */
};

typedef void tr2_contention_fn(void *context, const struct tr2_contention *one);

/*
 * Tell of each repository in which three commands or more ran at once, one
 * failed because of a lock, or one came again and again.
 */
void tr2_contention_tell(const struct tr2_forest *forest,
			 tr2_contention_fn *tell, void *context);

/* Write them as lines. */
void tr2_contention_put(struct tr2_buf *out, const struct tr2_forest *forest);

#endif
