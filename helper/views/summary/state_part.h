/*
 * state_part.h - a line of a state: fields that are separated by tabs. A tab, a
 * newline and a backslash in a text are written with a backslash.
 *
 * A form has a letter for each field, by which the line is written and read:
 *
 *	#	a number
 *	n	the number of a text
 *	s	a text
 *	t	a table
 *	?	what follows is there if there is `more`
 *	!	the same, but it is always written: older lines end here
 *	.	nothing follows
 */
#ifndef TR2_SUMMARY_STATE_PART_H
#define TR2_SUMMARY_STATE_PART_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/account/forest.h"
#include "views/result/result.h"

#define TR2_STATE_VERSION 2 /* 1 has no commands that ran at once */

/* The kinds of lines, and their forms. */
/* clang-format off */
#define TR2_STATE_OPTIONS "trace2-summary", "#s#s##."
#define TR2_STATE_COUNTS "counts", "##########?#"
#define TR2_STATE_ROW "row", "tnn#########s?##."
#define TR2_STATE_SLOWEST "slowest", "n##"
#define TR2_STATE_LINK "link", "tnn#!#" /* older states have no count */
#define TR2_STATE_STUCK "stuck", "tnnn!#" /* older states have no number */
#define TR2_STATE_ABOUT "about", "nn###"
#define TR2_STATE_FAILURE "failure", "ns######?n!n" /* older ones: names of hooks */
#define TR2_STATE_NOTES "commands", "###"
#define TR2_STATE_RAN "ran", "nnnns."
#define TR2_STATE_APART "apart", "#"
#define TR2_STATE_HELD "held", "#s."
/* clang-format on */

#define TR2_STATE_HASH ((size_t)16) /* digits of a process */

struct tr2_state_record { /* The fields of each kind, in their order. */
	int64_t number[11];
	uint32_t name[4];
	const char *text[2];
	enum tr2_table table;
	bool more;
};

/* Put a line of this kind. */
void tr2_state_put(struct tr2_buf *out, const struct tr2_rows *names,
		   const char *kind, const char *form,
		   const struct tr2_state_record *record);

#define TR2_FIELDS_MOST 16

/* The fields of a line, without escapes; they end with a NUL. */
struct tr2_fields {
	const char *at[TR2_FIELDS_MOST];
	size_t count;
	struct tr2_buf text;
};

/* The fields stay valid until the next line is split. */
void tr2_fields_split(struct tr2_fields *fields, const char *line, size_t len);

/* Take the record, which is all 0, from them. False: they have another form. */
bool tr2_fields_take(const struct tr2_fields *fields, const char *form,
		     struct tr2_rows *rows, struct tr2_state_record *record);

/* "NUMBER:NUMBER,": put it, or read it and go on; false: it is another text. */
void tr2_pair_put(struct tr2_buf *out, uint64_t first, uint64_t second);
bool tr2_pair_read(const char **text, uint64_t *first, uint64_t *second);

/*
 * Everything that a summary knows, as text: one record a line, its
 * fields separated by tabs. States of logs that share no process tree can be
 * merged: the result is the same as that of one run over all logs.
 */
void tr2_state_write(struct tr2_buf *out, const struct tr2_result *result);

/*
 * Add a state to the tree. The first one also sets the tree's options; the
 * others must have the same. NULL, or what is wrong with the text.
 */
const char *tr2_state_merge(struct tr2_forest *forest, const char *text,
			    size_t len, unsigned long *line);

#endif
