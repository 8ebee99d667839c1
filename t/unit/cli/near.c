#define _XOPEN_SOURCE 700 /* pseudo-terminals */
/* Words that are near to a word, and what is printed of them. */
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

static int complain_of(int argc, char **argv)
{
	tr2_near_complain("", "unknown word", argv[0], words);
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

int main(void)
{
	tap_run(test_index, test_find, test_long_words, test_limits,
		test_complain);
	return tap_done();
}
