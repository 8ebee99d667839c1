#include "cli/options_part.h"

#include <stdio.h>
#include <string.h>

void tr2_cli_print_help(const struct tr2_cli *cli)
{
	for (const char *const *help = cli->help; *help; help++)
		fputs(*help, stdout);
}

/* Returns the line of the help that begins with this option. */
static const char *find_line(const char *const *help, const char *name)
{
	const size_t len = strlen(name);
	const char *line, *at;

	for (; *help; help++)
		for (line = *help; *line; line = strchr(line, '\n') + 1) {
			if (strncmp(line, "  -", 3) != 0)
				continue;
			at = line +
			     strlen(line[3] == '-' ? "  --" : "  -x, --");
			if (!strncmp(at, name, len) && strchr(" [\n", at[len]))
				return line;
		}
	return "  \n"; /* it has no text */
}

/* Its text as one line. What is further in than before keeps its blanks. */
static void list_text(const char *const *help, const char *name)
{
	const char *line = find_line(help, name), *at = line + 2, *end;
	size_t column, indent;

	while (*at != '\n' && strncmp(at, "  ", 2) != 0)
		at++;
	if (*at == '\n')
		line = at + 1;
	at += strspn(at, " \n");
	column = (size_t)(at - line);
	for (; (end = strchr(at, '\n')); column = indent) {
		indent = strspn(end + 1, " ");
		printf("%.*s", (int)(end - at), at);
		if (indent <= 2) /* of another option */
			break;
		at = end + 1 + indent;
		printf("%*s", 1 + (int)(indent > column ? indent - column : 0),
		       "");
	}
}

static void list_words(const char *const *words)
{
	for (; *words; words++)
		printf("%s%s", *words, words[1] ? " " : "");
}

/* What a shell can offer: words, a few numbers, or names of files. */
static void list_values(const struct tr2_cli_option *option)
{
	uint64_t number = option->least;

	if (option->kind == TR2_CLI_IS_PATH ||
	    (option->value &&
	     (!strcmp(option->value, "FILE") || !strcmp(option->value, "DIR"))))
		fputs("files", stdout);
	else if (option->offers)
		fputs(option->offers, stdout);
	else if (option->words)
		list_words(option->words);
	else if (option->kind == TR2_CLI_IS_NUMBER && option->most < 10)
		for (; number <= option->most; number++)
			printf("%s%d", number > option->least ? " " : "",
			       (int)number);
}

static void list_option(const struct tr2_cli *cli,
			const struct tr2_cli_option *option)
{
	printf("%s\t%s\t", option->name,
	       !option->value	  ? "no"
	       : option->may_lack ? "optional"
				  : "required");
	list_values(option);
	putchar('\t');
	list_text(cli->help, option->name);
	putchar('\n');
}

void tr2_cli_list_options(const struct tr2_cli *cli)
{
	const struct tr2_cli_option *option = cli->options;

	for (; option->name; option++)
		list_option(cli, option);
	list_option(cli, &(struct tr2_cli_option){ .name = "help" });
}
