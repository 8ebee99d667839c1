/* options.h - the command line of `trace2 report`. */
#ifndef TR2_PAGE_OPTIONS_H
#define TR2_PAGE_OPTIONS_H

#include <stdbool.h>

struct tr2_page_options {
	const char *output; /* NULL: none was given */
	bool help;
};

/*
 * Read the options; optind is then the first path. 0, or an exit status after
 * a message.
 */
int tr2_page_options_parse(struct tr2_page_options *options, int argc,
			   char **argv);

int tr2_page_options_refuse(const char *what, const char *value);

extern const char tr2_page_help[];

#endif
