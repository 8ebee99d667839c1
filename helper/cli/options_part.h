/*
 * options_part.h - what the files about options share.
 *
 *	options.c  the reading of a command line
 *	value.c    a value by its type
 *	refuse.c   messages
 *	help.c     --help, and the list for completion
 */
#ifndef TR2_CLI_OPTIONS_PART_H
#define TR2_CLI_OPTIONS_PART_H

#include "cli/options.h"

/* An option that was found, and how it was written. */
struct tr2_cli_given {
	const struct tr2_cli *cli;
	const struct tr2_cli_option *option;
	const char *where; /* in a file, or NULL: on the command line */
	char letter;	   /* or 0: it has its long name */
};

/* Each prints a message, and returns EXIT_USAGE. */
int tr2_cli_refuse_value(const struct tr2_cli_given *given, const char *needs,
			 const char *value);
int tr2_cli_refuse_name(const struct tr2_cli *cli, const char *where,
			const char *word);
int tr2_cli_refuse_argument(const struct tr2_cli *cli, const char *word);

void tr2_cli_print_help(const struct tr2_cli *cli);
/*
 * Print a line for each option: its name, what follows it (`no`, `optional`
 * or `required` value), what the value may be (words, or `files`), and the
 * help text, separated by tabs.
 */
void tr2_cli_list_options(const struct tr2_cli *cli);

#endif
