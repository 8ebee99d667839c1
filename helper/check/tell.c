#include "check/tell.h"

#include <limits.h>
#include <stdlib.h>

/* Infos are left out: they say nothing about what could not be converted. */
static void put_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;

	if (finding->level != TR2_INFO)
		tr2_concise_finding(out, shown);
}

static const struct tr2_formatter lines = { "lines", "", "", put_finding,
					    NULL };

/*
 * Findings are printed at once (`live`), without a limit, and to standard
 * error, because standard output may be the result.
 */
void tr2_tell_begin(struct tr2_tell *tell)
{
	*tell = (struct tr2_tell){ .report = { .format = &lines,
					       .out = stderr,
					       .max = ULONG_MAX,
					       .live = true } };
	tell->report.totals = &tell->totals;
	tr2_report_init(&tell->report);
	tr2_checker_init(&tell->checker, &tell->report);
}

void tr2_tell_release(struct tr2_tell *tell)
{
	tr2_checker_release(&tell->checker);
	tr2_buf_release(&tell->report.buf);
	free(tell->totals.of_rule);
}

void tr2_tell_unreadable(struct tr2_tell *tell, const char *why)
{
	tell->totals.unreadable_files++;
	tr2_input_report_file(&tell->checker.sink, TR2_INPUT_UNREADABLE, why);
}
