/*
 * The command line of `trace2 redact`, and its key. What it refuses is in
 * t/commands/options.tsv.
 */
#define _GNU_SOURCE
#include "kit/tap.h"

#include "redact/options.h"
#include "redact/redact_kit.h"
#include "redact/redactor/line.h"

static struct tr2_redact_options options;

static int parse_argv(int argc, char **argv)
{
	const int code = tr2_redact_options_read(&options, argv);

	(void)argc;
	return code == TR2_CLI_GO_ON ? 0 : code;
}

static int parse_words(const char *words)
{
	char line[1024];

	snprintf(line, sizeof(line), "redact %s", words);
	return kit_call(parse_argv, line);
}

static void test_kinds(void)
{
	char wrong[32];

	tap_int(tr2_redactor_parse("paths", wrong), TR2_HIDE_PATHS,
		"a kind is one bit");
	tap_int(tr2_redactor_parse("hosts,users", wrong),
		TR2_HIDE_HOSTS | TR2_HIDE_USERS, "several kinds are their sum");
	tap_int(tr2_redactor_parse("repositories,arguments", wrong),
		TR2_HIDE_REPOSITORIES | TR2_HIDE_ARGUMENTS,
		"the last kinds have bits, too");
	tap_int(tr2_redactor_parse("users,all", wrong), TR2_HIDE_ALL,
		"all kinds are all bits");
	tap_int(tr2_redactor_parse("paths,path,x", wrong), 0,
		"one wrong word refuses all");
	tap_str(wrong, "path", "and is the first one that is told");
	tap_int(tr2_redactor_parse("", wrong), 0, "no word is no kind");
	tap_int(tr2_redactor_parse("paths,", wrong), 0,
		"nor is there one after the last comma");
	tap_int(tr2_redactor_parse("repositoriesrepositoriesrepositories",
				   wrong),
		0, "a long word is no kind");
	tap_str(wrong, "repositoriesrepositoriesreposit",
		"of which 31 bytes are told");
}

static void test_values(void)
{
	tap_int(parse_words("--hide paths --hide=hosts --key k -o out a b"), 0,
		"all options can be given");
	tap_int(options.hide, TR2_HIDE_PATHS | TR2_HIDE_HOSTS,
		"kinds of several options are added");
	tap_str(options.key_file, "k", "a key has its file");
	tap_str(options.output, "out", "an output has its name");
	tap_ok(!parse_words("-o - a") && !options.output,
	       "standard output has a name");
	tap_int(parse_words("-"), 0, "standard input is a path");
	tap_ok(!options.hide && !options.key_file && !options.output,
	       "nothing is hidden or named by default");
}

/* A longer file has no more room than any other. */
static void test_room(void)
{
	static char key[TR2_REDACT_KEY_MOST + 2];
	const struct tr2_redact_options named = { .key_file = "key" };
	int before, code = 0;
	FILE *file = fopen("key", "w");

	fprintf(file, "%5000s", "");
	fclose(file);
	key[TR2_REDACT_KEY_MOST + 1] = '!';
	before = count_descriptors();
	kit_divert(2);
	tr2_redact_options_key(&named, key, &code);
	kit_restore(2);
	tap_int(code, 2, "a file of 5000 bytes is no key");
	tap_int(key[TR2_REDACT_KEY_MOST + 1], '!',
		"of a long key only so much is read as has room");
	tap_int(count_descriptors(), before, "a key's file is closed");
}

int main(void)
{
	enter_directory();
	tap_run(test_kinds, test_values, test_room);
	leave_directory();
	return tap_done();
}
