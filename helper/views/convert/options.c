#include "views/convert/convert_part.h"

#include <string.h>

#include "cli/near.h"
#include "convert_usage.h"

#define OWN struct tr2_convert_options

/*
 * The words for the targets. `json` and `pftrace` are the ends of names, and
 * other words for `chrome` and `perfetto`.
 */
/* clang-format off */
#define TARGETS(ROW) \
	ROW("fxt", TR2_TO_FXT) \
	ROW("chrome", TR2_TO_CHROME) \
	ROW("json", TR2_TO_CHROME) \
	ROW("perfetto", TR2_TO_PERFETTO) \
	ROW("pftrace", TR2_TO_PERFETTO) \
	ROW("speedscope", TR2_TO_SPEEDSCOPE) \
	ROW("folded", TR2_TO_FOLDED) \
	ROW("otlp", TR2_TO_OTLP)
/* clang-format on */

#define PUT_WORD(word, number) word,
#define PUT_NUMBER(word, number) number,

static const char *const targets[] = { TARGETS(PUT_WORD) NULL };

static enum tr2_convert_target find_target(const char *word)
{
	static const enum tr2_convert_target numbers[] = { TARGETS(
		PUT_NUMBER) };
	const int place = tr2_near_index(targets, word);

	return place < 0 ? TR2_TO_NOTHING : numbers[place];
}

/* The target that the end of a file's name stands for. */
static enum tr2_convert_target find_target_of_name(const char *name)
{
	static const char end[] = ".speedscope.json";
	const char *dot = strrchr(name, '.');
	size_t len = strlen(name);

	if (len >= sizeof(end) - 1 &&
	    !strcmp(name + len - sizeof(end) + 1, end))
		return TR2_TO_SPEEDSCOPE;
	return dot ? find_target(dot + 1) : TR2_TO_NOTHING;
}

static const char *set_target(void *into, char *word)
{
	OWN *options = into;

	if (tr2_near_index(targets, word) >= 0)
		options->target = find_target(word);
	else if (!tr2_cli_read_duration(word, &options->to))
		return "a format, or a time such as 2.5s";
	return NULL;
}

static const struct tr2_cli_option table[] = {
	{ CONVERT_OPTION_FROM, TR2_CLI_DURATION(OWN, from) },
	{ CONVERT_OPTION_TO, TR2_CLI_SET(set_target), .words = targets,
	  .may_count = true },
	{ .name = NULL },
};

const struct tr2_cli tr2_convert_cli = {
	.name = "convert",
	.help = CONVERT_HELP,
	.options = table,
	.least = 2,
	.most = 2,
	.wants = "an input and an output",
};

static int take_names(struct tr2_convert_options *options, char **names)
{
	options->in = names[0];
	options->out = names[1];
	if (!*options->in || !*options->out)
		return tr2_cli_refuse(
			&tr2_convert_cli,
			"expected an input and an output; a name is empty",
			NULL);
	if (!options->target)
		options->target = find_target_of_name(options->out);
	if (!options->target)
		return tr2_cli_refuse(
			&tr2_convert_cli,
			"the output's name ends neither in .fxt nor in .json, "
			".pftrace, .speedscope.json, .folded or .otlp; give --to FORMAT",
			options->out);
	if (options->from >= options->to)
		return tr2_cli_refuse(&tr2_convert_cli,
				      "--from must be earlier than --to", NULL);
	if (tr2_convert_options_cut(options) &&
	    options->target > TR2_TO_PERFETTO)
		return tr2_cli_refuse(&tr2_convert_cli,
				      "--from and --to TIME are for fxt, "
				      "chrome and perfetto",
				      NULL);
	return TR2_CLI_GO_ON;
}

int tr2_convert_options_read(struct tr2_convert_options *options, char **argv)
{
	int code;

	*options = (struct tr2_convert_options){ .to = INT64_MAX };
	code = tr2_cli_read(&tr2_convert_cli, options, argv);
	return code == TR2_CLI_GO_ON ? take_names(options, argv + 1) : code;
}
