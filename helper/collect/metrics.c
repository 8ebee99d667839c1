#include "collect/metrics.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collect/journal/journal.h"
#include "lib/files/clock.h"
#include "lib/files/own.h"
#include "lib/text/foreign.h"

#define RESERVE ((size_t)4 << 10) /* bytes by which counts may grow */

#define TELL_NS UINT64_C(60000000000) /* between two messages */

/*
 * What was lost, told while it happens: on standard error, at most once a
 * minute, and at the head of metrics.prom, which --status prints. What a
 * receiver refused is reported by its output.
 */
struct losses {
	uint64_t dropped; /* before the journal */
	uint64_t missed;  /* by outputs */
	uint64_t refused; /* by receivers */
};

/* An output's counts, as its reader has them now. */
struct output_counts {
	uint64_t passed, missed, waiting, removed, refused, unread, outside,
		refused_events, failures;
};

/* The service's counts, and those of the spool. */
struct service_counts {
	struct tr2_collect_counts intake;
	uint64_t heartbeat, spool_bytes, spool_errors;
	struct losses losses;
};

struct metric {
	const char *name, *help, *kind;
	size_t at; /* its count, in a struct */
};

#define ROW(of, name, member, kind, help)                    \
	{                                                    \
		"trace2_collect_" name, help, kind,          \
			offsetof(struct of##_counts, member) \
	}
#define COUNT(name, member, help) ROW(service, name, member, "counter", help)
#define GAUGE(name, member, help) ROW(service, name, member, "gauge", help)
#define LAST_ROW             \
	{                    \
		.name = NULL \
	}

static const struct metric metrics_of_service[] = {
	COUNT("received_total", intake.received, "Events that were received."),
	COUNT("events_total", intake.lines,
	      "Events that were passed to the outputs."),
	COUNT("bytes_total", intake.bytes, "Bytes of these events."),
	COUNT("dropped_total", intake.dropped,
	      "Events that were too long or too many."),
	COUNT("torn_total", intake.torn,
	      "Events that their writers cut short."),
	COUNT("connections_total", intake.connections,
	      "Connections of writers."),
	COUNT("refused_total", intake.refused, "Connections of other users."),
	COUNT("crowded_total", intake.crowded,
	      "Connections that were too many."),
	COUNT("redacted_total", intake.filter.redacted,
	      "Events with something to hide."),
	COUNT("unknown_total", intake.filter.unknown,
	      "Lines of which nobody knows what to hide."),
	COUNT("set_aside_total", intake.filter.aside,
	      "Broken events set aside."),
	COUNT("unkept_total", intake.filter.unkept,
	      "Broken events without space to set them aside."),
	GAUGE("heartbeat_seconds", heartbeat,
	      "When this was written, since 1970."),
	GAUGE("spool_bytes", spool_bytes, "Bytes of events in the spool."),
	COUNT("spool_errors_total", spool_errors,
	      "Times that the disk refused space for events."),
	LAST_ROW,
};

/* These are shown only if there are some. */
static const struct metric metrics_of_watches[] = {
	GAUGE("unreadable_files", intake.unread,
	      "Watched files that cannot be read."),
	COUNT("repeats_total", intake.repeats,
	      "Watched files of which events may have come twice."),
	LAST_ROW,
};

static void put_head(FILE *out, const char *name, const char *help,
		     const char *kind)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind);
}

static uint64_t read_count(const void *counts, const struct metric *row)
{
	uint64_t value;

	memcpy(&value, (const char *)counts + row->at, sizeof(value));
	return value;
}

static void put_rows(FILE *out, const struct metric *row,
		     const struct service_counts *counts, uint64_t least)
{
	uint64_t value;

	for (; row->name; row++) {
		value = read_count(counts, row);
		if (value < least)
			continue;
		put_head(out, row->name, row->help, row->kind);
		fprintf(out, "%s %" PRIu64 "\n", row->name, value);
	}
}

/* The reasons that there were. */
static void put_drops(FILE *out, const struct tr2_collect_counts *counts)
{
	bool any = false;

	for (int i = 0; i < TR2_DROPS; i++) {
		if (!counts->drops[i])
			continue;
		if (!any)
			put_head(out, "trace2_collect_dropped_by_reason_total",
				 "Dropped events by reason.", "counter");
		any = true;
		fprintf(out,
			"trace2_collect_dropped_by_reason_total"
			"{reason=\"%s\"} %" PRIu64 "\n",
			tr2_drop_names[i], counts->drops[i]);
	}
}

/* A label's value, with what its quotes need. */
static void put_label(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putc('\\', out);
		if (*text == '\n')
			fputs("\\n", out);
		else
			putc(*text, out);
	}
}

