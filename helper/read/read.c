#include "read/read.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "lib/common/memory.h"
#include "read/bytes/inputs.h"
#include "lib/common/hash.h"
#include "read/kind.h"
#include "read/value.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"

/* Where a problem is, and how bad. */
struct problem_place {
	enum tr2_level level;
	const char *id;
	unsigned long line;
	size_t column;
	bool binary; /* the column is an offset in an archive */
};

/*
 * NAME:LINE:COLUMN: LEVEL[ID]: MESSAGE, at once and on standard error, because
 * standard output may be the result.
 */
static void print_problem(const struct tr2_reader *reader,
			  const struct problem_place *place,
			  const char *message)
{
	struct tr2_buf out = TR2_BUF_INIT;

	tr2_foreign_line(&out, reader->name, strlen(reader->name));
	if (place->binary)
		tr2_text_put(&out, ":0x%zx: ", place->column);
	else
		tr2_text_put(&out, ":%lu:%zu: ", place->line, place->column);
	tr2_text_put(&out, "%s[%s]: ", tr2_level_names[place->level],
		     place->id);
	tr2_foreign_line(&out, message, strlen(message));
	tr2_buf_byte(&out, '\n');
	tr2_must_write(&out, stderr);
	tr2_buf_release(&out);
}

/* Infos are left out: they say nothing about what could not be read. */
static void tell_problem(struct tr2_reader *reader,
			 const struct problem_place *place, const char *message)
{
	if (place->level != TR2_INFO && reader->shown++ < reader->most)
		print_problem(reader, place, message);
}

/* A tr2_problem_fn. */
static void take_problem(void *context, const struct tr2_problem *problem)
{
	struct tr2_reader *reader = context;
	const struct tr2_events *events = &reader->events;
	const struct problem_place place = {
		.level = problem->level,
		.id = problem->id,
		.line = events->line->number,
		.column = (size_t)(events->text - events->line->text) +
			  problem->at + 1,
	};

	reader->broken += problem->level == TR2_ERROR;
	tell_problem(reader, &place, problem->message);
}

/* A tr2_fxt_log_problem_fn. */
static void take_found(void *context, const struct trace_reader_finding *found)
{
	struct tr2_reader *reader = context;
	const struct problem_place place = {
		.level = tr2_fxt_log_level(found),
		.id = trace_reader_id(found->problem),
		.column = (size_t)found->offset,
		.binary = true,
	};

	reader->broken += place.level == TR2_ERROR;
	tell_problem(reader, &place, found->message);
}

static struct problem_place place_input(enum tr2_input input,
					unsigned long line, size_t column)
{
	const struct tr2_input_rule *rule = &tr2_input_rules[input];

	return (struct problem_place){ rule->level, rule->id, line, column,
				       false };
}

static void tell_unreadable(struct tr2_reader *reader, const char *why)
{
	const struct problem_place place =
		place_input(TR2_INPUT_UNREADABLE, 1, 1);

	if (reader->unreadable++ < reader->most)
		print_problem(reader, &place, why);
}

void tr2_reader_begin(struct tr2_reader *reader, const char *command,
		      const char *expected)
{
	*reader = (struct tr2_reader){ .command = command,
				       .expected = expected,
				       .most = TR2_READER_SHOWN };
}

/* Did the lines end because they could not be read? Then it is told. */
static bool tell_failure(struct tr2_reader *reader)
{
	if (reader->lines.failed)
		tell_unreadable(reader, reader->lines.failed);
	return reader->lines.failed;
}

void tr2_reader_refuse(struct tr2_reader *reader, const char *why)
{
	if (!reader->quiet && reader->skipped++ < reader->most)
		tr2_foreign_blame(reader->command, reader->name, why);
}

static void note_ending(struct tr2_reader *reader, const struct tr2_line *line)
{
	struct tr2_events *events = &reader->events;
	const struct problem_place place =
		place_input(TR2_INPUT_CRLF, line->number, line->len);

	if (events->told_crlf || line->number > 1 || !line->len ||
	    line->text[line->len - 1] != '\r')
		return;
	events->told_crlf = true;
	tell_problem(reader, &place, "lines end in CR LF, not in LF");
}

static bool is_other_line(struct tr2_reader *reader,
			  const struct tr2_line *line)
{
	return reader->block.format != TR2_LOG_EVENT ||
	       (!reader->events.in_torn &&
		tr2_plain_is_printed(line, reader->plain.pieces.bare)) ||
	       tr2_plain_is_other(line, reader->events.in_torn, &reader->amid);
}

static void read_line(struct tr2_reader *reader, const struct tr2_line *line)
{
	if (reader->line)
		reader->line(reader->owner, line);
	if (is_other_line(reader, line)) {
		note_ending(reader, line);
		tr2_plain_line(&reader->plain, line);
	} else {
		reader->plain.pieces.bare = true;
		tr2_events_line(&reader->events, line);
	}
}

