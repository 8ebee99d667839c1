/* name.h - what commands, children, callers and groups are called. */
#ifndef TR2_ACCOUNT_NAME_H
#define TR2_ACCOUNT_NAME_H

#include "read/record.h"
#include "model/account/forest.h"
#include "model/words/words.h"

/* Take what the event says; cmd_ancestry counts more than data. */
void tr2_name_take(struct tr2_process_names *names, struct tr2_rows *rows,
		   struct tr2_record *record);

/* All of these return numbers of texts. */

/*
 * The repository of a process that names no worktree, as in a bare one: that of
 * its command line; 0: unknown.
 */
uint32_t tr2_name_repository(struct tr2_rows *rows,
			     const struct tr2_summary_process *process,
			     bool serves);

/* The hook of a child, or the alias of its process; 0: it has neither. */
uint32_t tr2_name_use(struct tr2_rows *rows, struct tr2_record *record,
		      const struct tr2_process_names *names);

/* The same; what has neither is called by its words. */
uint32_t tr2_name_child(struct tr2_rows *rows, struct tr2_record *record,
			const struct tr2_process_names *names);

/* The key's text, or 0 if there is none. */
uint32_t tr2_name_key(struct tr2_rows *rows, struct tr2_record *record,
		      enum tr2_key key);

/*
 * The first line of the event's `msg`; what is in quotes becomes '%s', and a
 * number %d, so that messages of one kind are one. 0 if there is none.
 */
uint32_t tr2_name_message(struct tr2_rows *rows, struct tr2_record *record);

/*
 * The name of its last cmd_name event, and `#` and its mode if there is one;
 * without a name, or with one that git made up ("_run_dashed_"), its words.
 */
uint32_t tr2_name_command(struct tr2_rows *rows,
			  const struct tr2_process_names *names);

/* The value of what the tree groups by. */
uint32_t tr2_name_group(struct tr2_forest *forest,
			const struct tr2_summary_process *process);

/* Is this the command, with or without its mode? */
bool tr2_name_fits(const char *command, const char *wanted);

#endif
