#define _XOPEN_SOURCE 700 /* pseudo-terminals */
/*
 * A command line by a table: what is read, and what is refused. Words that are
 * near to a word, and what is printed of them.
 */
#include "cli/cli_kit.h"
#include "kit/command.h"
#include "cli/near.h"

/*
 * ---- Options
 */

static void test_arguments(void)
{
	static const char *const rows[][2] = {
		{ "", "" },
		{ "a b", "[a][b]" },
		{ "a --flag b -q c", "[a][b][c]" },
		{ "a -- --flag", "[a][--flag]" },
		{ "-- --", "[--]" },
		{ "- --flag", "[-]" },
		{ "--text -- a", "[a]" },
		{ "--text --flag a", "[a]" },
		{ "-fqt x y", "[y]" },
		{ "-fqtx y", "[y]" },
		{ "--te x y", "[y]" },
		{ "--te=x y", "[y]" },
		{ "--set x", "[x]" },
		{ "--set=x y", "[y]" },
	};
	char name[80];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(name, sizeof(name), "what '%s' leaves is '%s'",
			 rows[i][0], rows[i][1]);
		tap_str(read_line(rows[i][0]), rows[i][1], name);
	}
	begin_cli();
	cli.stops = true;
	read_words("--flag - --quick");
	tap_str(rest, "[-][--quick]", "the first argument can end the options");
	tap_ok(own.flag && !own.quick, "only those before it are read");
}

static void test_count_of_arguments(void)
{
	begin_cli();
	cli.least = cli.most = 2;
	cli.wants = "two words";
	tap_int(read_words("a b"), TR2_CLI_GO_ON, "two words are two");
	tap_int(read_words("a"), EXIT_USAGE, "one word is refused");
	tap_str(kit_said[2],
		"trace2 test: expected two words\nTry 'trace2 test --help'.\n",
		"what is expected is named");
	tap_int(read_words("a b c d"), EXIT_USAGE, "four words are refused");
	tap_str(kit_said[2],
		"trace2 test: unexpected argument 'c'\n"
		"Try 'trace2 test --help'.\n",
		"the first word too many is named");
	tap_int(read_words("a -h"), EXIT_CLEAN, "help needs no words");
	begin_cli();
	cli.has_none = true;
	tap_int(read_words("-f"), TR2_CLI_GO_ON, "no word is none");
	read_words("a\033 b");
	tap_str(kit_said[2],
		"trace2 test: unexpected argument 'a?'\n"
		"Try 'trace2 test --help'.\n",
		"the first word is unexpected, and made safe to print");
}

static void test_values(void)
{
	tap_str(read_line("--flag --text= --file=x --number 7 --small 4 "
			  "--wide=1000 --size 9k --buffer 4G --color blue "
			  "--later-color green --duration 1.5s --set=s"),
		"", "all options have values");
	tap_ok(own.flag && !own.quick && !*own.text && !strcmp(own.file, "x"),
	       "flags and texts have their members");
	tap_ok(own.number == 7 && own.small == 4 && own.wide == 1000 &&
		       own.size == 9 << 10 && own.buffer == UINT64_C(4) << 30,
	       "numbers and sizes have their members");
	tap_ok(own.color == BLUE && own.later == GREEN &&
		       own.duration == 1500000 && !strcmp(own.set, "s"),
	       "words, durations and setters have their members");
	read_line("--number 1 --number 2");
	tap_int((intmax_t)own.number, 2, "the last value counts");
	read_line("--list red,blue --list=green,green");
	tap_str(own.list, "green;green;", "a list begins anew");
	read_line("--free a,,b,");
	tap_str(own.list, "a;;b;;", "a list without words has any parts");
	read_line("--set=x --set");
	tap_str(own.set, "", "a value that may lack is empty then");
}

static void test_sizes(void)
{
	static const struct {
		const char *text;
		uint64_t size; /* 0: refused */
	} rows[] = {
		{ "1", 1 },
		{ "007", 7 },
		{ "3K", 3 << 10 },
		{ "3k", 3 << 10 },
		{ "9M", 9 << 20 },
		{ "9m", 9 << 20 },
		{ "1G", 1 << 30 },
		{ "17179869183g", UINT64_C(17179869183) << 30 },
		{ "17179869184g", 0 },
		{ "18446744073709551615", UINT64_MAX },
		{ "18446744073709551616", 0 },
		{ "0", 0 },
		{ "k", 0 },
		{ "1kb", 0 },
		{ "1T", 0 },
		{ "+1", 0 },
		{ "-1", 0 },
		{ "/1", 0 },
		{ ":1", 0 },
		{ "1,", 0 },
	};
	char line[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(line, sizeof(line), "--size %s", rows[i].text);
		read_line(line);
		tap_ok(own.size == rows[i].size, line);
	}
}

static void test_durations(void)
{
	static const struct {
		const char *text;
		int64_t us;
	} rows[] = {
		{ "0us", 0 },
		{ "7us", 7 },
		{ "500ms", 500000 },
		{ "0.0000014s", 1 },
		{ "0.0000015s", 2 },
		{ "90min", INT64_C(5400000000) },
		{ "12h", INT64_C(43200000000) },
		{ "7d", INT64_C(604800000000) },
		{ "999999999999999us", INT64_C(999999999999999) },
		{ "11574074d", INT64_C(999999993600000000) },
		{ "11574075d", -1 },
		{ "1000000000000000000us", -1 },
		{ "7", -1 },
		{ "s", -1 },
		{ "-1s", -1 },
		{ ".5s", -1 },
		{ ":s", -1 },
		{ "7sec", -1 },
		{ "7m", -1 },
	};
	char line[64];
	bool refused;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(line, sizeof(line), "--duration %s", rows[i].text);
		refused = *read_line(line) != '\0';
		tap_int(refused ? -1 : own.duration, rows[i].us, line);
	}
}