/* A rule's id needs no quoting. */
static void put_rules(FILE *out, const struct tr2_filter_rule *row)
{
	const struct tr2_filter_rule *end = row + TR2_FILTER_RULES;

	put_head(out, "trace2_collect_broken_total",
		 "Events that break a rule of validate.", "counter");
	for (; row < end && row->id; row++)
		fprintf(out,
			"trace2_collect_broken_total{rule=\"%s\"} %" PRIu64
			"\n",
			row->id, row->lines);
}

#define OUTPUT(name, member, kind, help) \
	ROW(output, "output_" name, member, kind, help)

static const struct metric metrics_of_outputs[] = {
	OUTPUT("passed_total", passed, "counter",
	       "Events that the output got."),
	OUTPUT("missed_total", missed, "counter",
	       "Events that the output did not get."),
	OUTPUT("waiting", waiting, "gauge", "Events that wait in the spool."),
	OUTPUT("removed_files_total", removed, "counter",
	       "Old files that the limit removed."),
	OUTPUT("refused_spans_total", refused, "counter",
	       "Spans that the receiver did not take."),
	OUTPUT("unread_answers_total", unread, "counter",
	       "Answers of the receiver that could not be read."),
	OUTPUT("outside_total", outside, "counter",
	       "Lines that are in no span."),
	OUTPUT("refused_total", refused_events, "counter",
	       "Events that the receiver did not take."),
	OUTPUT("failures_total", failures, "counter",
	       "Writes that failed, as on a full disk."),
	LAST_ROW,
};

static void put_outputs(FILE *out, const struct tr2_collect_options *options,
			const struct output_counts *counts)
{
	const struct metric *row = metrics_of_outputs;

	for (; row->name; row++) {
		put_head(out, row->name, row->help, row->kind);
		for (uint32_t i = 0; i < options->output_count; i++) {
			fprintf(out, "%s{output=\"", row->name);
			put_label(out, options->outputs[i].target);
			fprintf(out, "\"} %" PRIu64 "\n",
				read_count(&counts[i], row));
		}
	}
}

static void put_losses(FILE *out, const char *begin,
		       const struct losses *losses)
{
	fprintf(out,
		"%sevents were lost: %" PRIu64 " dropped, %" PRIu64
		" missed by outputs, %" PRIu64 " refused by receivers\n",
		begin, losses->dropped, losses->missed, losses->refused);
}

/* Tell them if there are more than those that were told. */
static void tell_losses(struct tr2_losses_told *told,
			const struct losses *losses)
{
	uint64_t sum = losses->dropped + losses->missed, now = tr2_clock_now();

	if (sum <= told->sum || (told->at && now - told->at < TELL_NS))
		return;
	told->sum = sum;
	told->at = now;
	put_losses(stderr, "trace2 collect: ", losses);
}

/*
 * Events that were refused are not passed. Those that come after one of an open
 * process still wait to be done with.
 */
static void place_refused(struct output_counts *counts)
{
	uint64_t refused = counts->refused_events, passed = counts->passed;

	counts->passed = passed > refused ? passed - refused : 0;
	refused -= passed - counts->passed;
	counts->waiting -= refused < counts->waiting ? refused
						     : counts->waiting;
}

static void sum_losses(const struct tr2_collect_metrics *metrics,
		       const struct output_counts *counts,
		       struct service_counts *service)
{
	const struct tr2_collect_counts *intake = &service->intake;
	struct losses *losses = &service->losses;
	uint32_t i;

	losses->dropped = intake->dropped + intake->filter.unkept +
			  intake->filter.unknown;
	for (i = 0; i < metrics->options->output_count; i++, counts++) {
		losses->missed += counts->missed;
		losses->refused += counts->refused_events;
	}
}

static void copy_counts(struct tr2_collect_metrics *metrics,
			struct output_counts counts[TR2_COLLECT_OUTPUTS],
			struct service_counts *service)
{
	struct tr2_journal *journal = metrics->journal;
	const struct tr2_journal_reader *reader;
	const struct tr2_journal_segment *segment;
	const struct tr2_delivery *output;
	uint64_t first, read, missed;

	pthread_mutex_lock(&journal->mutex);
	segment = journal->segments.count ? journal->segments.items : NULL;
	first = segment ? segment->line : 0;
	*service = (struct service_counts){
		.intake = metrics->intake->shown,
		.heartbeat = (uint64_t)time(NULL),
		.spool_bytes = segment ? journal->shown_end - segment->begin
				       : 0,
		.spool_errors = journal->errors,
	};
	for (uint32_t i = 0; i < metrics->options->output_count; i++) {
		output = &metrics->options->outputs[i];
		reader = &output->reader;
		/* What was removed is missed, though it has not noticed. */
		read = reader->line + reader->ahead + reader->inside;
		missed = first > read ? first - read : 0;
		counts[i] = (struct output_counts){
			.passed = reader->line - output->line + output->told -
				  reader->missed,
			.missed = reader->missed - output->told + missed,
			.waiting = journal->shown_lines - reader->line - missed,
			.removed = output->removed,
			.refused = output->refused,
			.unread = output->unread,
			.outside = output->outside,
			.refused_events = output->refused_events,
			.failures = output->failures,
		};
		place_refused(&counts[i]);
	}
	pthread_mutex_unlock(&journal->mutex);
	sum_losses(metrics, counts, service);
}

