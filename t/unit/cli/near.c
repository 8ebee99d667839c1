#define _XOPEN_SOURCE 700 /* pseudo-terminals */
/* Words that are near to a word, and what is printed of them. */
#include <getopt.h>

#include "cli/near.h"
#include "kit/command.h"

static const char *const words[] = { "concise", "full",	 "json",
				     "jsonl",	"sarif", NULL };

static void test_index(void)
{
	tap_int(tr2_near_index(words, "json"), 2, "a word has its number");
	tap_int(tr2_near_index(words, "jso"), -1, "another word has none");
}

/* A list may have words that are too long to be compared. */
static void test_long_words(void)
{
	static const char *const list[] = {
		"a-word-that-is-longer-than-any-word-compared", "json", NULL
	};

	tap_str(tr2_near_find(list, "jsno"), "json",
		"a long word of the list is passed over");
}

static void test_find(void)
{
	static const struct {
		const char *word, *near;
	} rows[] = {
		{ "json", "json" },
		{ "jsno", "json" },
		{ "jsol", "json" },
		{ "jsonll", "jsonl" },
		{ "consice", "concise" },
		{ "cnocsie", "concise" },
		{ "srif", "sarif" },
		{ "fiars", NULL },
		{ "noscice", NULL },
		{ "f", NULL },
		{ "", NULL },
		{ "concise-concise-concise-concise-x", NULL },
	};
	char name[80];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(name, sizeof(name), "what is near to '%s'",
			 rows[i].word);
		tap_str(tr2_near_find(words, rows[i].word), rows[i].near, name);
	}
}

/* Returns the word if it is near to this one, else "". */
static const char *near_to(const char *known, const char *word)
{
	const char *const list[] = { known, NULL };
	const char *near = tr2_near_find(list, word);

	return near ? near : "";
}

static void test_limits(void)
{
	tap_str(near_to("abcdefghijklmnopqrstuvwxyzabcdef",
			"abcdefghijklmnopqrstuvwxyzabcdeg"),
		"abcdefghijklmnopqrstuvwxyzabcdef",
		"a word of 32 letters is near to another one");
	tap_str(near_to("help", "ehlp"), "help",
		"two first letters that are swapped are one change");
	tap_str(near_to("help", "hepl"), "help", "so are two last ones");
	tap_str(near_to("abcd", "acxd"), "",
		"of swapped letters the first one has to be right");
	tap_str(near_to("abcd", "axbd"), "", "and so has the second one");
	tap_str(near_to("abcdefghi", "abcdefxyz"), "",
		"three changes are too many for a word of any length");
	tap_str(near_to("abcdef", "abcdxy"), "abcdef",
		"two are not for a word of six letters");
}

static const struct option known[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int complain_of(int argc, char **argv)
{
	tr2_near_complain("", "unknown word", argv[0], words);
	return argc;
}

/* Of the option that getopt refuses. */
static int complain_of_option(int argc, char **argv)
{
	int option;

	optind = 0; /* begin anew, also within an argument */
	opterr = 0;
	while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1)
		if (option == '?')
			tr2_near_complain_option("record", argv[optind - 1],
						 known);
	return argc;
}

static void test_complain(void)
{
	kit_call(complain_of, "jsn");
	tap_str(kit_said[2],
		"trace2: unknown word 'jsn'; did you mean 'json'?\n",
		"a word that is near is named");
	kit_call(complain_of, "\033[m");
	tap_str(kit_said[2],
		"trace2: unknown word '?[m' (concise, full, json, jsonl, "
		"sarif)\n",
		"else all are listed");
}

#define UNKNOWN(option, rest) \
	"trace2 record: unknown option '" option "'" rest "\n"
#define HELP "\nTry 'trace2 record --help'."

static void test_options(void)
{
	kit_call(complain_of_option, "x --ouput=1");
	tap_str(kit_said[2], UNKNOWN("--ouput=1", "; did you mean '--output'?"),
		"so is an option that is near");
	kit_call(complain_of_option, "x -o");
	tap_str(kit_said[2], UNKNOWN("-o", HELP), "a letter is near to none");
	kit_call(complain_of_option, "x --help -xh");
	tap_str(kit_said[2], UNKNOWN("-x", HELP),
		"a letter is named where others follow");
	kit_call(complain_of_option, "x -hx");
	tap_str(kit_said[2], UNKNOWN("-x", HELP), "or come before it");
	kit_call(complain_of_option, "x --help=1");
	tap_str(kit_said[2], UNKNOWN("--help=1", "; did you mean '--help'?"),
		"a long option that takes no value is named whole");
}

static struct option many[100];
static char names[99][8];

static int complain_of_many(int argc, char **argv)
{
	(void)argc;
	optopt = 0;
	tr2_near_complain_option("record", argv[0], many);
	return 0;
}

/* Of more options than fit, those that fit are compared. */
static void test_many_options(void)
{
	size_t i;

	for (i = 0; i < 99; i++) {
		snprintf(names[i], sizeof(names[i]), "opt-%02zu", i);
		many[i].name = names[i];
	}
	kit_call(complain_of_many, "--opt-6");
	tap_str(kit_said[2],
		"trace2 record: unknown option '--opt-6'; did you mean "
		"'--opt-06'?\n",
		"an option among many is near");
	kit_call(complain_of_many, "--pot98");
	tap_str(kit_said[2],
		"trace2 record: unknown option '--pot98'\n"
		"Try 'trace2 record --help'.\n",
		"of too many options the last ones are not compared");
}

int main(void)
{
	test_index();
	test_find();
	test_long_words();
	test_limits();
	test_many_options();
	test_complain();
	test_options();
	return tap_done();
}
