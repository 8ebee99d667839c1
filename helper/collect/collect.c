#include "collect/collect.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "intake/intake.h"
#include "collect/key.h"
#include "collect/metrics.h"
#include "collect/options.h"
#include "collect/passed.h"
#include "intake/watch.h"
#include "common/memory.h"
#include "files/ready.h"
#include "host/system.h"
#include "redactor/line.h"
#include "text/foreign.h"

#define END_MS 1000	 /* for a reader to take the last messages */
#define USUAL_FILES 1024 /* POSIX has no number */
#define OWN_FILES 64 /* descriptors besides those of connections and spool */

static const char help[] =
	"usage: trace2 collect --spool DIR [--listen SOCKET]... [--watch DIR]...\n"
	"                      --output OUTPUT...\n"
	"\n"
	"Run a service that receives events from programs and passes them on to\n"
	"any number of outputs. No program waits for an output: events are kept\n"
	"in the spool until all outputs have got them. Ends with SIGTERM or SIGINT.\n"
	"\n"
	"Options:\n"
	"  -l, --listen SOCKET    listen on af_unix:stream:PATH or\n"
	"                         af_unix:dgram:PATH\n"
	"      --watch DIR        read the files that programs write into DIR\n"
	"      --remove           remove such a file when its process has ended and\n"
	"                         all outputs have got it\n"
	"  -o, --output OUTPUT    pass events on to files:DIR, af_unix:stream:PATH,\n"
	"                         stdout, or as spans to an OpenTelemetry receiver:\n"
	"                         otlp:http://HOST:4318\n"
	"      --spool DIR        the directory for events that wait\n"
	"      --config FILE      read options from lines of this file, such as\n"
	"                         'listen af_unix:stream:/run/user/1000/trace2'\n"
	"      --check-config     check the options and the file, and do nothing\n"
	"      --status           show what the service of the spool has done\n"
	"      --check HOW        check each line. Broken ones: pass, mark (as\n"
	"                         {\"broken\":RULE,\"line\":TEXT}), set-aside (into\n"
	"                         broken.log of the spool)\n"
	"      --broken-limit SIZE  the most bytes of broken.log (16m)\n"
	"      --otlp-gzip        compress what is posted\n"
	"      --otlp-header 'NAME: VALUE'\n"
	"                         add this to each post, such as a token\n"
	"      --otlp-wait SECONDS  how long the spool keeps the events of a\n"
	"                         process that has not ended (600)\n"
	"      --redact passwords hide passwords, tokens and other secrets, as\n"
	"                         'trace2 redact' does\n"
	"      --redact KINDS     also hide these, as 'trace2 redact' does:\n"
	"                         paths, hosts, users, repositories, arguments; all\n"
	"      --redact-key FILE  make placeholders with this secret key, so that\n"
	"                         those of several machines agree\n"
	"      --allow-others     let programs of other users write\n"
	"      --compress[=HOW]   compress files when they are complete, with gzip\n"
	"                         or zstd (gzip)\n"
	"      --file-size SIZE   begin a new file after so many bytes (64m)\n"
	"      --files-limit SIZE most bytes of complete files of an output; its\n"
	"                         oldest ones are removed, and counted\n"
	"      --spool-limit SIZE most bytes that wait (1g); older events are\n"
	"                         removed, and counted as missed\n"
	"  -h, --help             print this help\n"
	"\n"
	"Exit status: 0 no event was lost, 1 events were dropped, an output missed\n"
	"some, or connections were refused, 2 the command line was wrong, 3 the\n"
	"service could not start.\n";

/* A signal writes a byte to this pipe, which can be polled. */
static int stop_pipe[2];

static void note_stop(int signo)
{
	int saved = errno;
	ssize_t ignored = write(stop_pipe[1], "", 1);

	(void)signo;
	(void)ignored;
	errno = saved;
}

static int catch_stops(void)
{
	struct sigaction action = { .sa_handler = note_stop };

	if (tr2_host_open_pipe(stop_pipe))
		return errno;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	signal(SIGPIPE, SIG_IGN); /* an output that has gone is an error */
	return 0;
}

/*
 * Allow as many connections as possible, and return how many. One that waits
 * for a descriptor would stop its program, so there is a limit that refuses it.
 * It leaves descriptors for the spool, up to a half, and for outputs.
 */
static uint32_t raise_limit(const struct tr2_collect_options *options)
{
	uint64_t own = OWN_FILES + 4 * options->output_count +
		       options->spool_limit / TR2_JOURNAL_SEGMENT;
	struct rlimit limit = { USUAL_FILES, USUAL_FILES };

	getrlimit(RLIMIT_NOFILE, &limit); /* or a sandbox refuses it */
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	if (own > limit.rlim_max / 2)
		own = limit.rlim_max / 2;
	if (limit.rlim_max - own > UINT32_MAX)
		return UINT32_MAX;
	return (uint32_t)(limit.rlim_max - own);
}

static int report_failure(const char *name, const char *why)
{
	fputs("trace2 collect: ", stderr);
	tr2_foreign_print(stderr, name);
	fprintf(stderr, ": %s\n", why);
	return COLLECT_FAILED;
}

static void report_count(uint64_t count, const char *what)
{
	if (count)
		fprintf(stderr, "trace2 collect: %" PRIu64 " %s\n", count,
			what);
}

static void close_sockets(struct tr2_collect_options *options, uint32_t count)
{
	while (count)
		tr2_socket_close(&options->sockets[--count]);
}

