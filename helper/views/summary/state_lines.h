/* state_lines.h - lines of a state: what processes have in common, and failures. */
#ifndef TR2_SUMMARY_STATE_LINES_H
#define TR2_SUMMARY_STATE_LINES_H

#include "model/account/forest.h"
#include "views/summary/fields.h"

void tr2_state_put_facts(struct tr2_buf *out, const struct tr2_facts *facts);
void tr2_state_put_failure(struct tr2_buf *out,
			   const struct tr2_forest *forest);

/* Add them to those of the forest. False: the line has another form. */
bool tr2_state_take_facts(struct tr2_forest *forest,
			  const struct tr2_fields *fields);
bool tr2_state_take_failure(struct tr2_forest *forest,
			    const struct tr2_fields *fields);

#endif
