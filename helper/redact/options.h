/* options.h - the command line of `trace2 redact`. */
#ifndef TR2_REDACT_OPTIONS_H
#define TR2_REDACT_OPTIONS_H

#include <stddef.h>

#include "cli/options.h"

#define TR2_REDACT_KEY_LEAST 16
#define TR2_REDACT_KEY_MOST 4096

struct tr2_redact_options {
	unsigned hide;	      /* bits of enum tr2_hide */
	const char *key_file; /* NULL: a random key */
	const char *output;   /* NULL, also for `-`: standard output */
};

/* As tr2_cli_read(): TR2_CLI_GO_ON, or an exit status. */
int tr2_redact_options_read(struct tr2_redact_options *options, char **argv);

/*
 * Read the key of the options into `key`, which has room for
 * TR2_REDACT_KEY_MOST + 1 bytes. Returns its length, or 0 after a message;
 * `code` is then the exit status.
 */
size_t tr2_redact_options_key(const struct tr2_redact_options *options,
			      char *key, int *code);

#endif
