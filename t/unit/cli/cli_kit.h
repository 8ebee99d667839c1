/* cli_kit.h - a command with options of each type, and its command line. */
#ifndef UNIT_CLI_KIT_H
#define UNIT_CLI_KIT_H

#include "cli/options.h"
#include "kit/command.h"

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

static inline const char *set_text(void *into, char *value)
{
	struct own *mine = into;

	if (!strcmp(value, "told"))
		return TR2_CLI_TOLD;
	if (strlen(value) >= sizeof(mine->set))
		return "a short text";
	strcpy(mine->set, value);
	return NULL;
}

static inline const char *add_part(void *into, char *value)
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
	  .in_file = true, .help = "on" },
	{ "quick", NULL, TR2_CLI_FLAG(struct own, quick), .letter = 'q',
	  .help = "faster" },
	TR2_CLI_HEADING("Values"),
	{ "text", "TEXT", TR2_CLI_TEXT(struct own, text), .letter = 't',
	  .in_file = true, .help = "any text" },
	{ "file", "FILE", TR2_CLI_PATH(struct own, file), .letter = 'o',
	  .help = "a file" },
	{ "number", "N", TR2_CLI_NUMBER(struct own, number, 0, ULONG_MAX),
	  .help = "a number" },
	{ "small", "N", TR2_CLI_NUMBER(struct own, small, 2, 4),
	  .help = "a small number, which has a text that is so long that it "
		  "needs a second line\nand a second paragraph\n"
		  "    of which one has blanks at its begin; also in what "
		  "follows in other lines" },
	{ "wide", "N", TR2_CLI_NUMBER(struct own, wide, 0, 1000),
	  .help = "a wide number" },
	{ "size", "SIZE", TR2_CLI_SIZE(struct own, size, 1, UINT64_MAX),
	  .in_file = true, .help = "bytes" },
	{ "buffer", "SIZE",
	  TR2_CLI_SIZE(struct own, buffer, 4096, UINT64_C(4) << 30), .step = 8,
	  .help = "words" },
	{ "color", "COLOR", TR2_CLI_WORD(struct own, color, colors, 0),
	  .help = "red, green or blue" },
	{ "later-color", "A-LONG-COLOR",
	  TR2_CLI_WORD(struct own, later, colors + 1, 1),
	  .help = "green or blue" },
	{ "duration", "TIME", TR2_CLI_DURATION(struct own, duration),
	  .help = "a time" },
	{ "list", "A,B", TR2_CLI_LIST(add_part), .words = colors,
	  .help = "some colors" },
	{ "free", "A,B", TR2_CLI_LIST(add_part), .help = "some parts" },
	{ "set", "HOW", TR2_CLI_SET(set_text), .may_lack = true,
	  .offers = "so or", .in_file = true, .help = "how" },
	{ "secret", "TEXT", TR2_CLI_SET(set_text), .is_secret = true,
	  .in_file = true, .help = "what nobody may see" },
	{ .name = NULL },
};

static struct tr2_cli cli;

static inline void begin_cli(void)
{
	cli = (struct tr2_cli){
		.name = "test",
		.about = "usage: trace2 test\n",
		.options = table,
		.notes = "Notes.\n",
	};
	own = (struct own){ 0 };
}

static char rest[256]; /* the arguments that are no options, in brackets */

static inline int read_argv(char **argv)
{
	int code = tr2_cli_read(&cli, &own, argv);

	for (rest[0] = '\0', argv++; *argv; argv++)
		strcat(strcat(strcat(rest, "["), *argv), "]");
	return code;
}

static inline int read_words(const char *words)
{
	char line[512];

	snprintf(line, sizeof(line), "test %s", words);
	return kit_call(read_argv, line);
}

/* Returns the arguments, or what was printed about mistakes. */
static inline const char *read_line(const char *words)
{
	begin_cli();
	return read_words(words) == TR2_CLI_GO_ON ? rest : kit_said[2];
}

#endif
