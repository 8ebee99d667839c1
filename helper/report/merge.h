/*
 * merge.h - join the reports of several checkers, with the same result as if
 * one checker had done all the work.
 */
#ifndef TR2_REPORT_MERGE_H
#define TR2_REPORT_MERGE_H

#include "report/report.h"

/*
 * Note a finding that is made once for a file, because another checker may
 * make the same one.
 */
void tr2_merge_note(struct tr2_report *report, const struct tr2_shown *shown,
		    const struct tr2_spool_entry *entry);

/* Take over everything in the other report, with its totals. */
void tr2_merge_report(struct tr2_report *report, struct tr2_report *other);

/* If several checkers made the same finding, keep the first one. */
void tr2_merge_end(struct tr2_report *report);

#endif
