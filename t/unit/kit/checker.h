/* checker.h - a checker, and its findings about a log as a text. */
#ifndef UNIT_KIT_CHECKER_H
#define UNIT_KIT_CHECKER_H

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "kit/validate.h"
#include "rules/check/checker.h"

static char told[4096];
static size_t told_len;

static inline void tell_line(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

static inline void tell_line(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	told_len += (size_t)vsnprintf(told + told_len, sizeof(told) - told_len,
				      fmt, ap);
	va_end(ap);
	tap_need(told_len < sizeof(told));
}

static struct tr2_totals totals;
static struct tr2_report report;
static struct tr2_checker checker;

/* `line:column+width id: message | expected` */
static inline void tell_finding(const struct tr2_finding *finding)
{
	tell_line("%lu:%zu+%zu %s: %s%s%s\n", finding->line, finding->column,
		  finding->width, finding->id, finding->message,
		  finding->expected ? " | " : "",
		  finding->expected ? finding->expected : "");
}

/* Each finding is told in that format. */
static inline void begin_checker(const struct tr2_formatter *format)
{
	told_len = 0;
	*told = '\0';
	totals = (struct tr2_totals){ 0 };
	report = (struct tr2_report){
		.format = format,
		.out = stdout,
		.totals = &totals,
		.max = ULONG_MAX,
		.live = true,
	};
	tr2_report_init(&report);
	tr2_checker_init(&checker, &report);
	tr2_checker_begin_file(&checker, "log", 1);
}

static inline const char *end_checker(void)
{
	tr2_checker_release(&checker);
	tr2_buf_release(&report.buf);
	free(totals.of_rule);
	return told;
}

#endif
