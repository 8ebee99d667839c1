#include "views/summary/options.h"

#include <string.h>
#include <time.h>

#include "read/json/match.h"
#include "read/value.h"
#include "summary_usage.h"

#define OWN struct tr2_summary_options

/* Complete a date, or a date and a time, to the form of `time`. */
static bool complete_time(char *text, size_t size, const char *given)
{
	static const char form[] = "0000-00-00T00:00:00.000000Z";
	size_t len = strlen(given);

	if (len && given[len - 1] == 'Z')
		len--;
	if (len < sizeof("2026-11-23") - 1 || len >= sizeof(form) - 1 ||
	    size < sizeof(form))
		return false;
	memcpy(text, form, sizeof(form));
	memcpy(text, given, len);
	return tr2_match_time(text, sizeof(form) - 1);
}

const char *tr2_summary_set_time(void *into, char *value)
{
	int64_t *at = into, ago = 0;
	char text[64];

	if (tr2_cli_read_duration(value, &ago))
		*at = TR2_TIME_1970 + INT64_C(1000000) * time(NULL) - ago;
	else if (complete_time(text, sizeof(text), value))
		*at = tr2_time_read(text);
	else
		return "a time such as 2026-11-23 or 12h";
	return NULL;
}

const char *tr2_summary_set_window(struct tr2_window *window, int64_t since,
				   int64_t until, int64_t late)
{
	if (late < 0)
		return until ? "--until needs --late" : NULL;
	if (!since)
		return "--late needs --since TIME";
	if (!until)
		until = since + TR2_CALENDAR_DAY;
	if (until <= since)
		return "--until has to be after --since";
	*window = (struct tr2_window){ .since = since,
				       .until = until,
				       .late = late };
	return NULL;
}

/* In the order of enum tr2_summary_format. */
static const char *const formats[] = { "text",	   "json",  "csv",
				       "markdown", "state", NULL };

static const struct tr2_cli_option table[] = {
	{ SUMMARY_OPTION_BY, TR2_CLI_WORD(OWN, by, tr2_by_names + 1, 1) },
	{ SUMMARY_OPTION_COMMAND, TR2_CLI_TEXT(OWN, filter.command) },
	{ SUMMARY_OPTION_EXPLAIN, TR2_CLI_TEXT(OWN, explain) },
	{ SUMMARY_OPTION_SINCE,
	  TR2_CLI_SET_INT64(OWN, filter.since, tr2_summary_set_time) },
	{ SUMMARY_OPTION_UNTIL,
	  TR2_CLI_SET_INT64(OWN, until, tr2_summary_set_time) },
	{ SUMMARY_OPTION_LATE, TR2_CLI_DURATION(OWN, late) },
	{ SUMMARY_OPTION_SLOWER_THAN,
	  TR2_CLI_DURATION(OWN, filter.slower_than) },
	{ SUMMARY_OPTION_TOP, TR2_CLI_NUMBER(OWN, top, 0, ULONG_MAX) },
	{ SUMMARY_OPTION_PERCENTILES, TR2_CLI_FLAG(OWN, percentiles) },
	{ SUMMARY_OPTION_FORMAT, TR2_CLI_WORD(OWN, format, formats, 0) },
	{ SUMMARY_OPTION_MERGE, TR2_CLI_FLAG(OWN, merge) },
	{ .name = NULL },
};

static const struct tr2_cli summary_cli = {
	.name = "summary",
	.help = SUMMARY_HELP,
	.options = table,
};

static bool has_choice(const struct tr2_summary_options *options)
{
	const struct tr2_filter *filter = &options->filter;

	return options->by || options->percentiles || filter->command ||
	       filter->since || filter->slower_than;
}

static int check_window(struct tr2_summary_options *options)
{
	const char *wrong =
		tr2_summary_set_window(&options->window, options->filter.since,
				       options->until, options->late);

	return wrong ? tr2_cli_refuse(&summary_cli, wrong, NULL)
		     : TR2_CLI_GO_ON;
}

int tr2_summary_options_read(struct tr2_summary_options *options, char **argv)
{
	int code;

	*options = (struct tr2_summary_options){ .top = TR2_SUMMARY_TOP,
						 .late = -1 };
	code = tr2_cli_read(&summary_cli, options, argv);
	if (code == TR2_CLI_GO_ON && !argv[1] && !options->explain)
		code = tr2_cli_refuse(&summary_cli, "expected a log", NULL);
	if (code == TR2_CLI_GO_ON)
		code = check_window(options);
	if (code == TR2_CLI_GO_ON && options->merge && has_choice(options))
		code = tr2_cli_refuse(&summary_cli,
				      "--merge uses the options of the states; "
				      "it has no --by, --command, --since, "
				      "--slower-than or --percentiles",
				      NULL);
	return code;
}
