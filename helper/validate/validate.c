#include "validate/validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/text/foreign.h"
#include "read/bytes/follow.h"
#include "read/bytes/inputs.h"
#include "validate/listen.h"
#include "validate/log.h"
#include "lib/common/memory.h"
#include "validate/options.h"

static void read_input(void *context, const char *name, int fd)
{
	tr2_log_read(context, name, fd);
}

static int exit_code(const struct tr2_totals *totals, enum tr2_level fail_on)
{
	int level;

	if (totals->files == totals->other_files) {
		fputs("trace2 validate: there is no Trace2 log\n", stderr);
		return EXIT_INPUT;
	}
	if (totals->unreadable_files)
		return EXIT_INPUT;
	for (level = 0; level <= (int)fail_on; level++)
		if (totals->reported[level])
			return EXIT_FINDINGS;
	return EXIT_CLEAN;
}

static void read_inputs(struct tr2_log_reader *reader, char **paths)
{
	if (reader->follow)
		tr2_follow(*paths++, read_input, reader);
	else
		tr2_progress_begin(&reader->progress, paths);
	for (; *paths; paths++)
		tr2_inputs_visit(*paths, read_input, reader);
}

/* Finish the output; returns the exit status. */
static int finish_run(struct tr2_worker *worker,
		      const struct tr2_options *options, uint64_t start)
{
	int rc;

	worker->totals.microseconds = tr2_progress_now() - start;
	rc = exit_code(&worker->totals, options->fail_on);
	if (!tr2_report_end(&worker->report))
		return rc;
	perror("trace2 validate: standard output");
	return EXIT_INPUT;
}

static struct tr2_worker *begin_worker(const struct tr2_options *options)
{
	struct tr2_worker *worker = tr2_must_zeros(sizeof(*worker));

	tr2_worker_init(worker, options);
	tr2_report_begin(&worker->report);
	return worker;
}

static int validate_paths(char **paths, const struct tr2_options *options)
{
	struct tr2_worker *worker = begin_worker(options);
	struct tr2_log_reader reader = { .worker = worker,
					 .lines = TR2_LINES_INIT,
					 .follow = options->follow };
	uint64_t start = tr2_progress_now();
	int rc;

	read_inputs(&reader, paths);
	tr2_worker_end(worker);
	tr2_progress_end(&reader.progress);
	tr2_log_release(&reader);
	worker->totals.files = reader.totals.files;
	worker->totals.other_files = reader.totals.other_files;
	worker->totals.unreadable_files = reader.totals.unreadable_files;
	worker->totals.bytes = reader.totals.bytes;
	rc = finish_run(worker, options, start);
	tr2_worker_release(worker);
	free(worker);
	return rc;
}

static int check_live(struct tr2_options *options)
{
	struct tr2_worker *worker = begin_worker(options);
	uint64_t start = tr2_progress_now();
	unsigned long dropped;
	int rc;

	dropped = tr2_listen(&options->socket, worker);
	tr2_worker_end(worker);
	rc = finish_run(worker, options, start);
	tr2_worker_release(worker);
	free(worker);
	if (!dropped)
		return rc;
	fprintf(stderr,
		"trace2 validate: %lu lines were dropped: they came faster "
		"than they could be checked, were too long, or came when no "
		"descriptor was left\n",
		dropped);
	return EXIT_INPUT;
}

static int validate_live(struct tr2_options *options)
{
	const char *path = options->socket.address.sun_path;
	const char *why = tr2_listen_begin(&options->socket);

	fputs(why ? "trace2 validate: " : "trace2 validate: listening on ",
	      stderr);
	tr2_foreign_print(stderr, path);
	fprintf(stderr, "%s%s\n", why ? ": " : "", why ? why : "");
	return why ? EXIT_INPUT : check_live(options);
}

/* Print what was asked about the validator itself. */
static int print_information(const struct tr2_options *options)
{
	struct tr2_buf out = TR2_BUF_INIT;

	if (options->explain)
		tr2_rules_explain(&out, options->explain);
	else
		tr2_rules_list(&out, options->explain_prefix,
			       options->selection.classes);
	tr2_must_write(&out, stdout);
	tr2_buf_release(&out);
	if (fflush(stdout) || ferror(stdout)) {
		perror("trace2 validate: standard output");
		return EXIT_INPUT;
	}
	return EXIT_CLEAN;
}

/* A path that can't be examined counts as one: reading it reports the error. */
static bool is_one_file(char **paths)
{
	struct stat st;

	if (paths[1] || !strcmp(paths[0], "-"))
		return false;
	return stat(paths[0], &st) || S_ISREG(st.st_mode);
}

/* Returns what can't be combined, or NULL. */
static const char *find_misuse(const struct tr2_options *options, char **paths)
{
	if (options->listen)
		return *paths || options->follow || options->programs
			       ? "--listen accepts neither a file nor --for"
			       : NULL;
	if (!*paths)
		return "nothing to check; name a file or a directory";
	if (options->follow && !is_one_file(paths))
		return "--follow expects one file";
	return NULL;
}

static int run_options(struct tr2_options *options, char **paths)
{
	static char input[] = "-";
	char *piped[] = { input, NULL };
	const char *misuse;

	if (options->explain || options->explain_prefix || options->list_rules)
		return print_information(options);
	if (!*paths && !options->listen && !options->follow &&
	    !isatty(STDIN_FILENO))
		paths = piped;
	misuse = find_misuse(options, paths);
	if (misuse)
		return tr2_cli_refuse(&tr2_validate_cli, misuse, NULL);
	return options->listen ? validate_live(options)
			       : validate_paths(paths, options);
}

int tr2_validate_main(int argc, char **argv)
{
	struct tr2_options options;
	int code = tr2_options_read(&options, argv);

	(void)argc;
	if (code == TR2_CLI_GO_ON)
		code = run_options(&options, argv + 1);
	tr2_options_release(&options);
	return code;
}
