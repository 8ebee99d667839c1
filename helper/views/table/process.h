/*
 * process.h - a process while its events come, and when it is part of a row.
 */
#ifndef TR2_TABLE_PROCESS_H
#define TR2_TABLE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "lib/common/vec.h"
#include "lib/files/spill.h"
#include "model/account/forest.h"
#include "model/timeline.h"

struct tr2_flat_value { /* Of a field that --select adds. */
	int64_t number;
	struct tr2_buf text; /* elements of a JSON array */
};

struct tr2_flat_region { /* An open region, at its place in the timeline. */
	int64_t inner;	 /* time of the regions directly inside */
	int64_t repo, nesting;
	uint32_t category, label; /* numbers of texts */
	bool has_repo, has_nesting, has_category, has_label, has_msg;
	uint32_t msg_len;
	char *msg; /* NULL: it is empty */
};

struct tr2_flat_child { /* A child that runs: numbers of texts; 0: none. */
	uint32_t child_class, hook, cd, argv;
};

struct tr2_flat_facts { /* What a process has beside texts. */
	int64_t start;
	struct tr2_process_names names;
	/* Numbers of texts; 0: none. */
	uint32_t command;
	uint32_t host_name, user, attributes;
	uint32_t error; /* its first one, */
	int64_t error_time;
	int64_t errors;
	/* When it has ended: */
	int64_t code;
	bool has_code, is_signal, failed, unfinished;
};

struct tr2_flat_process {
	struct tr2_flat_facts facts;
	struct tr2_buf sid;
	struct tr2_buf argv;   /* empty: none */
	struct tr2_vec values; /* struct tr2_flat_value; empty: all 0 */

	/* While its events come: */
	struct tr2_vec regions;	 /* struct tr2_flat_region */
	struct tr2_vec children; /* struct tr2_flat_child */

	/* When it is a row: its times, and what has joined it. */
	int64_t wall, self, waited;
	int64_t joined, joined_failed;
	uint32_t other_error; /* the earliest of those that joined, */
	int64_t other_time;   /* and when that was */
};

struct tr2_flat_process *tr2_flat_process_new(const char *sid, size_t len);
void tr2_flat_process_free(struct tr2_flat_process *process);

/* Returns the value of a field; `count` is the number of fields. */
struct tr2_flat_value *tr2_flat_value_at(struct tr2_flat_process *process,
					 size_t field, size_t count);

/*
 * Which processes are one row: one that began in no other process of the logs,
 * and all those below it.
 *
 * Which these are is known when the input has ended, as any log may come last.
 * Until then a process that has ended is a text, which need not be in memory.
 */

/* Takes a process that is a row. */
typedef void tr2_flat_row_fn(void *context,
			     const struct tr2_flat_process *process);

struct tr2_flat_join {
	struct tr2_spill texts; /* of processes */
	struct tr2_vec places;	/* uint64_t: where each begins, by number */
	/* The present row: */
	struct tr2_resolved root;
	struct tr2_vec below; /* uint32_t: numbers of processes */
	bool has_root;
	bool failed; /* a text could not be read */
	tr2_flat_row_fn *put;
	void *context;
};

/* The process has ended. They come in the order of their numbers. */
void tr2_flat_join_keep(struct tr2_flat_join *join,
			const struct tr2_flat_process *process);

/* The next process: a root, or one below the last root. */
void tr2_flat_join_take(struct tr2_flat_join *join,
			const struct tr2_resolved *resolved);

/* There are no more. */
void tr2_flat_join_end(struct tr2_flat_join *join);

void tr2_flat_join_release(struct tr2_flat_join *join);

#endif
