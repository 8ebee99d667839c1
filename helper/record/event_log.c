/*
 * The EVENT log of the recorded command. All its processes append to one
 * file: a line is one write(2), so the file is in the order of time, and it
 * is whole whenever the recorder ends.
 *
 * They know the file by a link in a directory of ours. A process that opens
 * it after the recording finds nothing, and so leaves no stray file; one that
 * still has it open goes on writing to the record.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/quote.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "config/settings.h"
#include "lib/files/linux.h"
#include "views/convert/convert.h"
#include "views/page/page.h"
#include "views/summary/summary.h"
#include "record/record_part.h"
#include "lib/text/foreign.h"

#define NAME "record"
#define EVENTS "the events are in"

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && !strcmp(text + len - end_len, end);
}

bool tr2_record_is_event(const char *output)
{
	return ends_in(output, ".event");
}

static bool is_page(const char *output)
{
	return ends_in(output, ".html");
}

bool tr2_record_is_json(const char *output)
{
	return ends_in(output, ".json");
}

bool tr2_record_is_log(const char *output)
{
	return tr2_record_is_event(output) || is_page(output);
}

/* Returns the log's name. The output may be an archive's name. */
static char *name_log(const char *output)
{
	return tr2_record_is_event(output)
		       ? tr2_must_copy(output)
		       : tr2_whole_file_name(output, ".event");
}

static int make_link(struct tr2_event_log *log)
{
	char *real = realpath(log->file.partial, NULL);
	int error = errno;

	if (real)
		error = tr2_record_make_place(&log->place);
	if (real && !error) {
		snprintf(log->link, sizeof(log->link), "%s/event",
			 log->place.partial);
		error = symlink(real, log->link) ? errno : 0;
	}
	free(real);
	return error;
}

/* Whoever opens a FIFO waits for its reader, and no signal would end that. */
static bool is_fifo(const char *name)
{
	struct stat st;

	return !stat(name, &st) && S_ISFIFO(st.st_mode);
}

static int refuse_log(const struct tr2_event_log *log)
{
	tr2_foreign_complain(NAME,
			     "cannot write an EVENT log to something that is "
			     "not a file",
			     log->name);
	return 1;
}

int tr2_event_log_open(struct tr2_event_log *log, const char *output)
{
	int error;

	log->name = name_log(output);
	if (is_fifo(log->name))
		return refuse_log(log);
	error = tr2_whole_file_open(&log->file, log->name, true);
	if (error) {
		tr2_whole_file_complain(&log->file, NAME, log->name, error);
		return 1;
	}
	tr2_record_tell_moved(&log->file);
	if (!log->file.partial)
		return refuse_log(log);
	error = make_link(log);
	return error ? tr2_private_refuse(
			       "cannot make a directory for the EVENT log",
			       error)
		     : 0;
}

/* The command's events no longer go where the user wanted all events. */
static void tell_replaced(void)
{
	struct tr2_settings settings;
	const char *value;

	tr2_settings_read(&settings);
	value = settings.target[TR2_TARGET_EVENT].destination;
	if (value && *value && strcmp(value, "0") && strcasecmp(value, "false"))
		tr2_foreign_complain(NAME,
				     "this command's events go to the record "
				     "and not to the EVENT target that is set",
				     value);
	tr2_settings_release(&settings);
}

/* Or git is killed by its first event that is beyond the limit. */
static void spare_programs(void)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY)
		signal(SIGXFSZ, SIG_IGN);
}

/*
 * A reader needs times and deep regions. Descendants that outlive the command
 * become our children, so that we can wait for them.
 */
int tr2_event_log_announce(const struct tr2_event_log *log)
{
	tell_replaced();
	spare_programs();
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	return setenv("GIT_TRACE2_EVENT", log->link, 1) ||
	       setenv("GIT_TRACE2_EVENT_NESTING", "100", 1) ||
	       setenv("GIT_TRACE2_EVENT_BRIEF", "0", 1);
}

bool tr2_event_log_is_empty(const struct tr2_event_log *log)
{
	struct stat status;

	return log->file.fd < 0 || fstat(log->file.fd, &status) ||
	       !status.st_size;
}

void tr2_event_log_look(struct tr2_event_log *log)
{
	struct rlimit limit;
	struct stat st;

	if (log->full || log->file.fd < 0)
		return;
	if (tr2_is_full(log->file.fd))
		log->full = ENOSPC;
	else if (!getrlimit(RLIMIT_FSIZE, &limit) &&
		 !fstat(log->file.fd, &st) &&
		 (rlim_t)st.st_size >= limit.rlim_cur)
		log->full = EFBIG;
}

/* Programs that start from now on do not find the log. */
static void hide_log(struct tr2_event_log *log)
{
	if (*log->link)
		unlink(log->link);
	*log->link = '\0';
	tr2_whole_dir_drop(&log->place);
}

void tr2_event_log_stop(struct tr2_event_log *log)
{
	struct stat st;

	if (log->file.fd < 0 || fstat(log->file.fd, &st))
		return;
	log->is_over = true;
	log->size = st.st_size;
	hide_log(log);
}

int tr2_event_log_end(struct tr2_event_log *log)
{
	if (tr2_record_find_file(&log->file, true))
		return 1;
	if (log->is_over && ftruncate(log->file.fd, log->size))
		return tr2_record_fail(NAME, log->name, errno);
	return 0;
}

/* The command may still have its events to come. */
static int refuse_in_time(const char *command)
{
	tr2_foreign_complain(NAME,
			     "nothing was recorded before the time of "
			     "--duration was over",
			     command);
	return 1;
}

