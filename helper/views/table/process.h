/*
 * process.h - a process while its events come, and when it is part of a row.
 */
#ifndef TR2_TABLE_PROCESS_H
#define TR2_TABLE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "lib/common/vec.h"
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
	/* Numbers of texts; 0: none. */
	uint32_t command, version, repository, caller;
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
	uint32_t name, mode, words; /* numbers of texts */
	struct tr2_vec regions;	    /* struct tr2_flat_region */
	struct tr2_vec children;    /* struct tr2_flat_child */

	/* When it is a row: its times, and what has joined it. */
	int64_t wall, self, waited;
	int64_t joined, joined_failed;
	uint32_t other_error; /* the earliest of those that joined, */
	int64_t other_time;   /* and when that was */
};

struct tr2_flat_process *tr2_flat_process_new(const char *sid, size_t len);
void tr2_flat_process_free(struct tr2_flat_process *process);

/* Append what its row needs, for the same machine. */
void tr2_flat_process_write(struct tr2_buf *out,
			    const struct tr2_flat_process *process);
struct tr2_flat_process *tr2_flat_process_read(const char *bytes);

/* Returns the value of a field; `count` is the number of fields. */
struct tr2_flat_value *tr2_flat_value_at(struct tr2_flat_process *process,
					 size_t field, size_t count);

/* The other process is part of the same row. */
void tr2_flat_process_join(struct tr2_flat_process *process,
			   const struct tr2_flat_process *other);

#endif