static void name_file(char path[TR2_SEGMENT_PATH], const char *dir,
		      const char *name)
{
	snprintf(path, TR2_SEGMENT_PATH, "%s/%s", dir, name);
}

/* The caller frees the text. NULL: there is no memory. */
static char *make_text(struct tr2_collect_metrics *metrics, size_t *len)
{
	struct output_counts counts[TR2_COLLECT_OUTPUTS];
	struct service_counts service;
	char *text = NULL;
	FILE *out = open_memstream(&text, len);

	if (!out)
		return NULL;
	copy_counts(metrics, counts, &service);
	if (service.losses.dropped || service.losses.missed ||
	    service.losses.refused)
		put_losses(out, "# ", &service.losses);
	if (!metrics->ended) /* then each output tells its own */
		tell_losses(&metrics->told, &service.losses);
	put_rows(out, metrics_of_service, &service, 0);
	put_drops(out, &service.intake);
	put_rows(out, metrics_of_watches, &service, 1);
	put_rules(out, service.intake.filter.rules);
	put_outputs(out, metrics->options, counts);
	fclose(out);
	return text;
}

static int open_partial(const struct tr2_collect_metrics *metrics,
			char path[TR2_SEGMENT_PATH])
{
	name_file(path, metrics->journal->dir, "metrics.partial");
	return tr2_own_open(path, O_WRONLY | O_CREAT, 0644, TR2_OWN_PRIVATE);
}

/* A disk that is full leaves the old file. The new one may have space. */
static void write_metrics(struct tr2_collect_metrics *metrics)
{
	char path[TR2_SEGMENT_PATH], partial[TR2_SEGMENT_PATH];
	size_t len;
	char *text = make_text(metrics, &len);
	int fd = open_partial(metrics, partial);
	bool done = text && fd >= 0 && write(fd, text, len) == (ssize_t)len &&
		    !ftruncate(fd, (off_t)len);

	if (fd >= 0 && close(fd))
		done = false;
	name_file(path, metrics->journal->dir, "metrics.prom");
	if (done && !rename(partial, path))
		metrics->size = len;
	else
		unlink(partial);
	free(text);
}

/* Space for the next file, so that a disk that is full does not hide it. */
static void reserve_space(const struct tr2_collect_metrics *metrics)
{
	char partial[TR2_SEGMENT_PATH];
	int fd = open_partial(metrics, partial);

	if (fd < 0)
		return;
	if (posix_fallocate(fd, 0, (off_t)(metrics->size + RESERVE)))
		unlink(partial);
	close(fd);
}

static void *renew_metrics(void *context)
{
	struct tr2_collect_metrics *metrics = context;

	do {
		write_metrics(metrics);
		reserve_space(metrics);
	} while (!tr2_journal_pause(metrics->journal, TR2_METRICS_EVERY));
	return NULL;
}

int tr2_collect_begin_metrics(struct tr2_collect_metrics *metrics)
{
	return pthread_create(&metrics->thread, NULL, renew_metrics, metrics);
}

void tr2_collect_end_metrics(struct tr2_collect_metrics *metrics)
{
	pthread_join(metrics->thread, NULL);
	metrics->ended = true;
	write_metrics(metrics);
}

/* The clock may have been set since. */
static void print_age(long long seconds)
{
	if (seconds < 0)
		printf("# written %lld s in the future: the clock was set\n",
		       -seconds);
	else
		printf("# written %lld s ago\n", seconds);
}

static int refuse_status(const char *path, int error)
{
	tr2_foreign_complain("collect", strerror(error), path);
	return COLLECT_FAILED;
}

int tr2_collect_show_status(const struct tr2_collect_options *options)
{
	char path[TR2_SEGMENT_PATH], bytes[4096];
	struct stat st;
	size_t got;
	FILE *in;
	int fd, error;

	name_file(path, options->spool, "metrics.prom");
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	in = fd < 0 ? NULL : fdopen(fd, "r");
	if (!in)
		return refuse_status(path, errno);
	if (!fstat(fd, &st))
		print_age((long long)(time(NULL) - st.st_mtime));
	while ((got = fread(bytes, 1, sizeof(bytes), in)))
		fwrite(bytes, 1, got, stdout);
	error = ferror(in) ? errno : 0;
	fclose(in);
	return error ? refuse_status(path, error) : COLLECT_WHOLE;
}
