/* options.h - the command line of `trace2 convert`. */
#ifndef TR2_CONVERT_OPTIONS_H
#define TR2_CONVERT_OPTIONS_H

#include <stdbool.h>

enum tr2_convert_target {
	TR2_TO_NOTHING,
	TR2_TO_FXT,
	TR2_TO_CHROME,
	TR2_TO_SPEEDSCOPE,
	TR2_TO_FOLDED,
	TR2_TO_OTLP
};

struct tr2_convert_options {
	enum tr2_convert_target target;
	bool help;
	const char *in, *out; /* NULL if help is wanted */
};

/* 0, or an exit status after a message. */
int tr2_convert_options_parse(struct tr2_convert_options *options, int argc,
			      char **argv);

int tr2_convert_options_refuse(const char *what, const char *value);

extern const char tr2_convert_help[];

#endif
