/* judge.h - what `trace2 validate` finds in the logs of a page, as JSON. */
#ifndef TR2_PAGE_JUDGE_H
#define TR2_PAGE_JUDGE_H

#include "check/checker.h"

struct tr2_page_judge {
	struct tr2_checker checker; /* gets each line */
	struct tr2_report report;
	struct tr2_totals totals;
	char *text; /* what the report has written */
	size_t len;
};

void tr2_page_judge_begin(struct tr2_page_judge *judge);

/* There are no more lines: put {"findings":[...],"summary":{...}}. */
void tr2_page_judge_end(struct tr2_page_judge *judge, struct tr2_buf *out);

void tr2_page_judge_release(struct tr2_page_judge *judge);

#endif
