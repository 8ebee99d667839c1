#define _XOPEN_SOURCE 700 /* pseudo-terminals */
/* The command line of `trace2 summary`. */
#include <getopt.h>
#include <time.h>

#include "kit/command.h"
#include "rules/value.h"
#include "summary/options.h"
#include "validate/options.h"

#define SECOND INT64_C(1000000)
#define HELP "Try 'trace2 summary --help'.\n"

static struct tr2_summary_options options;

/* 2026-11-23T08:30:00 UTC, for ever. */
time_t time(time_t *place)
{
	if (place)
		*place = 1795422600;
	return 1795422600;
}

static int parse_words(int argc, char **argv)
{
	optind = 0; /* getopt begins anew */
	return tr2_summary_options_parse(&options, argc, argv);
}

/* Returns what is said about a command line, "" if it is right. */
static const char *parse_line(const char *words)
{
	char line[256];
	bool refused;

	snprintf(line, sizeof(line), "summary %s", words);
	memset(&options, 0xa5, sizeof(options));
	refused = kit_call(parse_words, line) == EXIT_USAGE;
	if (refused != (*kit_said[2] != '\0'))
		return "the exit status tells something else";
	return kit_said[2];
}

static void test_none(void)
{
	tap_str(parse_line("a.log"), "", "no option is needed");
	tap_ok(options.format == TR2_SUMMARY_TEXT &&
		       options.by == TR2_BY_NOTHING && !options.percentiles &&
		       !options.merge && !options.help && options.top == -1 &&
		       !options.filter.command && !options.filter.since &&
		       !options.filter.slower_than,
	       "then all have their defaults");
	tap_int(optind, 1, "the first path follows");
	parse_line("a.log --merge b.log");
	tap_ok(options.merge && optind == 2,
	       "an option applies wherever it stands");
	parse_line("-- --merge");
	tap_ok(!options.merge && optind == 2, "but not after --");
}

static void test_flags(void)
{
	tap_ok(!*parse_line("-h") && options.help, "-h asks for help");
	tap_ok(!*parse_line("--help") && options.help && !options.merge,
	       "--help asks for help");
	tap_ok(!*parse_line("--percentiles") && options.percentiles,
	       "--percentiles is on");
	tap_ok(!*parse_line("--merge") && options.merge, "--merge is on");
	tap_ok(!*parse_line("--command fetch") &&
		       !strcmp(options.filter.command, "fetch"),
	       "--command has a name");
}

static void test_words(void)
{
	static const char *const bys[] = { "command", "mode",	 "repository",
					   "caller",  "version", "host",
					   "hour" };
	static const char *const formats[] = { "text", "json", "csv", "state" };
	char line[64];
	int i;

	for (i = 0; i < 7; i++) {
		snprintf(line, sizeof(line), "--by %s", bys[i]);
		tap_ok(!*parse_line(line) && options.by == (enum tr2_by)(i + 1),
		       line);
	}
	for (i = 0; i < 4; i++) {
		snprintf(line, sizeof(line), "--format %s", formats[i]);
		tap_ok(!*parse_line(line) &&
			       options.format == (enum tr2_summary_format)i,
		       line);
	}
	tap_str(parse_line("--by hours"),
		"trace2 summary: unknown key 'hours'; did you mean 'hour'?\n",
		"a key that is not known is refused");
	tap_str(parse_line("--by nothing"),
		"trace2 summary: unknown key 'nothing' (command, mode, "
		"repository, caller, version, host, hour)\n",
		"no key is none");
	tap_str(parse_line("--format xml"),
		"trace2 summary: unknown format 'xml' (text, json, csv, "
		"state)\n",
		"a format that is not known is refused");
}

static void test_top(void)
{
	static const char *const wrong[] = { "-1", "x", "7x", "+7", "1.5" };
	char line[64], want[128];
	size_t i;

	tap_ok(!*parse_line("--top 0") && options.top == 0, "--top may be 0");
	tap_ok(!*parse_line("--top 12") && options.top == 12,
	       "--top is a number");
	tap_ok(!*parse_line("--top 9") && options.top == 9, "of any digits");
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(line, sizeof(line), "--top %s", wrong[i]);
		snprintf(want, sizeof(want),
			 "trace2 summary: --top needs a number: %s\n" HELP,
			 wrong[i]);
		tap_str(parse_line(line), want, line);
	}
	tap_str(parse_line("--top="),
		"trace2 summary: --top needs a number: \n" HELP,
		"an empty text is no number");
}

static int64_t parse_duration(const char *text)
{
	char line[64];

	snprintf(line, sizeof(line), "--slower-than %s", text);
	return *parse_line(line) ? -1 : options.filter.slower_than;
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
		{ "2s", 2 * SECOND },
		{ "1.5s", 1500000 },
		{ "0.0000014s", 1 },
		{ "0.0000015s", 2 },
		{ "90min", 5400 * SECOND },
		{ "12h", 43200 * SECOND },
		{ "7d", 604800 * SECOND },
		{ "9us", 9 },
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
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tap_int(parse_duration(rows[i].text), rows[i].us, rows[i].text);
	tap_str(parse_line("--slower-than soon"),
		"trace2 summary: --slower-than needs a duration such as 500ms "
		"or 2s: soon\n" HELP,
		"what is no duration is refused");
}

