#include "collect/delivery/delivery.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/files/clock.h"
#include "lib/files/own.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"
#include "read/json/tokens.h"
#include "views/otlp/otlp.h"

const struct tr2_output_kind *tr2_kind_find(const char *text)
{
	static const struct tr2_output_kind *const kinds[] = {
		&tr2_kind_files,
		&tr2_kind_stdout,
		&tr2_kind_socket,
		&tr2_kind_otlp,
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i]->matches(text))
			return kinds[i];
	return NULL;
}

#define POSITION ".position"
#define BATCH ((size_t)64 << 10)
#define TICK 500 /* ms */
#define MS UINT64_C(1000000)

void tr2_delivery_report(const struct tr2_delivery *delivery, const char *what)
{
	fputs("trace2 collect: output '", stderr);
	tr2_foreign_print(stderr, delivery->target);
	fprintf(stderr, "': %s\n", what);
}

bool tr2_delivery_must_stop(struct tr2_delivery *delivery)
{
	uint64_t now = tr2_clock_now();

	if (!tr2_journal_pause(delivery->reader.journal, 0))
		return false;
	if (!delivery->stalled)
		delivery->stalled = now;
	return now - delivery->stalled > TR2_DELIVERY_LAST * MS;
}

void tr2_delivery_save(struct tr2_delivery *delivery)
{
	int error;

	/* Where lines were removed, the reader is further than the output. */
	delivery->position.at = delivery->reader.kept;
	delivery->position.line = delivery->reader.line;
	delivery->position.missed = delivery->reader.missed;
	delivery->position.shown = delivery->reader.shown;
	error = tr2_position_write(delivery->position_fd, &delivery->position);
	if (error && !delivery->lost)
		tr2_delivery_report(delivery, "can't write its position");
	delivery->lost = error;
}

/* The output is done with the journal up to here. */
static void move_position(struct tr2_delivery *delivery, uint64_t at,
			  uint64_t line)
{
	if (at <= delivery->reader.kept)
		return;
	delivery->position.size += at - delivery->reader.kept;
	tr2_journal_keep(&delivery->reader, at, line);
	tr2_delivery_save(delivery);
}

/* For an output that is done with less than it has. */
static void ask_position(struct tr2_delivery *delivery)
{
	struct tr2_otlp_place done;

	if (!delivery->kind->find_done)
		return;
	done = delivery->kind->find_done(delivery);
	move_position(delivery, done.at, done.line);
}

/* The output has these bytes. All lines that are complete now are done. */
static void advance_position(struct tr2_delivery *delivery, uint64_t at,
			     const char *bytes, size_t len)
{
	const char *end = tr2_text_find_end(bytes, len);
	size_t whole = end ? (size_t)(end - bytes) : 0;

	delivery->stalled = 0;
	delivery->fresh = end == bytes + len;
	if (delivery->kind->find_done)
		ask_position(delivery);
	else if (end) /* lines may have been removed between the two places */
		move_position(delivery, at + whole,
			      delivery->reader.line +
				      tr2_text_count_lines(bytes, whole));
}

/* False: the output has failed, or it is time to give up. */
static bool pass_bytes(struct tr2_delivery *delivery, const char *bytes,
		       size_t len)
{
	uint64_t at = delivery->reader.at - len;
	ssize_t done;

	while (len) {
		done = delivery->kind->write(delivery, bytes, len);
		delivery->failures += done < 0;
		if (done < 0)
			return false;
		errno = 0;
		if (!done && tr2_delivery_must_stop(delivery))
			return false;
		if (!done)
			continue;
		advance_position(delivery, at, bytes, (size_t)done);
		at += (uint64_t)done;
		bytes += done;
		len -= (size_t)done;
	}
	return true;
}

/*
 * After a failure begin again with the first line that is not done. At the
 * end of the service this is tried once more. False: give up.
 */
static bool retry_output(struct tr2_delivery *delivery)
{
	struct tr2_journal *journal = delivery->reader.journal;
	bool ended = tr2_journal_pause(journal, 0);

	tr2_journal_rewind(&delivery->reader);
	delivery->fresh = true;
	if (ended)
		return false;
	if (!delivery->kind->final) {
		tr2_journal_pause(journal, TR2_DELIVERY_RETRY);
		return true;
	}
	while (!tr2_journal_pause(journal, TR2_DELIVERY_RETRY))
		;
	return false;
}

static bool open_output(struct tr2_delivery *delivery)
{
	int error = delivery->kind->open(delivery);

	if (error && !delivery->complained)
		tr2_delivery_report(delivery, strerror(error));
	delivery->complained |= error;
	return !error;
}

static void note_failure(struct tr2_delivery *delivery)
{
	int error = errno;

	delivery->kind->close(delivery, true);
	delivery->fd = -1;
	if (error && !delivery->complained)
		tr2_delivery_report(delivery, strerror(error));
	delivery->complained |= error;
}

/* Pass lines on until the end, or until the output fails. True: the end. */
static bool pass_lines(struct tr2_delivery *delivery, char *bytes)
{
	bool ended = false;
	size_t len;

	while (!ended) {
		len = tr2_journal_read(&delivery->reader, bytes, BATCH, TICK,
				       &ended);
		if (!len && delivery->kind->tick)
			delivery->kind->tick(delivery);
		if (!len)
			ask_position(delivery);
		errno = 0;
		if (!len && !ended && tr2_delivery_must_stop(delivery))
			return false; /* the journal can't be read */
		if (!pass_bytes(delivery, bytes, len))
			return false;
		if (len)
			delivery->complained = false;
	}
	return true;
}

static void finish_output(struct tr2_delivery *delivery)
{
	if (delivery->kind->finish)
		delivery->kind->finish(delivery);
	ask_position(delivery);
	delivery->kind->close(delivery, false);
}

