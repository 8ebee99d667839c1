/* trace2 record: trace providers and write the archive. */
#include "record/record.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/clock.h"
#include "lib/text/foreign.h"
#include "record/record_part.h"
#include "trace/fxt_numbers.h"
#include "lib/files/ready.h"
#include "lib/whole/whole_file.h"

#define PROGRESS_MS 200
#define SILENCE_MS 120000 /* of a manager that waits for programs */
#define NO_ANSWER "its own trace manager does not answer"

struct recording {
	struct tr2_record_options options;
	struct tr2_private *own;
	struct trace_controller *controller;
	struct tr2_command command;
	struct tr2_tally tally;
	struct tr2_whole_file file;
	struct tr2_event_log log;
	struct tr2_ending ending;
	bool timed_out; /* the time of --duration is over */
};

static int fail_record(struct recording *recording, const char *what, int error)
{
	tr2_tally_clear(&recording->tally);
	return tr2_record_fail(tr2_record_cli.name, what, error);
}

/* If the archive could not be written, that is the reason to report. */
static int fail_trace(struct recording *recording, const char *what, int error)
{
	if (recording->ending.over)
		return tr2_tally_fail_ended(&recording->tally,
					    recording->options.output);
	if (recording->tally.error)
		return fail_record(recording, recording->options.output,
				   recording->tally.error);
	if (error == ETIMEDOUT && recording->own)
		return fail_record(recording, NO_ANSWER, 0);
	return fail_record(recording, what, error);
}

/*
 * Opening a FIFO waits for its reader; signals end that, as no manager would
 * leave a socket yet. While a file is made they wait: nobody would remove it.
 */
static int open_output(struct recording *recording)
{
	const char *name = recording->options.output;
	struct stat st = { 0 };
	sigset_t blocked;
	int error;

	stat(name, &st);
	pthread_sigmask(SIG_SETMASK,
			S_ISFIFO(st.st_mode) ? &recording->ending.old : NULL,
			&blocked);
	error = tr2_whole_file_open(&recording->file, name, true);
	pthread_sigmask(SIG_SETMASK, &blocked, NULL);
	if (error) {
		tr2_whole_file_complain(&recording->file, tr2_record_cli.name,
					name, error);
		return error;
	}
	tr2_record_tell_moved(&recording->file);
	tr2_tally_write_to(&recording->tally, recording->file.fd,
			   &recording->ending);
	return tr2_record_check_json(&recording->file, name);
}

/* What arrived before a failure is useful, but it is not a complete archive. */
static void leave_output(struct recording *recording)
{
	if (!recording->file.partial)
		return;
	if (recording->tally.whole <= FXT_WORD) {
		tr2_whole_file_drop(&recording->file);
		return;
	}
	if (tr2_record_find_file(&recording->file, false))
		return;
	/* A full disk may have cut the last record. */
	if (ftruncate(recording->file.fd, (off_t)recording->tally.whole))
		tr2_record_fail(tr2_record_cli.name, recording->file.partial,
				errno);
	tr2_record_leave(&recording->file, "what came until then is in");
}

static void drop_output(struct recording *recording)
{
	tr2_event_log_look(&recording->log);
	tr2_whole_file_drop(&recording->file);
	recording->tally.bytes = 0; /* as the summary counts them */
}

static int keep_output(struct recording *recording)
{
	const char *name = recording->options.output;
	int error = 0;

	if (tr2_tally_is_useless(&recording->tally))
		drop_output(recording);
	else if (tr2_record_find_file(&recording->file, false))
		error = 1;
	else if (tr2_record_is_json(name))
		error = tr2_record_convert(&recording->file, name,
					   "the archive is in");
	else
		error = tr2_record_commit(&recording->file, name,
					  "the archive is in");
	return error || recording->tally.refused;
}

/* Has no program been there for an archive? */
static bool is_untraced(const struct recording *recording)
{
	return recording->options.command && !recording->tally.providers &&
	       !recording->tally.refused;
}

/*
 * Keep the command's EVENT log. It becomes the archive if no program was there
 * for one; otherwise it stays beside it, because the archive lacks git.
 */
