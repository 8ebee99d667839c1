/* options.h - the command line of `trace2 validate`. */
#ifndef TR2_VALIDATE_OPTIONS_H
#define TR2_VALIDATE_OPTIONS_H

#include <stdbool.h>

#include "cli/options.h"
#include "validate/report/report.h"
#include "lib/files/socket.h"

struct tr2_options {
	const struct tr2_formatter *format;
	struct tr2_selection selection;
	enum tr2_level fail_on;
	unsigned long max_findings;
	unsigned long max_per_rule; /* 0: all */
	unsigned evt;
	unsigned programs; /* bits of --for: one for each program */
	bool color;
	bool statistics;
	bool follow;
	bool listen; /* --listen: `socket` is set */
	struct tr2_socket socket;
	bool strict, document;
	bool list_rules;
	const struct tr2_rule *explain; /* NULL: not asked for */
	const char *explain_prefix;	/* of several rules, or NULL */
};

extern const struct tr2_cli tr2_validate_cli;

/* As tr2_cli_read(): TR2_CLI_GO_ON, or an exit status. */
int tr2_options_read(struct tr2_options *options, char **argv);
void tr2_options_release(struct tr2_options *options);

#endif