static void *run_delivery(void *context)
{
	struct tr2_delivery *delivery = context;
	char *bytes = tr2_must_grow(NULL, BATCH + TR2_TOKENS_PADDING);
	bool ended = false;

	do {
		if (!open_output(delivery))
			continue;
		ended = pass_lines(delivery, bytes);
		if (!ended)
			note_failure(delivery);
	} while (!ended && retry_output(delivery));
	if (ended)
		finish_output(delivery);
	tr2_journal_rewind(&delivery->reader);
	tr2_delivery_save(delivery);
	free(bytes);
	return NULL;
}

/* Its events must not be lost with its position: it may get some again. */
static void begin_first(struct tr2_delivery *delivery,
			struct tr2_journal *journal)
{
	char what[128];

	tr2_journal_join_first(journal, &delivery->reader);
	snprintf(what, sizeof(what),
		 "its position is missing or damaged; it gets all %" PRIu64
		 " events of the spool, maybe again",
		 journal->lines - delivery->reader.line);
	tr2_delivery_report(delivery, what);
}

/*
 * Returns how many lines the journal had as any output knows, and neither it
 * nor this output has now. One without a place has missed none.
 */
static uint64_t count_lost(const struct tr2_delivery *delivery,
			   const struct tr2_journal *journal)
{
	const struct tr2_position *position = &delivery->position;
	uint64_t has = journal->lines;

	if (position->line > has)
		has = position->line;
	return position->at != UINT64_MAX && journal->had > has
		       ? journal->had - has
		       : 0;
}

static void begin_reading(struct tr2_delivery *delivery,
			  struct tr2_journal *journal)
{
	const struct tr2_position *position = &delivery->position;
	uint64_t lost = count_lost(delivery, journal);

	if (position->lost)
		begin_first(delivery, journal);
	else
		tr2_journal_join(journal, &delivery->reader, position->at,
				 position->line);
	delivery->end = tr2_journal_find_marks(journal).end;
	delivery->told = position->missed;
	delivery->reader.missed = position->missed + lost;
	delivery->line = delivery->reader.line - lost;
	tr2_delivery_save(delivery);
}

const char *tr2_delivery_open(struct tr2_delivery *delivery,
			      struct tr2_journal *journal)
{
	const struct tr2_position *position = &delivery->position;
	const char *target = delivery->target;

	snprintf(delivery->id, sizeof(delivery->id), "%016" PRIx64,
		 tr2_hash(target, strlen(target)).a);
	delivery->fd = -1;
	delivery->fresh = true;
	delivery->position_fd = tr2_position_open(&delivery->position,
						  journal->dir, delivery->id);
	if (delivery->position_fd < 0)
		return tr2_own_explain(errno);
	if (position->line > journal->had)
		journal->had = position->line;
	if (position->shown > journal->had)
		journal->had = position->shown;
	return NULL;
}

const char *tr2_delivery_begin(struct tr2_delivery *delivery,
			       struct tr2_journal *journal)
{
	int error;

	begin_reading(delivery, journal);
	error = pthread_create(&delivery->thread, NULL, run_delivery, delivery);
	if (!error)
		return NULL;
	close(delivery->position_fd);
	return strerror(error);
}

/* Tell what waits for an output that is not named, unless this was told. */
static void tell_left(const struct tr2_journal *journal, const char *name)
{
	char id[17] = "", path[TR2_SEGMENT_PATH], what[512];
	struct tr2_position left;

	memcpy(id, name, 16);
	if (!tr2_position_leave(&left, journal->dir, id) ||
	    (left.line >= journal->lines && !*left.file))
		return;
	snprintf(path, sizeof(path), "%s/%s", journal->dir, name);
	snprintf(what, sizeof(what),
		 "belongs to an output that is not named now, or otherwise; "
		 "%" PRIu64 " events wait for it and will be removed%s%s",
		 journal->lines > left.line ? journal->lines - left.line : 0,
		 *left.file ? ", and nothing completes its file " : "",
		 left.file);
	tr2_foreign_blame("collect", path, what);
}

void tr2_delivery_tell_left(const struct tr2_journal *journal,
			    const struct tr2_delivery *outputs, uint32_t count)
{
	DIR *dir = opendir(journal->dir);
	const struct dirent *entry;
	uint32_t i;

	while (dir && (entry = readdir(dir))) {
		if (strlen(entry->d_name) != 16 + strlen(POSITION) ||
		    strcmp(entry->d_name + 16, POSITION) != 0)
			continue;
		for (i = 0; i < count; i++)
			if (!strncmp(entry->d_name, outputs[i].id, 16))
				break;
		if (i == count)
			tell_left(journal, entry->d_name);
	}
	if (dir)
		closedir(dir);
}

static void report_count(const struct tr2_delivery *delivery,
			 const char *before, uint64_t count, const char *after)
{
	char text[128];

	if (!count)
		return;
	snprintf(text, sizeof(text), "%s%" PRIu64 " %s", before, count, after);
	tr2_delivery_report(delivery, text);
}

void tr2_delivery_end(struct tr2_delivery *delivery)
{
	const struct tr2_journal_reader *reader = &delivery->reader;

	pthread_join(delivery->thread, NULL);
	if (reader->missed > delivery->told)
		report_count(delivery, "missed ",
			     reader->missed - delivery->told, "events in all");
	report_count(delivery, "removed ", delivery->removed,
		     "old files, as the limit demands");
	report_count(delivery, "the receiver refused ", delivery->refused,
		     "spans in all");
	report_count(delivery, "", reader->journal->lines - reader->line,
		     "events wait in the spool");
	close(delivery->position_fd);
}
