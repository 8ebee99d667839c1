/* options.h - the command line of `trace2 convert`. */
#ifndef TR2_CONVERT_OPTIONS_H
#define TR2_CONVERT_OPTIONS_H

#include "cli/options.h"

enum tr2_convert_target {
	TR2_TO_NOTHING,
	TR2_TO_FXT,
	TR2_TO_CHROME,
	TR2_TO_PERFETTO,
	TR2_TO_SPEEDSCOPE,
	TR2_TO_FOLDED,
	TR2_TO_OTLP
};

struct tr2_convert_options {
	enum tr2_convert_target target;
	const char *in, *out;
	int64_t from, to; /* microseconds; INT64_MAX: to the end */
};

static inline bool
tr2_convert_options_cut(const struct tr2_convert_options *options)
{
	return options->from || options->to != INT64_MAX;
}

extern const struct tr2_cli tr2_convert_cli;

/* As tr2_cli_read(): TR2_CLI_GO_ON, or an exit status. */
int tr2_convert_options_read(struct tr2_convert_options *options, char **argv);

#endif