static int keep_log(struct recording *recording)
{
	const struct tr2_record_options *options = &recording->options;

	if (tr2_event_log_end(&recording->log))
		return 1;
	if (tr2_event_log_is_empty(&recording->log))
		return is_untraced(recording)
			       ? tr2_event_log_refuse(&recording->log,
						      options->command[0],
						      recording->timed_out)
			       : 0;
	tr2_event_log_answer(&recording->log, options);
	if (options->named && !tr2_record_is_event(options->output) &&
	    (tr2_record_is_log(options->output) || is_untraced(recording)))
		return tr2_event_log_convert(&recording->log, options->output);
	return tr2_event_log_commit(&recording->log);
}

/* Start a manager for the command alone, unless the user names one. */
static int find_manager(struct recording *recording)
{
	struct tr2_record_options *options = &recording->options;

	if (options->command && !options->socket) {
		recording->own = tr2_private_start(options);
		if (!recording->own)
			return tr2_private_refuse(
				"cannot start a trace manager", errno);
		options->socket = tr2_private_socket(recording->own);
	}
	recording->controller =
		tr2_record_connect(tr2_record_cli.name, options->socket);
	if (!recording->controller)
		return 1;
	trace_controller_set_interrupt(recording->controller,
				       recording->ending.fd, tr2_ending_look,
				       &recording->ending);
	return 0;
}

static int begin_tracing(struct recording *recording)
{
	struct trace_config *config = &recording->options.config;
	int error;

	config->context = &recording->tally;
	config->archive = tr2_tally_archive;
	config->alert = tr2_tally_alert;
	config->result = tr2_tally_result;
	error = trace_controller_initialize(recording->controller, config);
	trace_controller_set_limit(recording->controller, SILENCE_MS);
	if (!error)
		error = trace_controller_start(recording->controller,
					       TRACE_START_CLEAR_ENTIRE_BUFFER);
	if (error == EBUSY)
		return fail_record(recording, "somebody else is tracing", 0);
	recording->ending.recording = !error;
	return error ? fail_trace(recording, "cannot trace", error) : 0;
}

