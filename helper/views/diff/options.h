/* options.h - the command line of `trace2 diff`. */
#ifndef TR2_DIFF_OPTIONS_H
#define TR2_DIFF_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/options.h"

/* Each format: its name here, its word, and the function that writes it. */
/* clang-format off */
#define TR2_DIFF_FORMATS(ROW) \
	ROW(TEXT, "text", tr2_compared_text) \
	ROW(JSON, "json", tr2_compared_json) \
	ROW(CSV, "csv", tr2_compared_csv) \
	ROW(MARKDOWN, "markdown", tr2_compared_markdown) \
	ROW(HTML, "html", NULL)
/* clang-format on */

#define TR2_DIFF_FORMAT_ENUM(format, ...) TR2_DIFF_##format,
enum tr2_diff_format { TR2_DIFF_FORMATS(TR2_DIFF_FORMAT_ENUM) };

struct tr2_diff_options {
	enum tr2_diff_format format;
	const char *command; /* NULL: all */
	bool fails;	     /* on a regression, */
	double percent;	     /* of more than this, */
	int64_t least;	     /* and of so many us; 0: 1 % of the command */
	unsigned long top;   /* rows of a table of text; 0: all */
};

extern const struct tr2_cli tr2_diff_cli;

/* As tr2_cli_read(): TR2_CLI_GO_ON, or an exit status. */
int tr2_diff_options_read(struct tr2_diff_options *options, char **argv);

#endif
