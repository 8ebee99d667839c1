/* options.h - the command line of `trace2 report`. */
#ifndef TR2_PAGE_OPTIONS_H
#define TR2_PAGE_OPTIONS_H

#include "cli/options.h"

struct tr2_page_options {
	const char *output;
};

extern const struct tr2_cli tr2_page_cli;

/* As tr2_cli_read(): TR2_CLI_GO_ON, or an exit status. */
int tr2_page_options_read(struct tr2_page_options *options, char **argv);

#endif
