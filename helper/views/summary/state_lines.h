/* state_lines.h - the lines of a state about a failure and the heading. */
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

#endif