/* The library leaves the first ten to its program, and git needs some, too. */
static bool has_descriptors(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= 16;
}

int tr2_event_log_refuse(struct tr2_event_log *log, const char *command,
			 bool timed_out)
{
	tr2_event_log_look(log);
	if (log->full)
		return tr2_record_fail(NAME, log->name, log->full);
	if (timed_out)
		return refuse_in_time(command);
	if (!has_descriptors())
		return tr2_record_fail(NAME,
				       "nothing was recorded: programs may "
				       "have so few descriptors (ulimit -n) "
				       "that they can't open a log",
				       0);
	tr2_foreign_complain(NAME,
			     "nothing was recorded: expected git 2.22 or "
			     "later, or a program that links libtrace2",
			     command);
	fputs(log->name ? "sudo, ssh, containers and `env -i` drop the "
			  "environment; run `trace2 record`\ninside them\n"
			: "git's events need a file; give --output "
			  "FILE.event\n",
	      stderr);
	return 1;
}

static bool has_torn_end(const struct tr2_event_log *log)
{
	FILE *file = fopen(log->file.partial, "r");
	int last = '\n';

	if (file && !fseek(file, -1, SEEK_END))
		last = fgetc(file);
	if (file)
		fclose(file);
	return last != '\n';
}

/*
 * A full disk cuts the line that was being written, unless there was no byte
 * left. Returns what is to be told, or NULL.
 */
static const char *find_loss(struct tr2_event_log *log)
{
	tr2_event_log_look(log);
	if (log->full == EFBIG)
		return "the limit on the size of files (ulimit -f) is "
		       "reached, so events may be missing";
	if (has_torn_end(log))
		return "the last event is cut; is the disk full?";
	return log->full ? "the disk is full, so events may be missing" : NULL;
}

/* Both names may have blanks. */
static void print_hint(const char *verb, const char *name)
{
	struct tr2_buf words = TR2_BUF_INIT;

	tr2_quote_word(&words, tr2_cli_program);
	tr2_buf_str(&words, " summary ");
	if (*name == '-') /* it would be an option */
		tr2_buf_str(&words, "./");
	tr2_quote_word(&words, name);
	tr2_buf_byte(&words, '\0');
	fprintf(stderr, "the record is in ");
	tr2_foreign_print(stderr, name);
	fprintf(stderr, "; %s", verb);
	if (!words.failed && *verb == 't')
		tr2_foreign_print(stderr, words.bytes);
	fputc('\n', stderr);
	tr2_buf_release(&words);
}

void tr2_record_tell_archive(const char *output)
{
	print_hint("open it in https://ui.perfetto.dev", output);
}

void tr2_event_log_answer(const struct tr2_event_log *log,
			  const struct tr2_record_options *options)
{
	if (!options->quiet && (options->answer || isatty(STDERR_FILENO)))
		tr2_summary_answer(log->file.partial, stderr);
}

int tr2_record_leave(struct tr2_whole_file *file, const char *what)
{
	if (file->partial && file->fd >= 0 && !tr2_whole_file_has_name(file))
		what = "the command has removed it or moved it away";
	if (file->partial)
		tr2_foreign_complain(NAME, what, file->partial);
	tr2_whole_file_leave(file);
	return 1;
}

int tr2_record_commit(struct tr2_whole_file *file, const char *name,
		      const char *what)
{
	const int error = tr2_whole_file_commit(file);

	if (!error)
		return 0;
	tr2_whole_file_complain(file, NAME, name, error);
	return tr2_record_leave(file, what);
}

/*
 * Is there a record of this name, which one must not replace that is not whole?
 * Then that one stays under its own name.
 */
static bool keeps_older(struct tr2_event_log *log, const char *name,
			const char *loss)
{
	if (!loss || access(name, F_OK))
		return false;
	tr2_record_fail(NAME, loss, 0);
	tr2_foreign_complain(NAME, "the older record stays", name);
	tr2_record_leave(&log->file, EVENTS);
	return true;
}

int tr2_event_log_commit(struct tr2_event_log *log)
{
	const char *loss = find_loss(log);

	if (keeps_older(log, log->name, loss) ||
	    tr2_record_commit(&log->file, log->name, EVENTS))
		return 1;
	print_hint("to see where the time went, type:\n", log->name);
	return loss ? tr2_record_fail(NAME, loss, 0) : 0;
}

int tr2_record_convert(struct tr2_whole_file *file, const char *output,
		       const char *what)
{
	int code;

	if (is_page(output))
		code = tr2_page_write(file->partial, output);
	else
		code = tr2_convert_to(tr2_record_is_json(output) ? TR2_TO_CHROME
								 : TR2_TO_FXT,
				      file->partial, output);
	if (code > 1)
		tr2_record_leave(file, what);
	else
		tr2_whole_file_drop(file);
	return code;
}

int tr2_event_log_convert(struct tr2_event_log *log, const char *output)
{
	const char *loss = find_loss(log);
	int code;

	if (keeps_older(log, output, loss))
		return 1;
	code = tr2_record_convert(&log->file, output, EVENTS);
	if (code > 1)
		return 1;
	if (is_page(output))
		print_hint("open it in a browser", output);
	else
		tr2_record_tell_archive(output);
	return loss ? tr2_record_fail(NAME, loss, 0) : code;
}

void tr2_event_log_release(struct tr2_event_log *log)
{
	hide_log(log);
	tr2_whole_file_drop(&log->file);
	free(log->name);
	log->name = NULL;
}
