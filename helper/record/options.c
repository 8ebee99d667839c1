#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/files/own.h"
#include "lib/text/foreign.h"
#include "record/record_part.h"
#include "trace/buffer.h"
#include "trace/provider/message.h"
#include "record_usage.h"

#define OWN struct tr2_record_options

static const char *const modes[] = { "oneshot", "circular", "streaming", NULL };

const char *tr2_record_add_category(void *into, char *name)
{
	OWN *options = into;

	if (!name)
		return NULL;
	if (!*name)
		return "a name for each category";
	TR2_VEC_COPY(&options->categories, const char *, name);
	return NULL;
}

/* Convert seconds to milliseconds; -1 if the text is not a time. */
static int64_t parse_seconds(const char *text)
{
	char *end;
	double seconds = strtod(text, &end);

	/* strtod(3) also knows signs, exponents and hexadecimal numbers. */
	if (!*text || text[strspn(text, ".0123456789")] || *end ||
	    seconds > 1e6)
		return -1;
	return (int64_t)(seconds * 1000 + 0.5);
}

static const char *set_duration(void *into, char *text)
{
	OWN *options = into;

	options->duration_ms = parse_seconds(text);
	return options->duration_ms < 0 ? "a number of seconds" : NULL;
}

const char *tr2_record_set_timeout(void *into, char *text)
{
	OWN *options = into;
	int64_t ms = parse_seconds(text);

	options->answer_ms = (unsigned)ms;
	return ms <= 0 ? "a number of seconds above 0" : NULL;
}

int tr2_record_options_read(struct tr2_record_options *options,
			    const struct tr2_cli *cli, char **argv)
{
	struct trace_config *config = &options->config;
	int code;

	memset(options, 0, sizeof(*options));
	options->duration_ms = -1;
	options->events = TR2_RECORD_EVENTS;
	code = tr2_cli_read(cli, options, argv);
	if (code != TR2_CLI_GO_ON)
		return code;
	config->mode = options->mode ? options->mode - 1
				     : TRACE_BUFFERING_MODE_STREAMING;
	config->buffer_size = options->buffer_size;
	config->categories = options->categories.items;
	config->category_count = options->categories.count;
	options->named = options->output;
	if (!options->output)
		options->output = "trace.fxt";
	options->command = argv[1] ? argv + 1 : NULL;
	return code;
}

static int refuse_output(const struct tr2_record_options *options,
			 const char *what)
{
	return tr2_cli_refuse(&tr2_record_cli, what, options->output);
}

/* Returns an option that only trace points need, or NULL. */
static const char *find_traces(const struct tr2_record_options *options)
{
	return options->buffer_size	   ? "buffer-size"
	       : options->categories.count ? "categories"
	       : options->mode		   ? "buffering-mode"
	       : options->config.kernel	   ? "kernel"
	       : options->config.syscalls  ? "syscalls"
	       : options->socket	   ? "socket"
					   : NULL;
}

/* Does a message of the trace manager hold all names, each with its NUL? */
static bool has_short_categories(const struct trace_config *config)
{
	size_t len = 0;

	for (size_t i = 0; i < config->category_count; i++)
		len += strlen(config->categories[i]) + 1;
	return len <= TRACE_PAYLOAD_MAX;
}

int tr2_record_check(const struct tr2_record_options *options)
{
	const char *name = find_traces(options);
	char text[128];

	if (!has_short_categories(&options->config))
		return tr2_cli_refuse(&tr2_record_cli,
				      "--categories has more than 16384 bytes",
				      NULL);
	if (!tr2_record_is_log(options->output))
		return 0;
	if (!options->command)
		return refuse_output(
			options, tr2_record_is_event(options->output)
					 ? "an EVENT log needs a command to "
					   "record"
					 : "a page needs a command to record");
	if (!name)
		return 0;
	snprintf(text, sizeof(text),
		 "--%s is about trace points, which are not recorded for this "
		 "output",
		 name);
	return refuse_output(options, text);
}

void tr2_record_options_release(struct tr2_record_options *options)
{
	tr2_vec_release(&options->categories);
}

void tr2_record_tell_crowded(void *name)
{
	tr2_record_fail(name,
			"a program has to wait: no descriptor is left for it "
			"(ulimit -n)",
			0);
}

/* The system's words don't tell which limit it is. */
static const char *explain_error(int error)
{
	if (error == EFBIG)
		return "File too large (ulimit -f)";
	if (error == EAGAIN)
		return "there is no room for another process or thread "
		       "(ulimit -u, ulimit -v)";
	return error ? tr2_own_explain(error) : "";
}

/* The thread of a private manager may print at the same time. */
int tr2_record_fail(const char *name, const char *what, int error)
{
	if (error == ETIMEDOUT) {
		what = "the trace manager does not answer; is it stopped? "
		       "Start another one with `trace2 manager`, and name its "
		       "--socket";
		error = 0;
	}
	flockfile(stderr);
	fprintf(stderr, "trace2 %s: ", name);
	tr2_foreign_print(stderr, what);
	fprintf(stderr, "%s%s\n", error ? ": " : "", explain_error(error));
	funlockfile(stderr);
	return 1;
}

/* The options and the help text of `trace2 record`. */

static const struct tr2_cli_option table[] = {
	{ RECORD_OPTION_ANSWER, TR2_CLI_FLAG(OWN, answer) },
	{ RECORD_OPTION_BUFFERING_MODE, TR2_CLI_WORD(OWN, mode, modes, 1) },
	{ RECORD_OPTION_BUFFER_SIZE,
	  TR2_CLI_SIZE(OWN, buffer_size, TRACE_BUFFER_MIN, TRACE_BUFFER_MAX),
	  .step = 8 },
	{ RECORD_OPTION_CATEGORIES, TR2_CLI_LIST(tr2_record_add_category) },
	{ RECORD_OPTION_DURATION, TR2_CLI_SET(set_duration) },
	{ RECORD_OPTION_KERNEL, TR2_CLI_FLAG(OWN, config.kernel) },
	{ RECORD_OPTION_OUTPUT, TR2_CLI_PATH(OWN, output) },
	{ RECORD_OPTION_QUIET, TR2_CLI_FLAG(OWN, quiet) },
	{ RECORD_OPTION_SOCKET, TR2_RECORD_SOCKET },
	{ RECORD_OPTION_SYSCALLS, TR2_CLI_FLAG(OWN, config.syscalls) },
	{ RECORD_OPTION_TIMEOUT, TR2_CLI_SET(tr2_record_set_timeout) },
	{ .name = NULL },
};

const struct tr2_cli tr2_record_cli = {
	.name = "record",
	.help = RECORD_HELP,
	.options = table,
	.stops = true,
};
