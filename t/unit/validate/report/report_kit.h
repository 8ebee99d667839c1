/*
 * report_kit.h - a report, and what it prints.
 */
#ifndef UNIT_REPORT_REPORT_KIT_H
#define UNIT_REPORT_REPORT_KIT_H

#include "kit/validate.h"

#include <unistd.h>

#include "validate/report/report.h"

#define CHECKERS 1

static struct tr2_totals totals[CHECKERS];
static struct tr2_statistics statistics[CHECKERS];
static struct tr2_report reports[CHECKERS];
static FILE *printed;

static inline void print_finding(struct tr2_buf *out,
				 const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;

	tr2_buf_str(out, shown->color ? "*" : "");
	tr2_buf_str(out, finding->message);
}

static inline void print_end(struct tr2_buf *out, const struct tr2_totals *sums)
{
	(void)sums;
	tr2_buf_str(out, out->len ? " (not written yet)" : ".");
}

static const struct tr2_formatter format = { "test", "(",	    " ",
					     0,	     print_finding, print_end };
static const struct tr2_selection all;

static inline void begin_reports(bool with_statistics)
{
	int i;

	memset(totals, 0, sizeof(totals));
	memset(reports, 0, sizeof(reports));
	printed = tmpfile();
	for (i = 0; i < CHECKERS; i++) {
		reports[i].format = &format;
		reports[i].out = printed;
		reports[i].totals = &totals[i];
		reports[i].selection = &all;
		reports[i].max = 100;
		tr2_statistics_init(&statistics[i]);
		if (with_statistics)
			totals[i].statistics = &statistics[i];
		tr2_report_init(&reports[i]);
	}
}

/* What was printed, and not only put aside. */
static inline const char *is_printed(void)
{
	static char text[256];
	ssize_t got = pread(fileno(printed), text, sizeof(text) - 1, 0);

	text[got > 0 ? got : 0] = '\0';
	return text;
}

static inline void release_reports(void)
{
	int i;

	fclose(printed);
	for (i = 0; i < CHECKERS; i++)
		tr2_statistics_release(&statistics[i]);
}

static inline void say_finding(int checker, unsigned visit, unsigned kind,
			       unsigned long line, const char *message)
{
	struct tr2_finding finding = {
		.level = kind % 2 ? TR2_INFO : TR2_WARNING,
		.id = tr2_rules[2].id,
		.file = "file",
		.line = line,
		.column = 1,
		.message = message,
		.visit = visit,
	};

	tr2_report_finding(&reports[checker], &finding);
}

static inline const char *end_alone(void)
{
	const char *text;
	int i;

	for (i = 1; i < CHECKERS; i++)
		free(totals[i].of_rule);
	if (tr2_report_end(&reports[0]))
		return "not all";
	text = is_printed();
	release_reports();
	return text;
}

#endif
