/*
 * tell.h - report on standard error what is wrong with the input of `dump`
 * and `convert`, as `trace2 validate` does: errors and warnings, one line
 * each.
 */
#ifndef TR2_CHECK_TELL_H
#define TR2_CHECK_TELL_H

#include "check/checker.h"

struct tr2_tell {
	struct tr2_checker checker;
	struct tr2_report report;
	struct tr2_totals totals;
};

void tr2_tell_begin(struct tr2_tell *tell);
void tr2_tell_release(struct tr2_tell *tell);

/* Report that the file could not be read, and why. */
void tr2_tell_unreadable(struct tr2_tell *tell, const char *why);

#endif
