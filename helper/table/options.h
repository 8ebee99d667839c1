/* options.h - the command line of `trace2 table`. */
#ifndef TR2_TABLE_OPTIONS_H
#define TR2_TABLE_OPTIONS_H

#include "flat/output.h"

struct tr2_flat_options {
	enum tr2_flat_format format;
	unsigned kinds;	    /* bit k: kind k is wanted */
	const char *output; /* NULL: not given */
	const char *select; /* NULL: not given */
	bool help;
};

/*
 * Read the options; optind is then the first path. 0, or an exit status after
 * a message.
 */
int tr2_table_options_parse(struct tr2_flat_options *options, int argc,
			    char **argv);

int tr2_table_options_refuse(const char *what, const char *value);

extern const char *const tr2_table_help[]; /* pieces; the last is NULL */

#endif
