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
#include "lib/files/own.h"
#include "lib/text/foreign.h"

#define RESERVE ((size_t)4 << 10) /* bytes by which counts may grow */

/* An output's counts, as its reader has them now. */
struct output_counts {
	uint64_t passed, missed, waiting, removed, refused, unread, outside,
		refused_events, failures;
};

/* The service's counts, and those of the spool. */
struct service_counts {
	struct tr2_collect_counts intake;
	uint64_t spool_bytes, spool_errors;
	struct tr2_losses losses;
};

struct metric {
	const char *name, *help, *kind;
	size_t at; /* its count, in a struct */
};

static const struct metric metrics_of_service[] = {
#define ROW(name, member, help)                                     \
	{                                                           \
		"trace2_collect_" name, help, "counter",            \
			offsetof(struct tr2_collect_counts, member) \
	}
	ROW("received_total", received, "Events that were received."),
	ROW("events_total", lines, "Events that were passed to the outputs."),
	ROW("bytes_total", bytes, "Bytes of these events."),
	ROW("dropped_total", dropped, "Events that were too long or too many."),
	ROW("torn_total", torn, "Events that their writers cut short."),
	ROW("connections_total", connections, "Connections of writers."),
	ROW("refused_total", refused, "Connections of other users."),
	ROW("crowded_total", crowded, "Connections that were too many."),
	ROW("redacted_total", filter.redacted,
	    "Events with something to hide."),
	ROW("unknown_total", filter.unknown,
	    "Lines of which nobody knows what to hide."),
	ROW("set_aside_total", filter.aside, "Broken events set aside."),
	ROW("unkept_total", filter.unkept,
	    "Broken events without space to set them aside."),
};

static void put_head(FILE *out, const char *name, const char *help,
		     const char *kind)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind);
}

static void put_metric(FILE *out, const char *name, const char *help,
		       const char *kind, uint64_t value)
{
	put_head(out, name, help, kind);
	fprintf(out, "%s %" PRIu64 "\n", name, value);
}

static uint64_t read_count(const void *counts, const struct metric *row)
{
	uint64_t value;

	memcpy(&value, (const char *)counts + row->at, sizeof(value));
	return value;
}

static void put_service(FILE *out, const struct tr2_collect_counts *counts)
{
	const struct metric *row = metrics_of_service;
	size_t i;

	for (i = 0; i < sizeof(metrics_of_service) / sizeof(*row); i++, row++)
		put_metric(out, row->name, row->help, row->kind,
			   read_count(counts, row));
}

