/*
 * merge.h - the reports of several checkers become one, the same as if one
 * checker had done it all.
 */
#ifndef TR2_VALIDATE_MERGE_H
#define TR2_VALIDATE_MERGE_H

#include "validate/report.h"

/* What is said once a file, and by another checker maybe as well. */
void tr2_merge_note(struct tr2_report *report,
		    const struct tr2_finding *finding,
		    const struct tr2_spool_entry *entry);

/* Take over all that the other report has, with its totals. */
void tr2_merge_report(struct tr2_report *report, struct tr2_report *other);

/* Of what several of them said, the first stays. */
void tr2_merge_end(struct tr2_report *report);

#endif
