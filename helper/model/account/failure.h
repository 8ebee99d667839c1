/* failure.h - the command that failed last, and what it said. */
#ifndef TR2_ACCOUNT_FAILURE_H
#define TR2_ACCOUNT_FAILURE_H

#include "base/buf.h"
#include "read/record.h"

#define TR2_FAILURE_MESSAGE 200 /* bytes that are kept of a message */

/* What stands for the name of a lock: a ref's, and a ref that another moved. */
#define TR2_LOCK_REF "the lock of a ref"
#define TR2_LOCK_MOVED "a ref that moved meanwhile"

struct tr2_forest;
struct tr2_summary_process;

struct tr2_failure {	 /* Of processes without a parent. */
	uint64_t count;	 /* so many failed; the others are of the last one */
	int64_t end;	 /* when it ended; of one within, as `said` */
	int64_t said;	 /* when it said the message */
	uint64_t key;	 /* the hash of the first part of its SID */
	uint32_t name;	 /* number of its text */
	uint32_t number; /* of its process in the tree */
	bool has_code;
	int64_t code, signal; /* 0: none */
	/*
	 * The first line of its last error, and of what led to it: that of a
	 * process which it ran, or of its own first one; or empty. It ends
	 * with a NUL that is not counted.
	 */
	struct tr2_buf message;
	/* The message and the name are not made yet, but of these: */
	bool is_raw;
	struct tr2_buf line, error, cause; /* as of the process */
};

/* The event is an `error` of the process. */
void tr2_failure_take_error(struct tr2_forest *forest,
			    struct tr2_summary_process *process,
			    struct tr2_record *record);

/* So many others failed; this is the last one of them, and its message. */
void tr2_failure_offer(struct tr2_failure *failure,
		       const struct tr2_failure *other, const char *message);

/* The process has ended, and `end` is known. */
void tr2_failure_note(struct tr2_forest *forest,
		      const struct tr2_summary_process *process);

/* The tree is known: what failed may have its message from within. */
void tr2_failure_settle(struct tr2_forest *forest);

void tr2_failure_release(struct tr2_failure *failure);

#endif
