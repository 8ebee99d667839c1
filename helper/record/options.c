#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/options.h"
#include "lib/text/foreign.h"
#include "lib/files/own.h"
#include "record/record_part.h"

const char *const tr2_record_modes[] = { "oneshot", "circular", "streaming",
					 NULL };

const char *tr2_record_add_category(void *into, char *name)
{
	struct tr2_record_options *options = into;
	const char **place;

	if (!name)
		return NULL;
	if (!*name)
		return "a name for each category";
	place = tr2_vec_add(&options->categories, sizeof(*place));
	*place = name;
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

const char *tr2_record_set_duration(void *into, char *text)
{
	struct tr2_record_options *options = into;

	options->duration_ms = parse_seconds(text);
	return options->duration_ms < 0 ? "a number of seconds" : NULL;
}

const char *tr2_record_set_timeout(void *into, char *text)
{
	struct tr2_record_options *options = into;
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

int tr2_record_check_output(const struct tr2_record_options *options)
{
	const char *name = find_traces(options);
	char text[128];

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
	fprintf(stderr, "%s%s\n", error ? ": " : "",
		error ? tr2_own_explain(error) : "");
	funlockfile(stderr);
	return 1;
}