/* The mode of the sockets tells who may write. */
static int open_sockets(struct tr2_collect_options *options)
{
	mode_t old = umask(options->others ? 0 : 0177);
	const char *why = NULL;
	uint32_t i;

	for (i = 0; i < options->socket_count && !why; i++)
		if (!options->sockets[i].passed)
			why = tr2_socket_open(&options->sockets[i]);
	umask(old);
	if (!why)
		return 0;
	close_sockets(options, i - 1);
	return report_failure(options->sockets[i - 1].address.sun_path, why);
}

static int begin_outputs(struct tr2_collect_options *options,
			 struct tr2_journal *journal)
{
	const char *why = NULL;
	uint32_t i;

	for (i = 0; i < options->output_count && !why; i++)
		why = tr2_delivery_begin(&options->outputs[i], journal);
	if (!why)
		return 0;
	report_failure(options->outputs[i - 1].target, why);
	options->output_count = i - 1;
	return COLLECT_FAILED;
}

/* 0, or COLLECT_FAILED after a message. */
static int begin_metrics(struct tr2_collect_metrics *metrics)
{
	int error = tr2_collect_begin_metrics(metrics);

	return error ? report_failure("metrics.prom", strerror(error)) : 0;
}

/* Wait for all outputs. Returns the exit status. */
static int end_outputs(struct tr2_collect_options *options,
		       struct tr2_journal *journal)
{
	const struct tr2_delivery *output = options->outputs;
	uint32_t i;
	int code = 0;

	tr2_journal_end(journal);
	for (i = 0; i < options->output_count; i++, output++) {
		tr2_delivery_end(&options->outputs[i]);
		if (output->reader.missed > output->told || output->refused)
			code = COLLECT_LOST;
	}
	return code;
}

static void report_intake(const struct tr2_collect_counts *counts)
{
	report_count(counts->dropped, "events were dropped");
	report_count(counts->torn, "events were cut short by their writers");
	report_count(counts->refused, "connections of other users were "
				      "refused");
	report_count(counts->crowded, "connections were refused: there were "
				      "too many at once");
	report_count(counts->filter.aside, "broken events were set aside");
	report_count(counts->filter.unknown, "lines were dropped: they are no "
					     "events, so nobody knows what to "
					     "hide");
	report_count(counts->filter.unkept, "broken events were dropped: there "
					    "was no space to set them aside");
}

static bool has_lost(const struct tr2_collect_counts *counts)
{
	return counts->dropped || counts->crowded || counts->filter.unkept ||
	       counts->filter.unknown;
}

/* NULL after a message: there is no key. */
static struct tr2_redactor *
open_redactor(const struct tr2_collect_options *options)
{
	char key[TR2_COLLECT_KEY_MOST + 1];
	size_t len =
		tr2_collect_read_key(options->key_file, options->spool, key);

	return len ? tr2_redactor_open(options->hide, key, len) : NULL;
}

static int collect_events(struct tr2_collect_options *options,
			  struct tr2_journal *journal,
			  struct tr2_redactor *redactor)
{
	struct tr2_line_filter filter = {
		.check = options->line_check,
		.redact = options->redact,
		.redactor = redactor,
		.aside = { .dir = options->spool,
			   .limit = options->broken_limit,
			   .fd = -1 },
	};
	struct tr2_watches watches = {
		.items = options->watches,
		.count = options->watch_count,
		.remove = options->remove,
	};
	struct tr2_collect_intake intake = {
		.watches = &watches,
		.journal = journal,
		.filter = filter.check || filter.redact || redactor ? &filter
								    : NULL,
		.sockets = options->sockets,
		.socket_count = options->socket_count,
		.others = options->others,
		.most = raise_limit(options),
	};
	struct tr2_collect_metrics metrics = { options, journal, &intake, 0 };
	int failed = open_sockets(options), code;

	if (failed)
		return failed;
	failed = begin_outputs(options, journal) || begin_metrics(&metrics);
	tr2_filter_begin(&filter);
	tr2_watch_begin(&watches, journal);
	if (!failed)
		tr2_collect_receive(&intake, stop_pipe[0]);
	tr2_watch_end(&watches);
	tr2_filter_end(&filter);
	close_sockets(options, options->socket_count);
	code = end_outputs(options, journal);
	if (!failed)
		tr2_collect_end_metrics(&metrics);
	report_intake(&intake.counts);
	if (failed)
		return COLLECT_FAILED;
	return has_lost(&intake.counts) ? COLLECT_LOST : code;
}

static int run_service(struct tr2_collect_options *options)
{
	struct tr2_redactor *redactor;
	struct tr2_journal journal;
	const char *why;
	int error, code;

	error = catch_stops();
	if (error)
		return report_failure("a pipe for signals", strerror(error));
	code = tr2_passed_take(options);
	if (code)
		return code;
	why = tr2_journal_open(&journal, options->spool, options->spool_limit);
	if (why)
		return report_failure(options->spool, why);
	redactor = options->hide ? open_redactor(options) : NULL;
	if (options->hide && !redactor)
		code = COLLECT_FAILED;
	else
		code = collect_events(options, &journal, redactor);
	if (redactor)
		tr2_redactor_close(redactor);
	tr2_journal_close(&journal);
	return code;
}

int tr2_collect_main(int argc, char **argv)
{
	struct tr2_collect_options *options = tr2_must_zeros(sizeof(*options));
	int code = tr2_collect_read_options(options, argc, argv);

	if (!code && options->help)
		fputs(help, stdout);
	else if (!code && options->status)
		code = tr2_collect_show_status(options);
	else if (!code && !options->check) {
		tr2_ready_keep_errors();
		code = run_service(options);
		tr2_ready_end_errors(END_MS);
	}
	tr2_buf_release(&options->text);
	free(options);
	return code;
}
