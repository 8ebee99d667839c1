/* options.h - the command line of `trace2 summary`. */
#ifndef TR2_SUMMARY_OPTIONS_H
#define TR2_SUMMARY_OPTIONS_H

#include <stdbool.h>

#include "account/forest.h"

/* Each format: its name here, its word, and the function that writes it. */
/* clang-format off */
#define TR2_SUMMARY_FORMATS(ROW) \
	ROW(TEXT, "text", tr2_result_text) \
	ROW(JSON, "json", tr2_result_json) \
	ROW(CSV, "csv", tr2_result_csv) \
	ROW(STATE, "state", NULL)
/* clang-format on */

#define TR2_SUMMARY_FORMAT_ENUM(format, ...) TR2_SUMMARY_##format,
enum tr2_summary_format { TR2_SUMMARY_FORMATS(TR2_SUMMARY_FORMAT_ENUM) };

struct tr2_summary_options {
	enum tr2_summary_format format;
	struct tr2_filter filter;
	enum tr2_by by;
	bool percentiles;
	bool merge;
	bool help;
	long top; /* -1: not given */
};

/*
 * Read the options; optind is then the first path. 0, or an exit status after
 * a message.
 */
int tr2_summary_options_parse(struct tr2_summary_options *options, int argc,
			      char **argv);

int tr2_summary_options_refuse(const char *what, const char *value);

extern const char *const tr2_summary_help[]; /* pieces; the last is NULL */

#endif
