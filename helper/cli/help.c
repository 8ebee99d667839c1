#include "cli/options_part.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 79
#define HEAD_MOST 22 /* a longer one has a line of its own */

static const struct tr2_cli_option help_row = {
	.name = "help",
	.letter = 'h',
	.help = "print this help",
};

/* "  -o, --output FILE"; returns its length. */
static size_t print_head(const struct tr2_cli_option *option, char *head,
			 size_t size)
{
	const char letter[] = { '-', option->letter, ',', ' ', '\0' };
	const bool may_lack = option->may_lack;
	int len = snprintf(head, size, "  %s--%s%s%s%s",
			   option->letter ? letter : "", option->name,
			   !option->value ? ""
			   : may_lack	  ? "[="
					  : " ",
			   option->value ? option->value : "",
			   may_lack ? "]" : "");

	return (size_t)len;
}

/* Where the texts of all options begin. */
static size_t find_column(const struct tr2_cli_option *option)
{
	char head[80];
	size_t widest = print_head(&help_row, head, sizeof(head)), len;

	for (; option->name || option->help; option++) {
		if (!option->name)
			continue;
		len = print_head(option, head, sizeof(head));
		if (len > widest && len <= HEAD_MOST)
			widest = len;
	}
	return widest + 2;
}

static void print_blanks(size_t count)
{
	printf("%*s", (int)count, "");
}

/*
 * Print a paragraph, which begins at this column, and whose blanks are those
 * of all its lines. Returns what is after it.
 */
static const char *print_paragraph(const char *text, size_t column)
{
	const size_t indent = strspn(text, " ");
	size_t at = column + indent, len;

	print_blanks(indent);
	text += indent;
	while (*text && *text != '\n') {
		len = strcspn(text, " \n");
		if (at > column + indent && at + 1 + len > WIDTH) {
			putchar('\n');
			print_blanks(column + indent);
			at = column + indent;
		} else if (at > column + indent) {
			putchar(' ');
			at++;
		}
		at += (size_t)printf("%.*s", (int)len, text);
		text += len;
		text += strspn(text, " ");
	}
	putchar('\n');
	return *text ? text + 1 : NULL;
}

static void print_option(const struct tr2_cli_option *option, size_t column)
{
	const char *text = option->help;
	char head[80];
	size_t len = print_head(option, head, sizeof(head));

	fputs(head, stdout);
	if (len + 2 > column) {
		putchar('\n');
		len = 0;
	}
	for (; text; len = 0) {
		print_blanks(column - len);
		text = print_paragraph(text, column);
	}
}

void tr2_cli_print_help(const struct tr2_cli *cli)
{
	const struct tr2_cli_option *option = cli->options;
	const size_t column = find_column(option);

	fputs(cli->about, stdout);
	if (option->name || !option->help)
		fputs("\nOptions:\n", stdout);
	for (; option->name || option->help; option++)
		if (option->name)
			print_option(option, column);
		else
			printf("\n%s:\n", option->help);
	print_option(&help_row, column);
	if (cli->notes)
		printf("\n%s", cli->notes);
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

static void list_option(const struct tr2_cli_option *option)
{
	const char *text = option->help;

	printf("%s\t%s\t", option->name,
	       !option->value	  ? "no"
	       : option->may_lack ? "optional"
				  : "required");
	list_values(option);
	putchar('\t');
	for (; *text; text++)
		putchar(*text == '\n' ? ' ' : *text);
	putchar('\n');
}

void tr2_cli_list_options(const struct tr2_cli *cli)
{
	const struct tr2_cli_option *option = cli->options;

	for (; option->name || option->help; option++)
		if (option->name)
			list_option(option);
	list_option(&help_row);
}
