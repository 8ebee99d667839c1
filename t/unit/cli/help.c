#define _XOPEN_SOURCE 700 /* pseudo-terminals */
/* What is printed of a table of options. */
#include "cli/cli_kit.h"

#define HELP "\nTry 'trace2 test --help'."

static const char help[] =
	"usage: trace2 test\n"
	"\n"
	"Options:\n"
	"  -f, --flag       on\n"
	"  -q, --quick      faster\n"
	"\n"
	"Values:\n"
	"  -t, --text TEXT  any text\n"
	"  -o, --file FILE  a file\n"
	"  --number N       a number\n"
	"  --small N        a small number, which has a text that is so long that it\n"
	"                   needs a second line\n"
	"                   and a second paragraph\n"
	"                       of which one has blanks at its begin; also in what\n"
	"                       follows in other lines\n"
	"  --wide N         a wide number\n"
	"  --size SIZE      bytes\n"
	"  --buffer SIZE    words\n"
	"  --color COLOR    red, green or blue\n"
	"  --later-color A-LONG-COLOR\n"
	"                   green or blue\n"
	"  --duration TIME  a time\n"
	"  --list A,B       some colors\n"
	"  --free A,B       some parts\n"
	"  --set[=HOW]      how\n"
	"  --secret TEXT    what nobody may see\n"
	"  -h, --help       print this help\n"
	"\n"
	"Notes.\n";

static void test_help(void)
{
	begin_cli();
	cli.least = 1;
	tap_int(read_words("--flag --help"), EXIT_CLEAN,
		"help is no failure, and needs no arguments");
	tap_str(kit_said[1], help, "help has all options");
	tap_str(kit_said[2], "", "help is no message");
	read_words("-fh");
	tap_str(kit_said[1], help, "a letter prints the help");
	cli.notes = NULL;
	cli.options = table + sizeof(table) / sizeof(table[0]) - 1;
	read_words("--he");
	tap_str(kit_said[1],
		"usage: trace2 test\n\nOptions:\n  -h, --help  print this help\n",
		"help is the only option of a command without a table");
}

static void test_listing(void)
{
	begin_cli();
	tap_int(read_words("--list-options"), EXIT_CLEAN, "options are listed");
	tap_ok(!strncmp(kit_said[1], "flag\tno\t\ton\n", 12),
	       "a flag has no value");
	tap_ok(strstr(kit_said[1], "\nfile\trequired\tfiles\ta file\n") != NULL,
	       "a path has files");
	tap_ok(strstr(kit_said[1], "\nnumber\trequired\t\ta number\n") != NULL,
	       "a number has any value");
	tap_ok(strstr(kit_said[1], "\nsmall\trequired\t2 3 4\ta small") != NULL,
	       "a small number has a few values");
	tap_ok(strstr(kit_said[1], "\nlist\trequired\tred green blue\tsome") !=
		       NULL,
	       "a word has its values");
	tap_ok(strstr(kit_said[1], "\nset\toptional\tso or\thow\n") != NULL,
	       "a value may be optional");
	tap_ok(strstr(kit_said[1], "second paragraph     of which") != NULL,
	       "a text is in one line");
	tap_ok(strstr(kit_said[1], "\nhelp\tno\t\tprint this help\n") != NULL,
	       "help is in the list");
	tap_ok(!strstr(kit_said[1], "Values"), "headings are not in the list");
}

static int refuse_argv(char **argv)
{
	return tr2_cli_refuse(&cli, argv[0], argv[1]);
}

static void test_refuse(void)
{
	begin_cli();
	tap_int(kit_call(refuse_argv, "why no\033t"), EXIT_USAGE,
		"a refusal has an exit status");
	tap_str(kit_said[2], "trace2 test: why: no?t" HELP "\n",
		"a refusal names the value");
	kit_call(refuse_argv, "why");
	tap_str(kit_said[2], "trace2 test: why" HELP "\n",
		"a refusal may have no value");
}

int main(void)
{
	tap_run(test_help, test_listing, test_refuse);
	return tap_done();
}