/* The reasons that there were. */
static void put_drops(FILE *out, const struct tr2_collect_counts *counts)
{
	bool any = false;
	int i;

	for (i = 0; i < TR2_DROPS; i++) {
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

static void put_watched(FILE *out, const struct tr2_collect_counts *counts)
{
	if (counts->unread)
		put_metric(out, "trace2_collect_unreadable_files",
			   "Watched files that cannot be read.", "gauge",
			   counts->unread);
	if (counts->repeats)
		put_metric(out, "trace2_collect_repeats_total",
			   "Watched files of which events may have come twice.",
			   "counter", counts->repeats);
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

static const struct metric metrics_of_outputs[] = {
#define OUTPUT_ROW(name, member, help, kind)                   \
	{                                                      \
		"trace2_collect_output_" name, help, kind,     \
			offsetof(struct output_counts, member) \
	}
	OUTPUT_ROW("passed_total", passed, "Events that the output got.",
		   "counter"),
	OUTPUT_ROW("missed_total", missed,
		   "Events that the output did not get.", "counter"),
	OUTPUT_ROW("waiting", waiting, "Events that wait in the spool.",
		   "gauge"),
	OUTPUT_ROW("removed_files_total", removed,
		   "Old files that the limit removed.", "counter"),
	OUTPUT_ROW("refused_spans_total", refused,
		   "Spans that the receiver did not take.", "counter"),
	OUTPUT_ROW("unread_answers_total", unread,
		   "Answers of the receiver that could not be read.",
		   "counter"),
	OUTPUT_ROW("outside_total", outside, "Lines that are in no span.",
		   "counter"),
	OUTPUT_ROW("refused_total", refused_events,
		   "Events that the receiver did not take.", "counter"),
	OUTPUT_ROW("failures_total", failures,
		   "Writes that failed, as on a full disk.", "counter"),
};

#define OUTPUT_ROWS (sizeof(metrics_of_outputs) / sizeof(metrics_of_outputs[0]))

static void put_outputs(FILE *out, const struct tr2_collect_options *options,
			const struct output_counts *counts)
{
	const struct metric *row = metrics_of_outputs;
	uint32_t i;
	size_t r;

	for (r = 0; r < OUTPUT_ROWS; r++, row++) {
		put_head(out, row->name, row->help, row->kind);
		for (i = 0; i < options->output_count; i++) {
			fprintf(out, "%s{output=\"", row->name);
			put_label(out, options->outputs[i].target);
			fprintf(out, "\"} %" PRIu64 "\n",
				read_count(&counts[i], row));
		}
	}
}

/* Lines before this one are in the journal no more. */
static uint64_t find_first_line(const struct tr2_journal *journal)
{
	const struct tr2_journal_segment *first = journal->segments.items;

	return journal->segments.count ? first->line : 0;
}

static uint64_t find_first_byte(const struct tr2_journal *journal)
{
	const struct tr2_journal_segment *first = journal->segments.items;

	return journal->segments.count ? first->begin : journal->shown_end;
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
	struct tr2_losses *losses = &service->losses;
	uint32_t i;

	losses->dropped = intake->dropped + intake->filter.unkept +
			  intake->filter.unknown;
	for (i = 0; i < metrics->options->output_count; i++, counts++) {
		losses->missed += counts->missed;
		losses->refused += counts->refused_events;
	}
}

static void put_spool(FILE *out, const struct service_counts *service)
{
	put_metric(out, "trace2_collect_heartbeat_seconds",
		   "When this was written, since 1970.", "gauge",
		   (uint64_t)time(NULL));
	put_metric(out, "trace2_collect_spool_bytes",
		   "Bytes of events in the spool.", "gauge",
		   service->spool_bytes);
	put_metric(out, "trace2_collect_spool_errors_total",
		   "Times that the disk refused space for events.", "counter",
		   service->spool_errors);
}

static void copy_counts(struct tr2_collect_metrics *metrics,
			struct output_counts counts[TR2_COLLECT_OUTPUTS],
			struct service_counts *service)
{
	struct tr2_journal *journal = metrics->journal;
	const struct tr2_journal_reader *reader;
	const struct tr2_delivery *output;
	uint64_t first, read, missed;
	uint32_t i;

	pthread_mutex_lock(&journal->mutex);
	first = find_first_line(journal);
	*service = (struct service_counts){
		.intake = metrics->intake->shown,
		.spool_bytes = journal->shown_end - find_first_byte(journal),
		.spool_errors = journal->errors,
	};
	for (i = 0; i < metrics->options->output_count; i++) {
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
	tr2_losses_put(out, &service.losses);
	if (!metrics->ended) /* then each output tells its own */
		tr2_losses_tell(&metrics->told, &service.losses);
	put_service(out, &service.intake);
	put_spool(out, &service);
	put_drops(out, &service.intake);
	put_watched(out, &service.intake);
	put_rules(out, service.intake.filter.rules);
	put_outputs(out, metrics->options, counts);
	fclose(out);
	return text;
}

static int open_partial(const char *partial)
{
	return tr2_own_open(partial, O_WRONLY | O_CREAT, 0644, TR2_OWN_PRIVATE);
}

/* The file may have space that was reserved for it. */
static bool write_partial(const char *partial, const char *text, size_t len)
{
	int fd = open_partial(partial);
	bool done;

	if (fd < 0)
		return false;
	done = write(fd, text, len) == (ssize_t)len &&
	       !ftruncate(fd, (off_t)len);
	return !close(fd) && done;
}

/* A disk that is full leaves the old file. */
static void write_metrics(struct tr2_collect_metrics *metrics)
{
	char path[TR2_SEGMENT_PATH], partial[TR2_SEGMENT_PATH];
	size_t len;
	char *text = make_text(metrics, &len);

	if (!text)
		return;
	name_file(path, metrics->journal->dir, "metrics.prom");
	name_file(partial, metrics->journal->dir, "metrics.partial");
	if (!write_partial(partial, text, len) || rename(partial, path))
		unlink(partial);
	else
		metrics->size = len;
	free(text);
}

/* Space for the next file, so that a disk that is full does not hide it. */
static void reserve_space(const struct tr2_collect_metrics *metrics)
{
	char partial[TR2_SEGMENT_PATH];
	int fd;

	name_file(partial, metrics->journal->dir, "metrics.partial");
	fd = open_partial(partial);
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
