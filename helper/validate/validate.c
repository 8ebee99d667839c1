#include "validate/validate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/common/memory.h"
#include "lib/files/clock.h"
#include "lib/text/foreign.h"
#include "read/bytes/follow.h"
#include "read/bytes/inputs.h"
#include "read/bytes/lines.h"
#include "read/fxt_log.h"
#include "read/kind.h"
#include "validate/listen.h"
#include "validate/options.h"
#include "validate/worker.h"

/* Reads logs, from an open file to its last line, into blocks for the worker. */
struct log_reader {
	struct tr2_worker *worker;
	struct tr2_lines lines;
	bool follow;		/* logs grow while they are read */
	struct tr2_block block; /* what is being read */
	bool shows;		/* a line of progress, from `next` on */
	bool shown;
	uint64_t begun, next; /* in ns */
};

#define SECOND UINT64_C(1000000000)

/* On a terminal, a second after the begin and ten times a second from then on. */
static void show_progress(struct log_reader *reader)
{
	const struct tr2_totals *totals = &reader->worker->totals;
	const uint64_t bytes = totals->bytes + reader->lines.bytes;
	uint64_t now;

	if (!reader->shows)
		return;
	now = tr2_clock_now();
	if (now < reader->next)
		return;
	fprintf(stderr, "\r\033[K%lu files, %" PRIu64 " MB, %" PRIu64 " MB/s",
		totals->files, bytes / 1000000,
		bytes / ((now - reader->begun) / 1000));
	reader->next = now + SECOND / 10;
	reader->shown = true;
}

/* The worker takes the block; the next one is of the same log. */
static void put_block(struct log_reader *reader)
{
	const enum tr2_log_format format = reader->block.format;

	tr2_worker_take(reader->worker, &reader->block);
	reader->block.format = format;
	show_progress(reader);
}

static void put_unreadable(struct log_reader *reader, const char *why)
{
	reader->worker->totals.unreadable_files++;
	reader->block.len = 0;
	reader->block.fault = tr2_must_copy(why);
	put_block(reader);
}

/* Each block is passed on when it is full, or the log waits for more. */
static void read_blocks(struct log_reader *reader)
{
	while (tr2_lines_fill(&reader->lines, &reader->block) > 0)
		put_block(reader);
}

/*
 * An archive has no lines: blocks may end anywhere. Nothing after a record of
 * size 0 is read, so that an endless source ends there; a followed one is
 * waited for anyway.
 */
static void read_archive(struct log_reader *reader)
{
	struct tr2_block *block = &reader->block;
	const struct tr2_fxt_log *archive = &reader->worker->own.archive;

	while (block->len) {
		put_block(reader);
		if (reader->follow || !archive->has_ended)
			tr2_lines_read(&reader->lines, block);
	}
}

static void read_source(struct log_reader *reader, const char *name)
{
	struct tr2_block *head = &reader->block;

	if (tr2_kind_detect(&reader->lines, head, name)) {
		head->format = TR2_LOG_UNKNOWN;
	} else if (head->format == TR2_LOG_FXT) {
		read_archive(reader);
	} else if (!tr2_block_has_lines(head)) {
		reader->worker->totals.other_files += head->len > 0;
		put_block(reader);
	} else {
		read_blocks(reader);
	}
	if (reader->lines.failed)
		put_unreadable(reader, reader->lines.failed);
}

/* Begin with another log; what the last one left is gone. */
static void begin_log(struct log_reader *reader, const char *name)
{
	struct tr2_block *block = &reader->block;

	tr2_block_clear(block);
	block->visit = (unsigned)++reader->worker->totals.files;
	block->name = tr2_must_copy(name);
}

/* Findings may go to the very file that is refused. */
static void refuse_log(struct log_reader *reader, const char *name, int error)
{
	if (error == TR2_INPUTS_WRITTEN)
		tr2_foreign_complain("validate", tr2_inputs_explain(error),
				     name);
	put_unreadable(reader, tr2_inputs_explain(error));
}

/* A tr2_inputs_fn. */
static void read_log(void *context, const char *name, int fd)
{
	struct log_reader *reader = context;
	struct tr2_source *source;

	begin_log(reader, name);
	if (fd < 0) {
		refuse_log(reader, name, errno);
		return;
	}
	source = tr2_source_open(fd);
	if (reader->follow)
		tr2_source_follow(source, name);
	tr2_lines_begin(&reader->lines, source);
	read_source(reader, name);
	show_progress(reader);
	reader->worker->totals.bytes += reader->lines.bytes;
	tr2_source_close(source);
}

static int exit_code(const struct tr2_totals *totals, enum tr2_level fail_on)
{
	if (totals->files == totals->other_files) {
		fputs("trace2 validate: there is no Trace2 log\n", stderr);
		return EXIT_INPUT;
	}
	if (totals->unreadable_files)
		return EXIT_INPUT;
	for (int level = 0; level <= (int)fail_on; level++)
		if (totals->reported[level])
			return EXIT_FINDINGS;
	return EXIT_CLEAN;
}

static void read_inputs(struct log_reader *reader, char **paths)
{
	if (reader->follow)
		tr2_follow(*paths++, read_log, reader);
	for (; *paths; paths++)
		tr2_inputs_visit(*paths, read_log, reader);
}

/* Finish the output, and release the worker; returns the exit status. */
static int finish_run(struct tr2_worker *worker,
		      const struct tr2_options *options, uint64_t start)
{
	int rc;

	worker->totals.microseconds = (tr2_clock_now() - start) / 1000;
	rc = exit_code(&worker->totals, options->fail_on);
	if (tr2_report_end(&worker->report)) {
		perror("trace2 validate: standard output");
		rc = EXIT_INPUT;
	}
	tr2_worker_release(worker);
	free(worker);
	return rc;
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
	struct log_reader reader = { .worker = worker,
				     .lines = TR2_LINES_INIT,
				     .follow = options->follow,
				     .shows = !options->follow &&
					      isatty(STDERR_FILENO),
				     .begun = tr2_clock_now() };

	reader.next = reader.begun + SECOND;
	read_inputs(&reader, paths);
	tr2_worker_end(worker);
	if (reader.shown)
		fputs("\r\033[K", stderr);
	tr2_lines_release(&reader.lines);
	tr2_block_release(&reader.block);
	return finish_run(worker, options, reader.begun);
}

static int check_live(struct tr2_options *options)
{
	struct tr2_worker *worker = begin_worker(options);
	uint64_t start = tr2_clock_now();
	unsigned long dropped;
	int rc;

	dropped = tr2_listen(&options->socket, worker);
	tr2_worker_end(worker);
	rc = finish_run(worker, options, start);
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

int tr2_validate_main(char **argv)
{
	struct tr2_options options;
	int code = tr2_options_read(&options, argv);

	if (code == TR2_CLI_GO_ON)
		code = run_options(&options, argv + 1);
	tr2_options_release(&options);
	return code;
}
