/* state_lines.h - the line of a state that tells of a failure. */
#ifndef TR2_SUMMARY_STATE_LINES_H
#define TR2_SUMMARY_STATE_LINES_H

#include "model/account/forest.h"
#include "views/summary/fields.h"

void tr2_state_put_failure(struct tr2_buf *out,
			   const struct tr2_forest *forest);

/* Add it to that of the forest. False: the line has another form. */
bool tr2_state_take_failure(struct tr2_forest *forest,
			    const struct tr2_fields *fields);

#endif
