/* options.h - the command line of `trace2 table`. */
#ifndef TR2_TABLE_OPTIONS_H
#define TR2_TABLE_OPTIONS_H

#include "cli/options.h"
#include "model/window.h"
#include "views/flat/output.h"

struct tr2_flat_options {
	enum tr2_flat_format format;
	unsigned kinds;	    /* bit k: kind k is wanted */
	const char *output; /* NULL: not given */
	const char *select; /* NULL: not given */
	struct tr2_window window;
	int64_t since, until, late; /* late is below 0 if it is not given */
	bool append;
};

extern const struct tr2_cli tr2_table_cli;

/* As tr2_cli_read(): TR2_CLI_GO_ON, or an exit status. */
int tr2_table_options_read(struct tr2_flat_options *options, char **argv);

#endif
