#include "views/convert/convert_part.h"

#include <string.h>

#include "cli/near.h"

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
	{ "from", "TIME", TR2_CLI_DURATION(OWN, from),
	  .help = "leave out what ended earlier than so long after the first "
		  "event: 800ms, 2.5s" },
	{ "to", "FORMAT|TIME", TR2_CLI_SET(set_target), .words = targets,
	  .may_count = true,
	  .help = "the format to write: fxt, chrome (or json), perfetto (or "
		  "pftrace), speedscope, folded or otlp (default: by the name of OUT); or leave out "
		  "what began so long after the first event or later" },
	{ .name = NULL },
};

const struct tr2_cli tr2_convert_cli = {
	.name = "convert",
	.about =
		"usage: trace2 convert [--to FORMAT] [--from TIME] [--to TIME] IN OUT\n"
		"\n"
		"Turn Trace2 logs of any writer into a trace that viewers can open.\n"
		"FORMAT is one of these:\n"
		"\n"
		"  fxt         an archive of the FXT format; IN may also be one with --from\n"
		"              or --to TIME, which cut it\n"
		"  chrome      Chrome's JSON; IN may also be an archive\n"
		"  perfetto    packets of Perfetto's TrackEvent; IN may also be an archive\n"
		"  speedscope  speedscope's JSON\n"
		"  folded      folded stacks for flamegraph.pl, with microseconds\n"
		"  otlp        spans of OpenTelemetry: OTLP/JSON, a TracesData in each line\n"
		"\n"
		"IN is a file, which may be compressed by gzip or zstd, a directory, which\n"
		"means all files below it, or `-` for standard input. OUT is a file or `-`.\n"
		"--to is optional if the name of OUT ends in .fxt, .json (chrome),\n"
		".pftrace (perfetto), .speedscope.json, .folded or .otlp.\n"
		"\n"
		"In fxt, chrome and perfetto, each process of a log becomes a process that is named\n"
		"after its command. A slice shows its life; the slice has the real pid and\n"
		"the SID as arguments. Threads and regions become slices, and children\n"
		"become spans and flows. Timers and counters become counters, and all\n"
		"other events become instants.\n"
		"\n"
		"In speedscope and folded, each microsecond of a command belongs to one\n"
		"stack of processes, regions and children, as in `trace2 summary`.\n"
		"\n"
		"In otlp, processes, regions and children are spans; errors, data and printf\n"
		"events are their events; timers and counters are attributes.\n"
		"\n"
		"Lines that are not events are left out and reported on standard error.\n"
		"\n"
		"OUT is replaced when the result is complete and on disk. It does not\n"
		"change if there is nothing to convert or something cannot be written.\n",
	.options = table,
	.notes =
		"Exit status: 0 everything was converted, 1 something was left out or cut,\n"
		"2 the command line was wrong, 3 something could not be read or written, or\n"
		"there was nothing to convert.\n",
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