static void read_block(struct tr2_reader *reader, unsigned long *number)
{
	struct tr2_block *block = &reader->block;
	const enum tr2_log_format format = block->format;
	struct tr2_line line;

	tr2_block_prepare(block);
	for (size_t i = 0; i < block->lines.count; i++) {
		line = tr2_block_line(block, i);
		line.number = ++*number;
		read_line(reader, &line);
	}
	tr2_block_clear(block);
	block->format = format;
}

/* Of many logs only some have their notes shown. */
static void tell_note(struct tr2_reader *reader, const char *text)
{
	if (reader->notes++ < reader->most)
		tr2_foreign_blame(reader->command, reader->name, text);
}

/* Tell once for each log what was found in it besides events. */
static void tell_carrier(struct tr2_reader *reader)
{
	const struct tr2_plain_reader *plain = &reader->plain;
	struct tr2_buf doubt = TR2_BUF_INIT;
	char text[160];

	if (reader->lines.utf16.is_on)
		tell_note(reader, "it is in UTF-16, and read as UTF-8");
	for (size_t i = 0; i < reader->lines.copied.count; i++)
		tell_note(reader, reader->lines.copied.each[i].form->words);
	if (plain->others.count) {
		snprintf(text, sizeof(text), "%lu %s; the first is line %lu",
			 plain->others.count,
			 plain->others.count == 1 ? "line is no event"
						  : "lines are no events",
			 plain->others.first);
		tell_note(reader, text);
	}
	if (plain->poorer) {
		snprintf(text, sizeof(text),
			 "%lu %s, because a richer format is there, too",
			 plain->poorer,
			 plain->poorer == 1 ? "line is left out"
					    : "lines are left out");
		tell_note(reader, text);
	}
	if (tr2_crowd_tell_doubt(&plain->crowd, &doubt))
		tell_note(reader, doubt.bytes);
	tr2_buf_release(&doubt);
	if (plain->owners.doubt)
		tell_note(reader,
			  "processes wrote at the same time, and the format "
			  "does not say which line is whose: some may be "
			  "counted for another process");
}

#define QUARTER INT64_C(900000000) /* us: all zones differ by such times */
#define MOMENT 10000		   /* us */

/*
 * A run that is traced in several formats begins in each with the same words at
 * the same moment. Only the first process of a log is looked at.
 */
static void note_begin(struct tr2_reader *reader, struct tr2_record *record)
{
	const uint64_t format = (uint64_t)reader->block.format + 1;
	const int64_t time = tr2_record_find_time(record);
	uint64_t moment = (uint64_t)(time % QUARTER / MOMENT), key, other;
	size_t len;
	const char *words = tr2_record_raw(record, TR2_KEY_ARGV, &len);

	if (!time || !words)
		return;
	key = tr2_hash(words, len).a;
	for (unsigned i = 0; i < 3 && !reader->has_twins; i++) {
		other = tr2_map_value(&reader->begun, key + moment + i);
		reader->has_twins = other && other != format;
		if (reader->has_twins)
			tell_note(reader,
				  "it begins with the same run as "
				  "another log, in another format, so "
				  "this run counts more than once; give the "
				  "logs of one format");
	}
	tr2_map_enter(&reader->begun, key + moment + 1)->value = format;
}

/* A tr2_events_fn: gets a log's events up to its first process. */
static void take_first(void *context, struct tr2_record *record)
{
	struct tr2_reader *reader = context;

	if (record->is == TR2_IS_START) {
		note_begin(reader, record);
		reader->events.take = reader->take;
		reader->events.taker = reader->taker;
	}
	reader->take(reader->taker, record);
}

static void read_lines(struct tr2_reader *reader)
{
	unsigned long number = 0;

	reader->amid = false;
	tr2_events_begin_log(&reader->events);
	reader->events.take = take_first;
	reader->events.taker = reader;
	reader->events.tell = take_problem;
	reader->events.owner = reader;
	tr2_plain_begin(&reader->plain, reader->name, reader->block.format);
	reader->plain.take = tr2_events_made;
	reader->plain.taker = &reader->events;
	reader->plain.crowd.leave = reader->leave;
	reader->plain.crowd.leaver = reader->leaver;
	reader->plain.made.sourceless = reader->sourceless;
	while (!reader->stopped &&
	       tr2_lines_fill(&reader->lines, &reader->block) > 0)
		read_block(reader, &number);
	tr2_plain_end(&reader->plain);
	tell_carrier(reader);
	tell_failure(reader);
}

