#include "page/judge.h"

#include <stdlib.h>

#include "common/memory.h"

#define FINDINGS_MOST 1000 /* that the page shows; all are counted */

void tr2_page_judge_begin(struct tr2_page_judge *judge)
{
	*judge = (struct tr2_page_judge){ .report = { .format = tr2_format_find(
							      "json"),
						      .max = FINDINGS_MOST } };
	judge->report.out = open_memstream(&judge->text, &judge->len);
	if (!judge->report.out)
		tr2_memory_out();
	judge->report.totals = &judge->totals;
	tr2_report_init(&judge->report);
	tr2_report_begin(&judge->report);
	tr2_checker_init(&judge->checker, &judge->report);
}

/* This also releases the report. */
static void close_report(struct tr2_page_judge *judge)
{
	bool failed = tr2_report_end(&judge->report) < 0;

	if (fclose(judge->report.out) || failed)
		tr2_memory_out();
	judge->report.out = NULL;
}

void tr2_page_judge_end(struct tr2_page_judge *judge, struct tr2_buf *out)
{
	tr2_checker_end(&judge->checker);
	close_report(judge);
	tr2_buf_add(out, judge->text, judge->len);
}

void tr2_page_judge_release(struct tr2_page_judge *judge)
{
	tr2_checker_release(&judge->checker);
	if (judge->report.out)
		close_report(judge);
	free(judge->text);
}