#define HELP "\nTry 'trace2 test --help'."
#define COLORS "red, green or blue, not "

static const char *const refused[][2] = {
	{ "a --text", "--text needs a value" HELP },
	{ "-ft", "-t needs a value" HELP },
	{ "--file=", "--file needs a name, not ''" HELP },
	{ "-o=", NULL },
	{ "--number=", "--number needs a number, not ''" HELP },
	{ "--number +7", "--number needs a number, not '+7'" HELP },
	{ "--number 7x", "--number needs a number, not '7x'" HELP },
	{ "--number 99999999999999999999",
	  "--number needs a number, not '99999999999999999999'" HELP },
	{ "--small 1", "--small needs a number from 2 to 4, not '1'" HELP },
	{ "--small 5", "--small needs a number from 2 to 4, not '5'" HELP },
	{ "--small 4294967299",
	  "--small needs a number from 2 to 4, not '4294967299'" HELP },
	{ "--size x", "--size needs a size such as 64M, not 'x'" HELP },
	{ "--buffer 4100", "--buffer needs a size from 4K to 4G, a "
			   "multiple of 8, not '4100'" HELP },
	{ "--buffer 4088", "--buffer needs a size from 4K to 4G, a "
			   "multiple of 8, not '4088'" HELP },
	{ "--buffer 5G", "--buffer needs a size from 4K to 4G, a "
			 "multiple of 8, not '5G'" HELP },
	{ "--color", "--color needs a value: red, green or blue" HELP },
	{ "--color x", "--color needs " COLORS "'x'" HELP },
	{ "--color grene",
	  "--color needs " COLORS "'grene'; did you mean 'green'?" },
	{ "--later-color red",
	  "--later-color needs green or blue, not 'red'" HELP },
	{ "--duration 7", "--duration needs a duration such as 500ms "
			  "or 2s, not '7'" HELP },
	{ "--list red,", "--list needs " COLORS "''" HELP },
	{ "--list red,bleu,x",
	  "--list needs " COLORS "'bleu'; did you mean 'blue'?" },
	{ "--set=0123456789012345678901234567890123",
	  "--set needs a short text, not "
	  "'0123456789012345678901234567890123'" HELP },
	{ "--secret 0123456789012345678901234567890123",
	  "--secret needs a short text" HELP },
	{ "--flag=x", "--flag takes no value" HELP },
	{ "--help=x", "--help takes no value" HELP },
	{ "--flga", "unknown option '--flga'; did you mean '--flag'?" },
	{ "--hlep", "unknown option '--hlep'; did you mean '--help'?" },
	{ "--number=x --flga", "--number needs a number, not 'x'" HELP },
	{ "--s", "unknown option '--s'" HELP },
	{ "--=x", "unknown option '--=x'" HELP },
	{ "--helps=x", "unknown option '--helps=x'; did you mean '--help'?" },
	{ "-fxq", "unknown option '-x'" HELP },
	{ "a -x", "unknown option '-x'" HELP },
	{ "-hx", "unknown option '-x'" HELP },
	{ "--help --color x", "--color needs " COLORS "'x'" HELP },
};

static void test_refused(void)
{

	char told[256];
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		if (!refused[i][1]) /* a letter has no equals sign */ {
			tap_str(read_line(refused[i][0]), "",
				"a name can be =");
			continue;
		}
		snprintf(told, sizeof(told), "trace2 test: %s\n",
			 refused[i][1]);
		tap_str(read_line(refused[i][0]), told, refused[i][0]);
	}
	begin_cli();
	tap_int(read_words("--set=told"), EXIT_USAGE,
		"a setter can tell by itself");
	tap_str(kit_said[2], "", "and is the only one that tells");
}

/* Returns what is told about a line of a file, "" if it is right. */
static const char *set_line(const char *name, const char *text)
{
	static const char *where = "conf\033:7";
	char value[64];
	int code;

	begin_cli();
	snprintf(value, sizeof(value), "%s", text);
	kit_divert(2);
	code = tr2_cli_set(&cli, &own, where, name, value);
	kit_restore(2);
	return code == TR2_CLI_GO_ON ? "" : kit_said[2];
}

#define PLACE "trace2 test: conf?:7: "

static void test_file(void)
{
	tap_str(set_line("flag", ""), "", "a file can have a flag");
	tap_ok(own.flag, "the flag is on");
	tap_str(set_line("size", "3k"), "", "a file can have a size");
	tap_int((intmax_t)own.size, 3072, "the size has its member");
	tap_str(set_line("set", ""), "", "a value may lack in a file");
	tap_str(set_line("flag", "on"), PLACE "flag takes no value\n",
		"a flag in a file has no value");
	tap_str(set_line("size", ""), PLACE "size needs a value\n",
		"a size in a file has a value");
	tap_str(set_line("size", "x"),
		PLACE "size needs a size such as 64M, not 'x'\n",
		"a wrong value in a file is told with its place");
	tap_str(set_line("number", "7"),
		PLACE "unknown setting 'number'; expected flag, text, size, "
		      "set or secret\n",
		"only some options can be in a file");
	tap_str(set_line("fla", ""),
		PLACE "unknown setting 'fla'; did you mean 'flag'?\n",
		"a name in a file is not cut");
}

/*
 * ---- Near
 */

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

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
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

static int complain_of(char **argv)
{
	tr2_near_complain("", "unknown word", argv[0], words);
	return 0;
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
	tap_run(test_arguments, test_count_of_arguments, test_values,
		test_sizes, test_durations, test_refused, test_file, test_index,
		test_find, test_long_words, test_limits, test_complain);
	return tap_done();
}
