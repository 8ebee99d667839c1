#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/files/own.h"
#include "lib/text/foreign.h"
#include "record/record_part.h"
#include "trace/buffer.h"
#include "record_usage.h"

#define OWN struct tr2_record_options

static const char *const modes[] = { "oneshot", "circular", "streaming", NULL };

const char *tr2_record_add_category(void *into, char *name)
{
	OWN *options = into;
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
	{ "answer", NULL, TR2_CLI_FLAG(OWN, answer),
	  .help = "say where COMMAND's time went on standard error (default: "
		  "if that is a terminal)" },
	{ "buffering-mode", "MODE", TR2_CLI_WORD(OWN, mode, modes, 1),
	  .help = "what happens when a program's buffer is full:\n"
		  "oneshot: the program stops recording\n"
		  "circular: new records replace the oldest ones\n"
		  "streaming: the buffer is saved (default)" },
	{ "buffer-size", "SIZE",
	  TR2_CLI_SIZE(OWN, buffer_size, TRACE_BUFFER_MIN, TRACE_BUFFER_MAX),
	  .step = 8, .help = "buffer of each program, 4K to 4G (default: 4M)" },
	{ "categories", "A,B", TR2_CLI_LIST(tr2_record_add_category),
	  .help = "record only these categories (default: all)" },
	{ "duration", "SECONDS", TR2_CLI_SET(set_duration),
	  .help = "stop after this time, although COMMAND goes on (default: "
		  "record until COMMAND ends, or until SIGINT or SIGTERM)" },
	{ "kernel", NULL, TR2_CLI_FLAG(OWN, config.kernel),
	  .help = "also record when programs get and lose a CPU, and who wakes "
		  "them; needs root or CAP_PERFMON" },
	{ "output", "FILE", TR2_CLI_PATH(OWN, output), .letter = 'o',
	  .help = "write to FILE, whose name chooses the format: an EVENT log "
		  "if it ends in .event, the page of 'trace2 report' if it "
		  "ends in .html, Chrome's JSON if it ends in .json, otherwise "
		  "an archive; - means standard output (default: trace.event "
		  "for Trace2 events, trace.fxt for trace points). Until the "
		  "record is complete it is FILE.partial" },
	{ "quiet", NULL, TR2_CLI_FLAG(OWN, quiet), .letter = 'q',
	  .help = "do not say where COMMAND's time went" },
	{ "socket", "PATH", TR2_RECORD_SOCKET,
	  .help = "the trace manager's socket (default: TRACE_MANAGER or "
		  "$XDG_RUNTIME_DIR/trace-manager; with COMMAND, a manager of "
		  "its own)" },
	{ "syscalls", NULL, TR2_CLI_FLAG(OWN, config.syscalls),
	  .help = "also record the system calls of programs; implies "
		  "--kernel" },
	{ "timeout", "SECONDS", TR2_CLI_SET(tr2_record_set_timeout),
	  .help = "leave out a program of COMMAND that takes longer than this "
		  "to answer (default: 5)" },
	{ .name = NULL },
};

const struct tr2_cli tr2_record_cli = {
	.name = "record",
	.about = RECORD_ABOUT,
	.options = table,
	.notes = RECORD_NOTES,
	.stops = true,
};
