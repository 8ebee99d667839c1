/* state_kit.h - states as text, and what a forest makes of them. */
#ifndef UNIT_SUMMARY_STATE_KIT_H
#define UNIT_SUMMARY_STATE_KIT_H

#include "views/summary/summary_kit.h"
#include "views/summary/state.h"

#define OPTIONS "trace2-summary\t2\tnothing\t0\t\t0\t0\n"
#define NO_COUNTS "counts\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\n"

static unsigned long wrong_line;

/* NULL, or what is wrong, and in which line. */
static inline const char *merge_state(const char *text)
{
	return tr2_state_merge(&forest, text, strlen(text), &wrong_line);
}

/* Returns the state of what was merged. */
static inline const char *show_state(void)
{
	return write_rows(tr2_state_write);
}

/* What is wrong with a state of these records, after "LINE: ". */
static inline const char *find_wrong(const char *text)
{
	static char found[256];
	const char *wrong;

	begin_rows();
	wrong = merge_state(text);
	snprintf(found, sizeof(found), "%lu: %s", wrong_line,
		 wrong ? wrong : "nothing");
	end_rows();
	return found;
}

#endif
