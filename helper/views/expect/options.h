/* options.h - the command line of `trace2 expect`. */
#ifndef TR2_EXPECT_OPTIONS_H
#define TR2_EXPECT_OPTIONS_H

#include "cli/options.h"
#include "views/expect/say.h"

struct tr2_expect_options {
	enum tr2_expect_format format;
	const char *file;   /* of assertions, or NULL */
	const char *output; /* or NULL */
	unsigned nesting;
	bool whole, list;
};

extern const struct tr2_cli tr2_expect_cli;

/*
 * The arguments after `--` are assertions; `*assertions` points to the first,
 * and argv ends before it. Returns TR2_CLI_GO_ON, or an exit status.
 */
int tr2_expect_options_read(struct tr2_expect_options *options, char **argv,
			    char ***assertions);

#endif
