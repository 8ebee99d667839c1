#include "collect/collect.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/intake/intake.h"
#include "collect/metrics.h"
#include "collect/options.h"
#include "collect/intake/watch.h"
#include "collect/journal/journal.h"
#include "lib/common/memory.h"
#include "lib/files/ready.h"
#include "redact/redactor/line.h"
#include "lib/text/foreign.h"

#define END_MS 1000  /* for a reader to take the last messages */
#define OWN_FILES 64 /* descriptors besides those of connections and spool */
#define HELD_USUAL 256
#define HELD_MOST 4096

/*
 * Share as many descriptors as possible between connections, watched files and
 * the service itself. A connection that waits for one would stop its program,
 * so there is a limit that refuses it. Where there are few, connections get a
 * half, and files a quarter.
 */
static void share_descriptors(const struct tr2_collect_options *options,
			      struct tr2_watches *watches,
			      struct tr2_writers *writers)
{
	const uint64_t most = tr2_socket_raise_limit();
	uint64_t own = OWN_FILES + UINT64_C(4) * options->output_count +
		       options->spool_limit / TR2_JOURNAL_SEGMENT;

	watches->held_most = most / 8 > HELD_USUAL ? most / 8 : HELD_USUAL;
	if (watches->held_most > HELD_MOST)
		watches->held_most = HELD_MOST;
	if (watches->held_most > most / 4)
		watches->held_most = most / 4;
	own += options->watch_count ? watches->held_most : 0;
	if (own > most / 2)
		own = most / 2;
	writers->most = most - own < UINT32_MAX ? (uint32_t)(most - own)
						: UINT32_MAX;
}

static int report_failure(const char *name, const char *why)
{
	tr2_foreign_blame("collect", name, why);
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

/* Returns with how many outputs this was done; the next one has failed. */
static uint32_t do_with_each(struct tr2_collect_options *options,
			     struct tr2_journal *journal,
			     const char *(*function)(struct tr2_delivery *,
						     struct tr2_journal *))
{
	struct tr2_delivery *output = options->outputs;
	const char *why = NULL;
	uint32_t done = 0;

	for (; done < options->output_count && !why; output++) {
		why = function(output, journal);
		if (why)
			report_failure(output->target, why);
		done += !why;
	}
	return done;
}

static int begin_outputs(struct tr2_collect_options *options,
			 struct tr2_journal *journal)
{
	const uint32_t count = options->output_count;
	uint32_t begun = 0;

	if (do_with_each(options, journal, tr2_delivery_open) == count)
		begun = do_with_each(options, journal, tr2_delivery_begin);
	options->output_count = begun;
	if (begun < count)
		return COLLECT_FAILED;
	tr2_delivery_tell_left(journal, options->outputs, count);
	return 0;
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
		if (output->reader.missed > output->told || output->refused ||
		    output->harmed)
			code = COLLECT_LOST;
	}
	return code;
}

