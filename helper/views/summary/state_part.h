/*
 * state_part.h - a line of a state: fields that are separated by tabs. A tab, a
 * newline and a backslash in a text are written with a backslash.
 */
#ifndef TR2_SUMMARY_STATE_PART_H
#define TR2_SUMMARY_STATE_PART_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/account/forest.h"
#include "model/totals/sketch.h"
#include "views/result/result.h"

#define TR2_FIELDS_MOST 16

/* The fields of a line, without escapes; they end with a NUL. */
struct tr2_fields {
	const char *at[TR2_FIELDS_MOST];
	size_t count;
	struct tr2_buf text;
};

/* Append a tab and the text. */
void tr2_fields_put(struct tr2_buf *out, const char *text);
void tr2_fields_put_number(struct tr2_buf *out, int64_t value);

/* The fields stay valid until the next line is split. */
void tr2_fields_split(struct tr2_fields *fields, const char *line, size_t len);

/* Read so many numbers from a field on; false: one is none. */
bool tr2_fields_numbers(const struct tr2_fields *fields, size_t first,
			int64_t *values, size_t count);

/* Add the buckets that a field lists: "NUMBER:COUNT,". */
bool tr2_fields_sketch(const char *text, struct tr2_sketch *sketch);

/* The lines of a state that are no rows of tables. */

void tr2_state_put_about(struct tr2_buf *out, const struct tr2_forest *forest);
void tr2_state_put_failure(struct tr2_buf *out,
			   const struct tr2_forest *forest);

/* Add it to that of the forest. False: the line has another form. */
bool tr2_state_take_about(struct tr2_forest *forest,
			  const struct tr2_fields *fields);
bool tr2_state_take_failure(struct tr2_forest *forest,
			    const struct tr2_fields *fields);

/* Which commands ran when: their number, and a line for each kind of them. */
void tr2_state_put_notes(struct tr2_buf *out, const struct tr2_notes *notes,
			 const struct tr2_rows *rows);
bool tr2_state_take_notes(struct tr2_forest *forest,
			  const struct tr2_fields *fields);
bool tr2_state_take_ran(struct tr2_forest *forest,
			const struct tr2_fields *fields);

/* Which processes it has, and how many came too late. */
void tr2_state_put_held(struct tr2_buf *out, const struct tr2_forest *forest);
bool tr2_state_take_apart(struct tr2_forest *forest,
			  const struct tr2_fields *fields);

/* Returns NULL, or why the state cannot be added. */
const char *tr2_state_take_held(struct tr2_forest *forest,
				const struct tr2_fields *fields);

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
