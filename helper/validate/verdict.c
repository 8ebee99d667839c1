#include "validate/verdict.h"

#include <stdlib.h>

#include "rules/check/checker.h"
#include "lib/common/memory.h"

#define FINDINGS_MOST 1000 /* that are shown; all are counted */

struct tr2_verdict {
	struct tr2_checker checker;
	struct tr2_report report;
	struct tr2_totals totals;
	char *text; /* what the report has written */
	size_t len;
};

struct tr2_verdict *tr2_verdict_begin(void)
{
	struct tr2_verdict *verdict = tr2_must_zeros(sizeof(*verdict));
	struct tr2_report *report = &verdict->report;

	report->format = tr2_format_find("json");
	report->max = FINDINGS_MOST;
	report->totals = &verdict->totals;
	report->out = open_memstream(&verdict->text, &verdict->len);
	if (!report->out)
		tr2_memory_out();
	tr2_report_init(report);
	tr2_report_begin(report);
	tr2_checker_init(&verdict->checker, report);
	return verdict;
}

void tr2_verdict_begin_log(struct tr2_verdict *verdict, const char *name)
{
	tr2_checker_begin_file(&verdict->checker, name, 1);
}

void tr2_verdict_line(struct tr2_verdict *verdict, const struct tr2_line *line)
{
	tr2_checker_line(&verdict->checker, line);
}

/*
 * This also releases the report. Where there is no memory at the end, the C
 * library may close the stream without a text and without an error.
 */
static void close_report(struct tr2_verdict *verdict)
{
	bool failed = tr2_report_end(&verdict->report) < 0;

	if (fclose(verdict->report.out) || failed || !verdict->text)
		tr2_memory_out();
	verdict->report.out = NULL;
}

void tr2_verdict_end(struct tr2_verdict *verdict, struct tr2_buf *out)
{
	tr2_checker_end(&verdict->checker);
	close_report(verdict);
	tr2_buf_add(out, verdict->text, verdict->len);
}

void tr2_verdict_release(struct tr2_verdict *verdict)
{
	tr2_checker_release(&verdict->checker);
	if (verdict->report.out)
		close_report(verdict);
	free(verdict->text);
	free(verdict);
}