static void report_intake(const struct tr2_collect_counts *counts)
{
	report_count(counts->dropped, "events were dropped in all");
	report_count(counts->unread, "files or directories could not be read");
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
	return counts->dropped || counts->unread || counts->crowded ||
	       counts->filter.unkept || counts->filter.unknown;
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

/* What the service has, which is more than a small stack has room for. */
struct service {
	struct tr2_line_filter filter;
	struct tr2_watches watches;
	struct tr2_collect_intake intake;
	struct tr2_collect_metrics metrics;
};

static struct service *make_service(struct tr2_collect_options *options,
				    struct tr2_journal *journal,
				    struct tr2_redactor *redactor)
{
	struct service *service = tr2_must_zeros(sizeof(*service));
	struct tr2_line_filter *filter = &service->filter;
	struct tr2_collect_intake *intake = &service->intake;

	filter->check = options->line_check;
	filter->redact = options->redact;
	filter->redactor = redactor;
	filter->attributes = options->attributes.bytes;
	filter->aside.dir = options->spool;
	filter->aside.limit = options->broken_limit;
	filter->aside.fd = -1;
	service->watches.items = options->watches;
	service->watches.count = options->watch_count;
	service->watches.remove = options->remove;
	intake->watches = &service->watches;
	intake->journal = journal;
	intake->filter = tr2_filter_is_wanted(filter) ? filter : NULL;
	intake->writers.sockets = options->sockets;
	intake->writers.socket_count = options->socket_count;
	intake->writers.others = options->others;
	share_descriptors(options, &service->watches, &intake->writers);
	service->metrics.options = options;
	service->metrics.journal = journal;
	service->metrics.intake = intake;
	return service;
}

static int run_intake(struct service *service,
		      struct tr2_collect_options *options,
		      struct tr2_journal *journal, int stop_fd)
{
	int failed = begin_outputs(options, journal) ||
		     begin_metrics(&service->metrics);
	int code;

	tr2_filter_begin(&service->filter);
	tr2_watch_begin(&service->watches, journal);
	if (!failed)
		tr2_collect_receive(&service->intake, stop_fd);
	tr2_watch_end(&service->watches);
	tr2_filter_end(&service->filter);
	close_sockets(options, options->socket_count);
	code = end_outputs(options, journal);
	if (!failed)
		tr2_collect_end_metrics(&service->metrics);
	return failed ? COLLECT_FAILED : code;
}

static int collect_events(struct tr2_collect_options *options,
			  struct tr2_journal *journal,
			  struct tr2_redactor *redactor, int stop_fd)
{
	int code = open_sockets(options);
	struct service *service;
	bool lost;

	if (code)
		return code;
	service = make_service(options, journal, redactor);
	code = run_intake(service, options, journal, stop_fd);
	report_intake(&service->intake.counts);
	lost = has_lost(&service->intake.counts);
	if (tr2_journal_is_cut(journal)) {
		report_failure(
			options->spool,
			"somebody cut or removed files with events that waited");
		lost = true;
	}
	free(service);
	return lost && code != COLLECT_FAILED ? COLLECT_LOST : code;
}

/*
 * The files of the service in its spool, beside those that it makes anew each
 * time. A link is not followed, but replaced.
 */
static int check_spool(const char *spool)
{
	static const char *const names[] = { "watched", "watched.partial",
					     "metrics.prom",
					     "metrics.partial" };
	char path[TR2_SEGMENT_PATH];
	struct stat st;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", spool, names[i]);
		if (!lstat(path, &st) && !S_ISREG(st.st_mode) &&
		    !S_ISLNK(st.st_mode))
			return report_failure(
				path, "is not a regular file; remove it");
	}
	return 0;
}

static int run_service(struct tr2_collect_options *options)
{
	struct tr2_redactor *redactor;
	struct tr2_journal journal;
	const char *why;
	int stop_fd = tr2_socket_catch_stops(true), code;

	if (stop_fd < 0)
		return report_failure("a pipe for signals", strerror(errno));
	signal(SIGPIPE, SIG_IGN); /* an output that has gone is an error */
	code = tr2_passed_take(options);
	if (code)
		return code;
	why = tr2_journal_open(&journal, options->spool, options->spool_limit);
	if (why)
		return report_failure(options->spool, why);
	journal.age = (uint64_t)(options->spool_age / 1000000);
	code = check_spool(options->spool);
	redactor = !code && options->hide ? open_redactor(options) : NULL;
	if (!code && options->hide && !redactor)
		code = COLLECT_FAILED;
	else if (!code)
		code = collect_events(options, &journal, redactor, stop_fd);
	if (redactor)
		tr2_redactor_close(redactor);
	tr2_journal_close(&journal);
	return code;
}

int tr2_collect_main(char **argv)
{
	struct tr2_collect_options *options = tr2_must_zeros(sizeof(*options));
	int code = tr2_collect_read_options(options, argv);

	if (code == TR2_CLI_GO_ON && options->status)
		code = tr2_collect_show_status(options);
	else if (code == TR2_CLI_GO_ON && options->check)
		code = COLLECT_WHOLE;
	else if (code == TR2_CLI_GO_ON) {
		tr2_ready_keep_errors();
		code = run_service(options);
		tr2_ready_end_errors(END_MS);
	}
	tr2_buf_release(&options->text);
	tr2_buf_release(&options->attributes);
	free(options);
	return code;
}
