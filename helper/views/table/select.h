/*
 * select.h - the filter files of trace2receiver: which messages, regions and
 * data become columns of processes.
 *
 * The files are YAML. Of YAML this reads what these files need: a list of
 * maps of plain or quoted texts below each key of the top level. Everything
 * else is reported with file and line.
 */
#ifndef TR2_TABLE_SELECT_H
#define TR2_TABLE_SELECT_H

#include <stdbool.h>

#include "views/flat/column.h"
#include "views/table/process.h"

enum tr2_select_section {
	TR2_SELECT_NOTHING,
	TR2_SELECT_MESSAGES, /* printf events by prefix */
	TR2_SELECT_TIMERS,   /* regions by category and label */
	TR2_SELECT_DATA	     /* data events by category and prefix of key */
};

struct tr2_select_rule {
	enum tr2_select_section section;
	unsigned long line; /* where it begins */
	char *match[2];	    /* prefix; category and label or prefix of key */
	char *field[2];	    /* of counts, messages or data; of times */
};

struct tr2_select {
	struct tr2_vec rules;	/* struct tr2_select_rule */
	struct tr2_vec columns; /* struct tr2_flat_column */
	size_t first;		/* number of the first column in processes */
	bool ignored;		/* something was not understood */
};

/*
 * Read the file, and make the columns of processes, those of the file after
 * all others. `name` may be NULL: no file. 0, or an exit status after a
 * report.
 */
int tr2_select_read(struct tr2_select *select, const char *name);

/* Count what a process did. */
void tr2_select_message(const struct tr2_select *select,
			struct tr2_flat_process *process, const char *text,
			size_t len);
/* The texts end with a NUL. `wall` is in microseconds. */
void tr2_select_region(const struct tr2_select *select,
		       struct tr2_flat_process *process, const char *category,
		       const char *label, int64_t wall);
/* The value is JSON. */
void tr2_select_data(const struct tr2_select *select,
		     struct tr2_flat_process *process, const char *category,
		     const char *key, const char *value, size_t len);

/* What filter.c needs. */
enum tr2_select_section tr2_select_find(const char *name);

/* Returns where the value of the key belongs, or NULL: it is unknown. */
char **tr2_select_slot(struct tr2_select_rule *rule, const char *key);

/* Returns a key that the rule lacks, or NULL. */
const char *tr2_select_missing(const struct tr2_select_rule *rule);

void tr2_select_add_columns(struct tr2_select *select,
			    const struct tr2_select_rule *rule);

void tr2_select_release(struct tr2_select *select);

#endif
