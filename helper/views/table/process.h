/*
 * process.h - a process while its events come, and until it is part of a row.
 */
#ifndef TR2_TABLE_PROCESS_H
#define TR2_TABLE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "lib/common/slots.h"
#include "lib/common/vec.h"
#include "model/timeline.h"

struct tr2_flat_value { /* Of a field that --select adds. */
	int64_t number;
	struct tr2_buf text; /* elements of a JSON array */
};

struct tr2_flat_region { /* An open region, at its place in the timeline. */
	int64_t inner;	 /* time of the regions directly inside */
	bool has_repo, has_nesting;
	int64_t repo, nesting;
	struct tr2_buf texts; /* those below, one after the other */
	struct tr2_flat_region_text {
		bool present;
		size_t len;
	} category, label, msg;
};

struct tr2_flat_process {
	uint64_t key; /* hash of its SID */
	uint64_t parent;
	bool has_parent;
	bool seen;  /* it had an event, not only its children */
	bool timed; /* wall, self and waited are known */
	char *sid;  /* NULL: not seen */
	size_t sid_len, session_len;
	uint32_t pid; /* 0: unknown */
	int64_t start, wall, self, waited;

	/* Numbers of texts; 0: none. */
	uint32_t name, mode, words, command, version, repository, caller;
	struct tr2_buf argv; /* empty: none */

	/* What the row is about: this process, and those that joined it. */
	int64_t joined, joined_failed, errors;
	uint32_t error;	       /* its own first one, or else */
	uint32_t other_error;  /* the earliest of those that joined, */
	int64_t other_time;    /* and when that was */
	int64_t error_time;    /* of its own */
	struct tr2_vec values; /* struct tr2_flat_value; empty: all 0 */

	struct tr2_timeline timeline;
	struct tr2_vec regions; /* struct tr2_flat_region */

	/*
	 * Its children: those without an end by their number, those without a
	 * log by their pid, and the pids of those without an end.
	 */
	struct tr2_slots running, awaited, met;
	uint32_t running_count, awaited_count;
	uint32_t inside; /* children whose logs are not joined yet */
};

struct tr2_flat_process *tr2_flat_process_new(uint64_t key);
void tr2_flat_process_free(struct tr2_flat_process *process);

/* Returns the value of a field; `count` is the number of fields. */
struct tr2_flat_value *tr2_flat_value_at(struct tr2_flat_process *process,
					 size_t field, size_t count);

/* The child process is part of the same row. */
void tr2_flat_process_join(struct tr2_flat_process *process,
			   const struct tr2_flat_process *child);

/* A child has begun, has ended, or had its first event. */
void tr2_flat_child_begin(struct tr2_flat_process *process, int64_t id);
void tr2_flat_child_end(struct tr2_flat_process *process, int64_t id,
			int64_t pid);
void tr2_flat_child_meet(struct tr2_flat_process *process, uint32_t pid);

#endif
