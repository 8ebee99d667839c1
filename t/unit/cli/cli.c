#define _GNU_SOURCE /* pseudo-terminals */
/*
 * A command line by a table: what is read, what is refused, and what is printed
 * of it; words that are near to a word. cli.txt has the cases.
 */
#include "cli/near.h"
#include "cli/options.h"
#include "kit/command.h"
#include "kit/script.h"

/*
 * ---- A command with options of each type
 */

enum color { RED, GREEN, BLUE };

struct own {
	bool flag, quick;
	const char *text, *file;
	unsigned small;
	unsigned long number;
	uint64_t wide, size, buffer;
	enum color color, later;
	int64_t duration;
	char list[32], set[32];
};

static struct own own;

static const char *set_text(void *into, char *value)
{
	struct own *mine = into;

	if (!strcmp(value, "told"))
		return TR2_CLI_TOLD;
	if (strlen(value) >= sizeof(mine->set))
		return "a short text";
	strcpy(mine->set, value);
	return NULL;
}

static const char *add_part(void *into, char *value)
{
	struct own *mine = into;

	if (!value)
		mine->list[0] = '\0';
	else
		strcat(strcat(mine->list, value), ";");
	return NULL;
}

static const char *const colors[] = { "red", "green", "blue", NULL };

static const struct tr2_cli_option table[] = {
	{ "flag", NULL, TR2_CLI_FLAG(struct own, flag), .letter = 'f',
	  .in_file = true },
	{ "quick", NULL, TR2_CLI_FLAG(struct own, quick), .letter = 'q' },
	{ "text", "TEXT", TR2_CLI_TEXT(struct own, text), .letter = 't',
	  .in_file = true },
	{ "file", "FILE", TR2_CLI_PATH(struct own, file), .letter = 'o' },
	{ "number", "N", TR2_CLI_NUMBER(struct own, number, 0, ULONG_MAX) },
	{ "small", "N", TR2_CLI_NUMBER(struct own, small, 2, 4) },
	{ "wide", "N", TR2_CLI_NUMBER(struct own, wide, 0, 1000) },
	{ "size", "SIZE", TR2_CLI_SIZE(struct own, size, 1, UINT64_MAX),
	  .in_file = true },
	{ "buffer", "SIZE",
	  TR2_CLI_SIZE(struct own, buffer, 4096, UINT64_C(4) << 30),
	  .step = 8 },
	{ "color", "COLOR", TR2_CLI_WORD(struct own, color, colors, 0) },
	{ "later-color", "A-LONG-COLOR",
	  TR2_CLI_WORD(struct own, later, colors + 1, 1) },
	{ "duration", "TIME", TR2_CLI_DURATION(struct own, duration) },
	{ "list", "A,B", TR2_CLI_LIST(add_part), .words = colors },
	{ "free", "A,B", TR2_CLI_LIST(add_part) },
	{ "set", "HOW", TR2_CLI_SET(set_text), .may_lack = true,
	  .offers = "so or", .in_file = true },
	{ "secret", "TEXT", TR2_CLI_SET(set_text), .is_secret = true,
	  .in_file = true },
	{ .name = NULL },
};

static const char *const help[] = {
	"usage: trace2 test\n\nOptions:\n"
	"  -f, --flag       on\n",
	"\nValues:\n"
	"  -t, --text TEXT  any text, as it is\n"
	"                   in a second line,\n"
	"                       and further in, which is\n"
	"                       a paragraph\n"
	"  --later-color A-LONG-COLOR\n"
	"                   green or blue\n"
	"  --set[=HOW]      how\n"
	"  -h, --help       print this help\n",
	"\nNotes.\n", NULL
};

static struct tr2_cli cli;
static int least, most, stops, has_none; /* of it */
static int code;			 /* that was returned last */

static void begin_cli(void)
{
	cli = (struct tr2_cli){
		.name = "test",
		.help = help,
		.options = table,
		.least = least,
		.most = most,
		.wants = most ? "two words" : NULL,
		.stops = stops,
		.has_none = has_none,
	};
	own = (struct own){ 0 };
}

static char rest[256]; /* the arguments that are no options, in brackets */

static int read_argv(char **argv)
{
	int result = tr2_cli_read(&cli, &own, argv);

	for (rest[0] = '\0', argv++; *argv; argv++)
		strcat(strcat(strcat(rest, "["), *argv), "]");
	return result;
}

/*
 * ---- Verbs
 */

