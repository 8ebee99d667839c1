/*
 * state.h - everything that a summary knows, as text: one record a line, its
 * fields separated by tabs. States of logs that share no process tree can be
 * merged: the result is the same as that of one run over all logs.
 */
#ifndef TR2_SUMMARY_STATE_H
#define TR2_SUMMARY_STATE_H

#include "base/buf.h"
#include "views/result/result.h"

void tr2_state_write(struct tr2_buf *out, const struct tr2_result *result);

/*
 * Add a state to the tree. The first one also sets the tree's options; the
 * others must have the same. NULL, or what is wrong with the text.
 */
const char *tr2_state_merge(struct tr2_forest *forest, const char *text,
			    size_t len, unsigned long *line);

#endif
