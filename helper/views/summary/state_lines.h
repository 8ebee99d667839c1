/* state_lines.h - the lines of a state that are no rows of tables. */
#ifndef TR2_SUMMARY_STATE_LINES_H
#define TR2_SUMMARY_STATE_LINES_H

#include "model/account/forest.h"
#include "views/summary/fields.h"

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

#endif