static int start_command(struct recording *recording)
{
	char **argv = recording->options.command;
	int error;

	if (!argv)
		return 0;
	if (recording->log.name && tr2_event_log_announce(&recording->log))
		return fail_record(recording, "out of memory", 0);
	error = tr2_command_start(&recording->command, argv,
				  recording->options.socket,
				  &recording->ending.old);
	if (!error)
		return 0;
	fail_record(recording, argv[0], error);
	return error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

/* The terminal itself sends SIGINT to the command. */
static void tell_command(struct recording *recording)
{
	struct tr2_ending *ending = &recording->ending;

	if (ending->news && ending->news != SIGINT && recording->command.pid)
		kill(recording->command.pid, ending->news);
	ending->news = 0;
}

static void look_at_command(struct recording *recording)
{
	tr2_ending_take(&recording->ending);
	tr2_command_look(&recording->command);
	tell_command(recording);
}

/* Has a signal come that ends the recording? */
static bool is_over(struct recording *recording)
{
	look_at_command(recording);
	return recording->ending.signo ||
	       (recording->options.command && !recording->command.pid);
}

/*
 * Wait for the command, also if it goes on after SIGINT, as programs do that
 * talk to a terminal. One that ignores another signal is left alone after the
 * usual time, so that we don't ignore the signal, too.
 */
static void await_command(struct recording *recording)
{
	struct tr2_ending *ending = &recording->ending;

	tr2_ending_prolong(ending);
	for (;;) {
		look_at_command(recording);
		if (ending->over || !recording->command.pid)
			return;
		if (ending->signo == SIGINT)
			tr2_ending_forget(ending);
		tr2_ending_await(ending);
	}
}

/* The terminal is the command's: an editor or a pager would be overwritten. */
static bool shows_progress(const struct recording *recording)
{
	return !recording->options.command && isatty(STDERR_FILENO);
}

/* Returns how long to wait until something is due. */
static int compute_wait(const struct recording *recording)
{
	int64_t limit = recording->options.duration_ms;
	uint64_t passed = tr2_clock_now() - recording->tally.start;
	int64_t left = limit - (int64_t)(passed / 1000000);

	if (limit >= 0 && left < PROGRESS_MS)
		return left < 0 ? 0 : (int)left;
	return limit >= 0 || shows_progress(recording) ? PROGRESS_MS : -1;
}

/* Of an EVENT log nobody has to fetch anything meanwhile. */
static int wait_for_end(struct recording *recording)
{
	struct pollfd polls = { .fd = recording->ending.all, .events = POLLIN };
	int error = 0, wait;

	recording->tally.start = tr2_clock_now();
	while (!error && !is_over(recording)) {
		wait = compute_wait(recording);
		recording->timed_out = !wait;
		if (!wait)
			break;
		if (!recording->controller) {
			poll(&polls, 1, wait);
			continue;
		}
		error = trace_controller_wait(recording->controller, polls.fd,
					      wait);
		if (shows_progress(recording))
			tr2_tally_progress(&recording->tally);
	}
	return error;
}

static int end_tracing(struct recording *recording, int error)
{
	if (!error)
		error = trace_controller_terminate(recording->controller);
	return error ? fail_trace(recording, "the trace is not complete", error)
		     : 0;
}

/*
 * Wait for processes that outlive the command, such as git's maintenance. A
 * signal ends the wait; a service may live for ever.
 */
static void await_rest(struct recording *recording)
{
	struct tr2_ending *ending = &recording->ending;
	struct pollfd polls = { .fd = ending->all, .events = POLLIN };
	uint64_t until = tr2_clock_now() + (uint64_t)ending->grace_ms * 500000;

	while (tr2_command_has_rest() && !ending->signo) {
		if (tr2_clock_now() >= until)
			break;
		poll(&polls, 1, PROGRESS_MS);
		look_at_command(recording);
	}
	if (tr2_command_has_rest())
		fputs("a process of the command still runs; what it does from "
		      "now on may be missing\n",
		      stderr);
}

/* The archive of the programs with trace points. */
static int record_archive(struct recording *recording)
{
	const bool is_file = recording->file.partial != NULL;
	int code = end_tracing(recording, wait_for_end(recording));

	tr2_tally_clear(&recording->tally);
	if (code)
		leave_output(recording);
	else if (is_untraced(recording))
		drop_output(recording);
	else
		code = keep_output(recording);
	if (is_untraced(recording)) /* its log, or a hint, tells more */
		return code;
	tr2_tally_summary(&recording->tally);
	if (!code && is_file)
		tr2_record_tell_archive(recording->options.output);
	return code;
}

static int begin_archive(struct recording *recording)
{
	return open_output(recording) || find_manager(recording) ||
	       begin_tracing(recording);
}

/* An archive that goes to a pipe can't be replaced by a log's. */
static int begin_log(struct recording *recording)
{
	const struct tr2_record_options *options = &recording->options;

	if (!options->command)
		return 0;
	if (!options->named)
		return tr2_event_log_open(&recording->log, "trace.event");
	if (!tr2_record_is_log(options->output) && !recording->file.partial)
		return 0;
	return tr2_event_log_open(&recording->log, options->output);
}

/* The log ends with the command and what this leaves behind, or in time. */
static int finish_log(struct recording *recording)
{
	if (recording->timed_out)
		tr2_event_log_stop(&recording->log);
	await_command(recording);
	if (!recording->timed_out && recording->log.name &&
	    !tr2_event_log_is_empty(&recording->log))
		await_rest(recording);
	return keep_log(recording);
}

static int record_trace(struct recording *recording)
{
	const bool archive = !tr2_record_is_log(recording->options.output);
	int code = archive ? begin_archive(recording) : 0;

	recording->ending.recording |= !archive;
	if (!code)
		code = begin_log(recording);
	if (!code)
		code = start_command(recording);
	if (code)
		return code;
	if (archive)
		code = record_archive(recording);
	else
		wait_for_end(recording);
	code |= finish_log(recording);
	return code && !recording->command.status ? code
						  : recording->command.status;
}

int tr2_record_main(char **argv)
{
	struct recording recording;
	int code;

	memset(&recording, 0, sizeof(recording));
	recording.file.fd = recording.log.file.fd = -1;
	code = tr2_record_options_read(&recording.options, &tr2_record_cli,
				       argv);
	if (code == TR2_CLI_GO_ON && tr2_record_check(&recording.options))
		code = EXIT_USAGE;
	if (code == TR2_CLI_GO_ON) {
		tr2_ending_begin(&recording.ending,
				 recording.options.answer_ms);
		tr2_ready_keep_errors();
		code = record_trace(&recording);
		tr2_event_log_release(&recording.log);
		tr2_whole_file_drop(&recording.file);
		trace_controller_close(recording.controller);
		tr2_private_stop(recording.own);
		tr2_tally_release(&recording.tally);
		tr2_ready_end_errors((int)recording.ending.grace_ms);
	}
	tr2_record_options_release(&recording.options);
	if (recording.ending.over)
		tr2_ending_die(&recording.ending);
	return code;
}
