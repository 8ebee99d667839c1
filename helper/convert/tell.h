/*
 * tell.h - what was found in the input of `dump` and `convert`, told on
 * standard error as `trace2 validate` would: errors and warnings, a line
 * each.
 */
#ifndef TR2_CONVERT_TELL_H
#define TR2_CONVERT_TELL_H

#include "validate/checker.h"

struct tr2_tell {
	struct tr2_checker checker;
	struct tr2_report report;
	struct tr2_totals totals;
};

void tr2_tell_begin(struct tr2_tell *tell);
void tr2_tell_release(struct tr2_tell *tell);

/* The file could not be read, and why. */
void tr2_tell_unreadable(struct tr2_tell *tell, const char *why);

#endif
