/* trace2 record: trace providers and keep the archive. */
#define _GNU_SOURCE
#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "record/record_part.h"

#define PROGRESS_MS 200

static const struct tr2_record_usage usage = {
	"record",
	"bcdkmost-",
	"usage: trace2 record [OPTION]... [-- COMMAND [ARGUMENT]...]\n"
	"\n"
	"Trace programs and write what they did to an archive of the Fuchsia\n"
	"trace format, which Perfetto opens. With COMMAND, what it and its\n"
	"children do; else all that is registered with the trace manager.\n"
	"\n"
	"  --buffering-mode MODE  what happens when a program's buffer is full:\n"
	"                         oneshot: it records no more\n"
	"                         circular: the oldest records make room\n"
	"                         streaming: it is saved, which holds if nothing\n"
	"                         is said\n"
	"  --buffer-size SIZE     of each program, 4K to 4G; without it 4M\n"
	"  --categories A,B       record only these; without it all\n"
	"  --duration SECONDS     trace for so long; without it until COMMAND\n"
	"                         ends, or on SIGINT or SIGTERM\n"
	"  --kernel               record too when programs get and lose a CPU; that\n"
	"                         needs root or CAP_PERFMON\n"
	"  --output FILE          where to; without it trace.fxt, and - is\n"
	"                         standard output\n"
	"  --socket PATH          the trace manager's socket; without it that of\n"
	"                         TRACE_MANAGER, else $XDG_RUNTIME_DIR/trace-manager.\n"
	"                         A COMMAND gets a manager of its own without it.\n"
	"  --timeout SECONDS      that a program of COMMAND has to answer; without\n"
	"                         it 5\n"
	"  -h, --help             Print this.\n"
	"\n"
	"A line for each program and a summary go to standard error. A program\n"
	"has to have a trace provider (<trace-provider/provider.h>).\n"
	"\n"
	"Exit status: that of COMMAND; else 0, 1 if it did not work, 2 wrong\n"
	"usage.\n",
};

/* A recording. */
struct recording {
	struct tr2_record_options options;
	struct tr2_private *own;
	struct trace_controller *controller;
	struct tr2_command command;
	struct tr2_tally tally;
	int signals;
	sigset_t old;
};

static int fail(struct recording *recording, const char *what, int error)
{
	tr2_tally_clear(&recording->tally);
	return tr2_record_fail(usage.name, what, error);
}

/* Where the archive could not be written, that is the reason. */
static int fail_trace(struct recording *recording, const char *what, int error)
{
	const struct tr2_tally *tally = &recording->tally;

	if (tally->error)
		return fail(recording, recording->options.output, tally->error);
	return fail(recording, what, error);
}

static int open_output(struct recording *recording)
{
	const char *name = recording->options.output;

	if (!strcmp(name, "-"))
		recording->tally.out = STDOUT_FILENO;
	else
		recording->tally.out = open(
			name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	return recording->tally.out < 0 ? fail(recording, name, errno) : 0;
}

/* A manager for the command alone, unless one is named. */
static int find_manager(struct recording *recording)
{
	struct tr2_record_options *options = &recording->options;

	if (options->command && !options->socket) {
		recording->own = tr2_private_start(options);
		if (!recording->own)
			return fail(recording, "can't start a trace manager",
				    errno);
		options->socket = tr2_private_socket(recording->own);
	}
	recording->controller = tr2_record_connect(usage.name, options->socket);
	return recording->controller ? 0 : 1;
}

static int begin(struct recording *recording)
{
	struct trace_config *config = &recording->options.config;
	int error;

	config->context = &recording->tally;
	config->archive = tr2_tally_archive;
	config->alert = tr2_tally_alert;
	config->result = tr2_tally_result;
	error = trace_controller_initialize(recording->controller, config);
	if (!error)
		error = trace_controller_start(recording->controller,
					       TRACE_START_CLEAR_ENTIRE_BUFFER);
	if (error == EBUSY)
		return fail(recording, "somebody else is tracing", 0);
	return error ? fail_trace(recording, "can't trace", error) : 0;
}

static int start_command(struct recording *recording)
{
	char **argv = recording->options.command;
	int error;

	if (!argv)
		return 0;
	error = tr2_command_start(&recording->command, argv,
				  recording->options.socket, &recording->old);
	return error ? fail(recording, argv[0], error) : 0;
}

/* Has a signal come that ends this? */
static bool is_over(struct recording *recording)
{
	struct tr2_command *command = &recording->command;
	int signal;

	while ((signal = tr2_record_signal(recording->signals))) {
		if (signal != SIGCHLD) {
			/* The terminal sends SIGINT to it by itself. */
			if (command->pid && signal != SIGINT)
				kill(command->pid, signal);
			return true;
		}
		tr2_command_look(command, false);
	}
	return recording->options.command && !command->pid;
}

/* How long to wait before there is something to do. */
static int patience(const struct recording *recording)
{
	int64_t limit = recording->options.duration_ms;
	uint64_t passed = tr2_tally_now() - recording->tally.start;
	int64_t left = limit - (int64_t)(passed / 1000000);

	if (limit >= 0 && left < PROGRESS_MS)
		return left < 0 ? 0 : (int)left;
	return limit >= 0 || isatty(STDERR_FILENO) ? PROGRESS_MS : -1;
}

static int trace(struct recording *recording)
{
	int error = 0, wait;

	recording->tally.start = tr2_tally_now();
	while (!error && !is_over(recording)) {
		wait = patience(recording);
		if (!wait)
			break;
		error = trace_controller_wait(recording->controller,
					      recording->signals, wait);
		tr2_tally_progress(&recording->tally);
	}
	return error;
}

static int end(struct recording *recording, int error)
{
	if (!error)
		error = trace_controller_terminate(recording->controller);
	if (!error)
		return 0;
	return fail_trace(recording, "the trace is not complete", error);
}

static int record(struct recording *recording)
{
	int code;

	if (open_output(recording) || find_manager(recording) ||
	    begin(recording) || start_command(recording))
		return 1;
	code = end(recording, trace(recording));
	tr2_tally_clear(&recording->tally);
	tr2_tally_summary(&recording->tally);
	pthread_sigmask(SIG_SETMASK, &recording->old, NULL);
	tr2_command_look(&recording->command, true);
	return code ? code : recording->command.status;
}

int tr2_record_main(int argc, char **argv)
{
	struct recording recording;
	int code;

	memset(&recording, 0, sizeof(recording));
	code = tr2_record_options(&recording.options, &usage, argc, argv);
	if (code < 0) {
		recording.signals = tr2_record_signals(&recording.old);
		code = record(&recording);
		trace_controller_close(recording.controller);
		tr2_private_stop(recording.own);
	}
	tr2_record_options_release(&recording.options);
	return code;
}
