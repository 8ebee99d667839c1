/*
 * gitconfig list: print every value in every scope, as `git config --list
 * --show-scope -z` does. gitconfig early: only the values in the files from
 * which trace2.* keys are read. gitconfig params GLOBS: the parameters that
 * match.
 */
#include <stdio.h>
#include <string.h>

#include "gitconfig/gitconfig.h"
#include "config/params.h"
#include "tool/commands/commands.h"

static void print_value(const char *scope, const char *key, const char *value,
			void *unused)
{
	(void)unused;
	printf("%s%c%s", scope, '\0', key);
	if (value)
		printf("\n%s", value);
	putchar('\0');
}

static void print_entry(const struct tr2_config_entry *entry, void *unused)
{
	print_value(tr2_config_scope_name(entry->scope), entry->key,
		    entry->value, unused);
}

int cmd_gitconfig(int argc, const char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "list"))
		tr2_gitconfig_read_all(print_entry, NULL);
	else if (argc == 2 && !strcmp(argv[1], "early"))
		tr2_gitconfig_read_early(print_entry, NULL);
	else if (argc == 3 && !strcmp(argv[1], "params"))
		tr2_params_config(argv[2], print_value, NULL);
	else
		return 129;
	return 0;
}