/* What was said; `(help)` stands for the hint at the help. */
static const char *tell_said(void)
{
	static const char name[] = "trace2 test: ";
	static const char hint[] = "\nTry 'trace2 test --help'.\n";
	const char *text = kit_said[2], *end = strstr(text, hint);
	size_t skipped = strncmp(text, name, strlen(name)) ? 0 : strlen(name);

	if (end && !end[strlen(hint)])
		return script_say("%.*s (help)",
				  (int)(end - text - (ptrdiff_t)skipped),
				  text + skipped);
	text += skipped;
	end = strrchr(text, '\n');
	return end && !end[1] ? script_say("%.*s", (int)(end - text), text)
			      : text;
}

/* `line "WORDS"`: the arguments, or what is said about mistakes. */
static const char *read_line(char **word)
{
	char line[512];

	begin_cli();
	snprintf(line, sizeof(line), "test %s", word[0]);
	code = kit_call(read_argv, line);
	return code == TR2_CLI_GO_ON ? rest : tell_said();
}

static const char *tell_code(SCRIPT_NONE)
{
	return code == TR2_CLI_GO_ON ? "go on"
	       : code == EXIT_USAGE  ? "usage"
	       : code == EXIT_CLEAN  ? "clean"
				     : "?";
}

/* What was printed. */
static const char *tell_printed(SCRIPT_NONE)
{
	return kit_said[1];
}

/* All that is not 0 or missing. */
static const char *tell_own(SCRIPT_NONE)
{
	const struct {
		const char *name;
		uint64_t value;
	} numbers[] = {
		{ "flag", own.flag },
		{ "quick", own.quick },
		{ "number", own.number },
		{ "small", own.small },
		{ "wide", own.wide },
		{ "size", own.size },
		{ "buffer", own.buffer },
		{ "color", own.color },
		{ "later", own.later },
		{ "duration", (uint64_t)own.duration },
	};
	static char told[512];
	size_t len = 0;

	told[0] = '\0';
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (numbers[i].value)
			len += (size_t)snprintf(told + len, sizeof(told) - len,
						"%s %ju ", numbers[i].name,
						(uintmax_t)numbers[i].value);
	snprintf(told + len, sizeof(told) - len, "%s%s%s%s%s%s",
		 own.text ? "text:" : "", own.text ? own.text : "",
		 own.file ? "file:" : "", own.file ? own.file : "", own.list,
		 own.set);
	return told;
}

/* `file NAME VALUE`: what is said about a line of a file. */
static const char *set_by_file(char **word)
{
	begin_cli();
	kit_divert(2);
	code = tr2_cli_set(&cli, &own, "conf\033:7", word[0], word[1]);
	kit_restore(2);
	return code == TR2_CLI_GO_ON ? "" : tell_said();
}

static int refuse_argv(char **argv)
{
	return tr2_cli_refuse(&cli, argv[0], argv[1]);
}

static const char *refuse_words(char **word)
{
	begin_cli();
	code = kit_call(refuse_argv, word[0]);
	return tell_said();
}

static const char *const words[] = { "concise", "full",	 "json",
				     "jsonl",	"sarif", NULL };

static const char *find_index(char **word)
{
	return script_say_number(tr2_near_index(words, word[0]));
}

/* `near WORD`: of those above; `near WORD KNOWN...`: of these. */
static const char *find_near(char **word)
{
	const char *known[SCRIPT_WORDS] = { NULL }, *near;

	for (int i = 1; *word[i]; i++)
		known[i - 1] = word[i];
	near = tr2_near_find(*word[1] ? known : words, word[0]);
	return near ? near : "none";
}

static int complain_of(char **argv)
{
	tr2_near_complain("", "unknown word", argv[0], words);
	return 0;
}

static const char *complain_of_word(char **word)
{
	kit_call(complain_of, word[0]);
	return kit_said[2];
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "line", read_line }, { "code", tell_code },
	{ "printed", tell_printed }, { "own", tell_own },
	{ "file", set_by_file }, { "refuse", refuse_words },
	{ "index", find_index }, { "near", find_near },
	{ "complain", complain_of_word }, { "set", script_set },
	{ NULL, NULL },
};
/* clang-format on */

static const struct script_value values[] = {
	{ "least", &least },   { "most", &most }, { "stops", &stops },
	{ "none", &has_none }, { NULL, NULL },
};

static void end_case(void)
{
}

int main(void)
{
	kit_divert(1);
	kit_divert(2);
	kit_restore(2);
	kit_restore(1); /* their files stay open */
	script.values = values;
	return script_main(__FILE__, verbs, NULL, end_case);
}
