/* options.h - the command line of `trace2 diff`. */
#ifndef TR2_DIFF_OPTIONS_H
#define TR2_DIFF_OPTIONS_H

#include <stdbool.h>

/* Each format: its name here, its word, and the function that writes it. */
/* clang-format off */
#define TR2_DIFF_FORMATS(ROW) \
	ROW(TEXT, "text", tr2_compared_text) \
	ROW(JSON, "json", tr2_compared_json) \
	ROW(CSV, "csv", tr2_compared_csv)
/* clang-format on */

#define TR2_DIFF_FORMAT_ENUM(format, ...) TR2_DIFF_##format,
enum tr2_diff_format { TR2_DIFF_FORMATS(TR2_DIFF_FORMAT_ENUM) };

struct tr2_diff_options {
	enum tr2_diff_format format;
	const char *command; /* NULL: all */
	bool fails;	     /* on a regression, */
	double percent;	     /* of more than this */
	bool help;
	unsigned long top; /* rows of a table of text; 0: all */
};

/*
 * Read the options; optind is then the first path. 0, or an exit status after
 * a message.
 */
int tr2_diff_options_parse(struct tr2_diff_options *options, int argc,
			   char **argv);

int tr2_diff_options_refuse(const char *what, const char *value);

extern const char *const tr2_diff_help[]; /* pieces; the last is NULL */

#endif