/* Microseconds since 2026-11-23, or -1: it is refused. */
static int64_t parse_since(const char *text)
{
	int64_t day = tr2_time_read("2026-11-23T00:00:00.000000Z");
	char line[64];

	snprintf(line, sizeof(line), "--since %s", text);
	return *parse_line(line) ? -1 : options.filter.since - day;
}

static void test_since(void)
{
	static const struct {
		const char *text;
		int64_t us;
	} rows[] = {
		{ "2026-11-23", 0 },
		{ "2026-11-23Z", 0 },
		{ "2026-11-24", 86400 * SECOND },
		{ "2026-11-23T08", 28800 * SECOND },
		{ "2026-11-23T08:30", 30600 * SECOND },
		{ "2026-11-23T08:30:07", 30607 * SECOND },
		{ "2026-11-23T08:30:07Z", 30607 * SECOND },
		{ "2026-11-23T00:00:00.000009", 9 },
		{ "2026-11-23T00:00:00.123456Z", 123456 },
		{ "30min", 28800 * SECOND },
		{ "0s", 30600 * SECOND },
		{ "8.5h", 0 },
		{ "2026-11-2", -1 },
		{ "2026-11", -1 },
		{ "2026-11-23T00:00:00.1234567", -1 },
		{ "2026-11-23T00:00:00.1234567Z", -1 },
		{ "2026-11-23T00:00:00.000000+0000", -1 },
		{ "2026-11-23_08:30", -1 },
		{ "2026/11/23", -1 },
		{ "2026-11-23ZZ", -1 },
		{ "2026-11-23T00:00:00.123456Z-or-later", -1 },
		{ "yesterday", -1 },
		{ "Z", -1 },
		{ "yesterday-at-noon-if-it-did-not-rain-Z", -1 },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tap_int(parse_since(rows[i].text), rows[i].us, rows[i].text);
	tap_str(parse_line("--since yesterday"),
		"trace2 summary: --since needs a time such as 2026-11-23 or "
		"12h: yesterday\n" HELP,
		"what is no time is refused");
	tap_ok(parse_since("") == -1, "an empty text is no time");
}

static void test_wrong(void)
{
	tap_str(parse_line("--tpo 7"),
		"trace2 summary: unknown option '--tpo'; did you mean "
		"'--top'?\n",
		"an option that is not known is refused");
	tap_str(parse_line("a.log -x"),
		"trace2 summary: unknown option '-x'\n" HELP,
		"also a short one");
	tap_str(parse_line("-xh"), "trace2 summary: unknown option '-x'\n" HELP,
		"which may stand among others");
	tap_str(parse_line("--merge -hx"),
		"trace2 summary: unknown option '-x'\n" HELP,
		"or after others");
	tap_str(parse_line("--help=3"),
		"trace2 summary: unknown option '--help=3'; did you mean "
		"'--help'?\n",
		"an option that needs no value may have none");
	tap_str(parse_line("a.log --by"),
		"trace2 summary: an option needs a value: --by\n" HELP,
		"an option may need a value");
	tap_str(parse_line("--bad --top x"),
		"trace2 summary: unknown option '--bad'\n" HELP,
		"only the first mistake is told");
	tap_str(parse_line("--top x --top 7"),
		"trace2 summary: --top needs a number: x\n" HELP,
		"what follows does not mend it");
}

#define MERGES                                                            \
	"trace2 summary: --merge uses the options of the states; it has " \
	"no --by, --command, --since, --slower-than or --percentiles\n" HELP

static void test_merge(void)
{
	static const char *const choices[] = { "--by host", "--command gc",
					       "--since 1h", "--slower-than 1s",
					       "--percentiles" };
	char line[64];
	size_t i;

	for (i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		snprintf(line, sizeof(line), "%s --merge", choices[i]);
		tap_str(parse_line(line), MERGES, line);
	}
	tap_str(parse_line("--merge --top 3 --format csv a.state"), "",
		"how a sum is shown may be chosen");
}

static int refuse_value(int argc, char **argv)
{
	return tr2_summary_options_refuse(argv[0], argc > 1 ? argv[1] : NULL);
}

static void test_refuse(void)
{
	tap_int(kit_call(refuse_value, "why not"), EXIT_USAGE,
		"a refusal has an exit status");
	tap_str(kit_said[2], "trace2 summary: why: not\n" HELP,
		"it names the value");
	kit_call(refuse_value, "why");
	tap_str(kit_said[2], "trace2 summary: why\n" HELP,
		"which may be missing");
	tap_str(kit_said[1], "", "nothing is written to standard output");
}

int main(void)
{
	test_none();
	test_flags();
	test_words();
	test_top();
	test_durations();
	test_since();
	test_wrong();
	test_merge();
	test_refuse();
	return tap_done();
}
