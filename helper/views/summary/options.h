/* options.h - the command line of `trace2 summary`. */
#ifndef TR2_SUMMARY_OPTIONS_H
#define TR2_SUMMARY_OPTIONS_H

#include <stdbool.h>

#include "model/account/forest.h"
#include "cli/options.h"

enum tr2_summary_format {
	TR2_SUMMARY_TEXT,
	TR2_SUMMARY_JSON,
	TR2_SUMMARY_CSV,
	TR2_SUMMARY_MARKDOWN,
	TR2_SUMMARY_STATE
};

#define TR2_SUMMARY_TOP ULONG_MAX

struct tr2_summary_options {
	enum tr2_summary_format format;
	struct tr2_filter filter;
	struct tr2_window window; /* with --late */
	int64_t until, late;	  /* late is below 0 if it is not given */
	enum tr2_by by;
	bool percentiles;
	bool merge;
	unsigned long top;   /* TR2_SUMMARY_TOP: not given */
	const char *explain; /* a region, or NULL */
};

/* Read "2026-11-23" or "7d", which is ago, into an int64_t. */
const char *tr2_summary_set_time(void *into, char *value);

/*
 * The window of --since, --until and --late: one that has no end is a day.
 * Without --late there is none. Returns what is wrong, or NULL.
 */
const char *tr2_summary_set_window(struct tr2_window *window, int64_t since,
				   int64_t until, int64_t late);

/*
 * Read the options, as tr2_cli_read() does: TR2_CLI_GO_ON, or an exit status.
 */
int tr2_summary_options_read(struct tr2_summary_options *options, char **argv);

#endif
