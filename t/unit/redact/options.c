/*
 * The command line of `trace2 redact`, and its key. What it refuses is in
 * t/commands/options.tsv.
 */
#define _GNU_SOURCE
#include "kit/tap.h"

#include "redact/options.h"
#include "redact/redact_kit.h"
#include "redact/redactor/line.h"

#define HELP "Try 'trace2 redact --help'.\n"
#define SIZE "trace2 redact: a key has 16 to 4096 bytes, expected another one: "

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

/* A key of `count` bytes; returns its length, or 0 and the status. */
static size_t read_key(size_t count, int *code)
{
	static char key[TR2_REDACT_KEY_MOST + 1];
	const struct tr2_redact_options named = { .key_file = "key" };
	FILE *file = fopen("key", "w");
	size_t i, len;

	for (i = 0; i < count; i++)
		fputc('a' + (int)(i % 7), file);
	fclose(file);
	*code = 0;
	kit_divert(2);
	len = tr2_redact_options_key(&named, key, code);
	kit_restore(2);
	for (i = 0; i < len; i++)
		if (key[i] != 'a' + (int)(i % 7))
			return 1;
	return len;
}

static void test_lengths(void)
{
	int code;

	tap_int((int)read_key(16, &code), 16, "a key may have 16 bytes");
	tap_int((int)read_key(4096, &code), 4096, "or 4096 of them");
	tap_int(code, 0, "which is no error");
	tap_int((int)read_key(15, &code), 0, "15 are too few");
	tap_int(code, 2, "and a wrong command line");
	tap_str(kit_said[2], SIZE "key\n" HELP, "as a message tells");
	tap_int((int)read_key(4097, &code), 0, "4097 are too many");
	tap_str(kit_said[2], SIZE "key\n" HELP, "as a message tells, too");
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

static void test_random_keys(void)
{
	const struct tr2_redact_options none = { 0 };
	char one[TR2_REDACT_KEY_MOST + 1] = "", two[sizeof(one)] = "";
	int code = 0;

	tap_int((int)tr2_redact_options_key(&none, one, &code), 32,
		"a random key has 32 bytes");
	tr2_redact_options_key(&none, two, &code);
	tap_ok(memcmp(one, two, 32) != 0, "and is another one each time");
}

static void test_no_key(void)
{
	write_file("a", LINE);
	tap_str(tell_words("--hide all --key none a", 3),
		"trace2 redact: No such file or directory: none\n",
		"a key that is missing is told");
	tap_str(tell_words("--hide all --key . a", 3),
		"trace2 redact: Is a directory: .\n",
		"so is one that can't be read");
	tap_str(kit_said[1], "", "and nothing is written without it");
}

int main(void)
{
	enter_directory();
	test_kinds();
	test_values();
	test_lengths();
	test_room();
	test_random_keys();
	test_no_key();
	leave_directory();
	return tap_done();
}