static void read_archive(struct tr2_reader *reader)
{
	struct tr2_block *block = &reader->block;
	struct tr2_fxt_log archive;
	bool goes_on;

	tr2_fxt_log_begin(&archive, take_found, reader);
	do {
		goes_on = tr2_fxt_log_read(&archive, block, reader->take_record,
					   reader->owner);
		tr2_block_clear(block);
	} while (goes_on && !tr2_lines_read(&reader->lines, block) &&
		 block->len);
	tr2_fxt_log_end(&archive, !reader->lines.failed);
	tell_failure(reader);
}

static bool may_begin(const struct tr2_reader *reader,
		      enum tr2_log_format format)
{
	return !reader->begin || reader->begin(reader->owner, format);
}

/* Does somebody take what the file has? */
static bool is_wanted(const struct tr2_reader *reader)
{
	switch (reader->block.format) {
	case TR2_LOG_EVENT:
	case TR2_LOG_NORMAL:
	case TR2_LOG_PERF:
		return reader->take;
	case TR2_LOG_FXT:
		return reader->take_record;
	case TR2_LOG_CHROME:
		return reader->take_trace;
	case TR2_LOG_UNKNOWN:;
	}
	return false;
}

/* Read the rest. False: it can't be read, which is told. */
static bool read_whole(struct tr2_reader *reader)
{
	while (!reader->lines.at_end && !reader->lines.failed)
		tr2_lines_read(&reader->lines, &reader->block);
	return !tell_failure(reader);
}

/* What can be read of it counts. */
static void read_trace(struct tr2_reader *reader)
{
	read_whole(reader);
	memset(reader->block.text + reader->block.len, 0, TR2_TOKENS_PADDING);
	reader->take_trace(reader->owner, &reader->block);
}

void tr2_reader_tell_json(struct tr2_reader *reader, const char *text,
			  size_t at, const char *message)
{
	const char *begin = tr2_text_find_end(text, at);
	const struct problem_place place = place_input(
		TR2_INPUT_JSON,
		begin ? tr2_text_count_lines(text, at) + (begin == text + at)
		      : 1,
		at - (begin ? (size_t)(begin - text) : 0) + 1);

	reader->broken++;
	tell_problem(reader, &place, message);
}

static void read_log(struct tr2_reader *reader)
{
	struct tr2_block *block = &reader->block;

	/* Refused is also a file without a line or an event. */
	if (tr2_kind_detect(&reader->lines, block, reader->name)) {
		tell_failure(reader);
		tr2_block_clear(block);
		return;
	}
	if (!is_wanted(reader))
		tr2_reader_refuse(reader,
				  tr2_kind_refuse(block, reader->expected));
	else if (!may_begin(reader, block->format))
		;
	else if (tr2_block_has_lines(block))
		read_lines(reader);
	else if (block->format == TR2_LOG_CHROME)
		read_trace(reader);
	else
		read_archive(reader);
	tr2_block_clear(block);
}

static void read_text(struct tr2_reader *reader)
{
	struct tr2_block *block = &reader->block;

	if (read_whole(reader))
		reader->text(reader->owner, block->text, block->len);
	tr2_block_clear(block);
}

/* A tr2_inputs_fn. */
static void read_file(void *context, const char *name, int fd)
{
	struct tr2_reader *reader = context;
	const int reason = errno;
	struct tr2_source *source;

	reader->name = name;
	if (reader->stopped ||
	    (reader->wants && !reader->wants(reader->owner, name, fd)))
		return;
	if (fd < 0) {
		tell_unreadable(reader, tr2_inputs_explain(reason));
		return;
	}
	source = tr2_source_open(fd);
	tr2_lines_begin(&reader->lines, source);
	if (reader->text)
		read_text(reader);
	else
		read_log(reader);
	tr2_source_close(source);
}

void tr2_reader_visit(struct tr2_reader *reader, const char *path)
{
	tr2_inputs_visit(path, read_file, reader);
}

void tr2_reader_end(struct tr2_reader *reader)
{
	if (reader->notes > reader->most)
		fprintf(stderr,
			"trace2 %s: %lu more notes on logs are not shown\n",
			reader->command, reader->notes - reader->most);
	if (reader->skipped > reader->most)
		fprintf(stderr, "trace2 %s: %lu files are no logs\n",
			reader->command, reader->skipped);
	if (reader->unreadable > reader->most)
		fprintf(stderr, "trace2 %s: %lu files could not be read\n",
			reader->command, reader->unreadable);
}

void tr2_reader_release(struct tr2_reader *reader)
{
	tr2_map_release(&reader->begun);
	tr2_events_release(&reader->events);
	tr2_lines_release(&reader->lines);
	tr2_block_release(&reader->block);
	tr2_plain_release(&reader->plain);
}
