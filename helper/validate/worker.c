#include "validate/worker.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "read/bytes/copied.h"
#include "read/text/pieces.h"
#include "rules/consumer/consumer.h"
#include "rules/stream/rules.h"

/* Is a rule between events selected? */
static bool wants_streams(const struct tr2_selection *selection)
{
	for (enum tr2_stream_rule rule = 0; rule < TR2_STREAM_RULES; rule++)
		if (tr2_selection_has(selection, tr2_stream_id(rule)))
			return true;
	return false;
}

void tr2_worker_init(struct tr2_worker *worker,
		     const struct tr2_options *options)
{
	*worker = (struct tr2_worker){
		.report = { .format = options->format,
			    .out = stdout,
			    .totals = &worker->totals,
			    .selection = &options->selection,
			    .max = options->max_findings,
			    .live = options->follow || options->listen,
			    .color = options->color },
		.log = &worker->own,
	};
	tr2_statistics_init(&worker->statistics);
	worker->totals.max_per_rule = options->max_per_rule;
	if (options->statistics)
		worker->totals.statistics = &worker->statistics;
	tr2_checker_init(&worker->checker, &worker->report);
	worker->checker.evt = options->evt;
	worker->checker.strict = options->strict;
	worker->checker.document = options->document;
	if (options->programs)
		worker->checker.consumers =
			tr2_consumers_new(options->programs);
	worker->checker.formed = options->selection.classes;
	worker->checker.stream.formed = options->selection.classes;
	worker->checker.alone = !wants_streams(&options->selection);
	tr2_report_init(&worker->report);
}

/* A log without events ends when the next one comes. */
static void end_log(struct tr2_worker *worker, bool whole)
{
	if (worker->log->in_text)
		tr2_textlog_end(&worker->log->text);
	tr2_sink_report_lines(&worker->checker.sink, TR2_LINES_OTHER,
			      &worker->log->others);
	tr2_sink_report_lines(&worker->checker.sink, TR2_LINES_CARRIED,
			      &worker->log->carried);
	if (worker->log->archive.reader)
		tr2_fxt_log_end(&worker->log->archive, whole);
	if (worker->log->judged)
		tr2_consumers_end(worker->checker.consumers);
	worker->log->in_text = worker->log->judged = false;
}

/* A tr2_fxt_log_problem_fn. */
static void report_archive(void *context,
			   const struct trace_reader_finding *found)
{
	struct tr2_sink *sink = context;
	struct tr2_finding finding = {
		.level = tr2_fxt_log_level(found),
		.id = trace_reader_id(found->problem),
		.file = sink->file,
		.line = 1,
		.column = (size_t)found->offset + 1,
		.width = found->len,
		.message = found->message,
		.expected = found->expected,
		.visit = sink->visit,
		.binary = true,
		.seen = found->seen,
	};

	sink->take(sink, &finding);
}

static void count_record(void *context,
			 const struct trace_reader_record *record)
{
	struct tr2_worker *worker = context;

	(void)record;
	worker->totals.records++;
}

static void begin_text(struct tr2_worker *worker, const struct tr2_block *block)
{
	worker->log->text = (struct tr2_textlog)TR2_TEXTLOG_INIT(
		&worker->checker.sink, worker->totals.events,
		block->format == TR2_LOG_PERF ? TR2_TEXT_PERF
					      : TR2_TEXT_NORMAL);
	worker->log->text.carried = block->copied;
	worker->log->in_text = true;
}

static void begin_log(struct tr2_worker *worker, const struct tr2_block *block)
{
	struct tr2_checker *checker = &worker->checker;

	end_log(worker, true);
	tr2_checker_begin_file(checker, block->name, block->visit);
	worker->log->number = 0;
	worker->log->amid = worker->log->bare = false;
	tr2_buf_reset(&worker->mark);
	/* SPEC: input.utf16 */
	if (block->utf16)
		tr2_sink_report_file(&checker->sink, TR2_INPUT_UTF16,
				     "the log is in UTF-16, and read as UTF-8");
	/* SPEC: input.carried */
	for (size_t i = 0; block->copied && i < block->copied->count; i++)
		tr2_sink_report_file(&checker->sink, TR2_INPUT_CARRIED,
				     block->copied->each[i].form->words);
	worker->log->judged = checker->consumers && tr2_block_has_lines(block);
	if (worker->log->judged)
		tr2_consumers_begin(checker->consumers, &checker->sink,
				    &checker->events.record);
	if (block->format == TR2_LOG_FXT)
		tr2_fxt_log_begin(&worker->log->archive, report_archive,
				  &checker->sink);
	else if (tr2_block_has_lines(block) && block->format != TR2_LOG_EVENT)
		begin_text(worker, block);
}

/* For consumers it is an EVENT log with a wrong beginning. */
static void take_text(struct tr2_worker *worker, const struct tr2_line *line)
{
	tr2_textlog_line(&worker->log->text, line);
	if (worker->log->judged && line->number == 1)
		tr2_consumers_text(worker->checker.consumers, line);
}

/*
 * A program may write between events, and so may other traces. Consumers see
 * the log as it is.
 * SPEC: input.between
 */
static bool is_other_line(const struct tr2_worker *worker,
			  const struct tr2_line *line)
{
	return !worker->log->judged && !line->cut &&
	       tr2_plain_is_other(line, worker->checker.events.in_torn,
				  &worker->log->amid) &&
	       !tr2_text_find(line->text, line->len, "{\"event\":");
}

static bool is_printed_line(const struct tr2_worker *worker,
			    const struct tr2_line *line)
{
	return !worker->log->judged && !line->cut &&
	       !worker->checker.events.in_torn &&
	       tr2_plain_is_printed(line, worker->log->bare);
}

/*
 * Does what was found before a line belong to a carrier? In an EVENT log,
 * nothing but an event may have its form. A text of NORMAL or PERF may, so
 * there it is a carrier's from the first event on, the other side's, or in
 * brief NORMAL the indentation of what a child wrote.
 */
static bool is_carried(const struct tr2_worker *worker,
		       const struct tr2_line *line, bool before)
{
	const struct tr2_worker_log *log = worker->log;

	if (!log->in_text)
		return before && !worker->checker.events.in_torn;
	if (log->carried.count || !log->text.number || log->text.head.count)
		return true;
	return before && (tr2_text_starts(line->text, line->len, "remote: ") ||
			  (*line->text == ' ' && log->text.brief &&
			   log->text.form == TR2_TEXT_NORMAL));
}

/* The mark of a quote stands before each part of an event that was broken. */
static size_t measure_mark(struct tr2_worker *worker, const char *text,
			   size_t len, size_t before)
{
	struct tr2_buf *mark = &worker->mark;

	if (before) {
		tr2_buf_reset(mark);
		tr2_buf_add(mark, text, before);
	} else if (worker->log->in_text && mark->len && len >= mark->len &&
		   !memcmp(text, mark->bytes, mark->len)) {
		return mark->len;
	}
	return before;
}

/*
 * An object without colours, a byte order mark and what consumers see stay as
 * they are.
 */
static bool may_be_carried(const struct tr2_worker *worker,
			   const struct tr2_line *line)
{
	static const char bom[] = "\xef\xbb\xbf";

	return !worker->log->judged && !line->cut && line->len &&
	       (*line->text != '{' ||
		(line->text[line->len - 1] != '}' &&
		 memchr(line->text, '\033', line->len))) &&
	       (line->number > 1 ||
		!tr2_text_starts(line->text, line->len, bom));
}

/* SPEC: input.carried */
static void drop_carrier(struct tr2_worker *worker, struct tr2_line *line)
{
	const char *text = line->text;
	size_t len = line->len, before, own;

	if (!may_be_carried(worker, line))
		return;
	own = tr2_carrier_measure(&text, &len, &worker->plain);
	before = measure_mark(worker, text, len, own);
	if ((!before && text == line->text) ||
	    !is_carried(worker, line, before || text != line->text))
		return;
	line->text = text + before;
	line->len = len - before;
	line->tokens = NULL;
	worker->log->text.carried = true;
	if (own || text == worker->plain.bytes)
		tr2_others_add(&worker->log->carried, line->number);
}

static void take_event(struct tr2_worker *worker, struct tr2_line *line)
{
	const char *text = line->text;

	if (is_printed_line(worker, line)) {
		tr2_others_add(&worker->log->others, line->number);
		return;
	}
	drop_carrier(worker, line);
	if (is_other_line(worker, line)) {
		tr2_others_add(&worker->log->others, line->number);
		return;
	}
	worker->log->bare |= line->text == text;
	tr2_checker_line(&worker->checker, line);
}

static void take_line(struct tr2_worker *worker, const struct tr2_block *block,
		      size_t number)
{
	struct tr2_line line = tr2_block_line(block, number);

	line.number = ++worker->log->number;
	if (block->format == TR2_LOG_EVENT) {
		take_event(worker, &line);
		return;
	}
	if (block->format != TR2_LOG_UNKNOWN)
		drop_carrier(worker, &line);
	if (worker->log->in_text)
		take_text(worker, &line);
}

static void take_lines(struct tr2_worker *worker, const struct tr2_block *block)
{
	for (size_t i = 0; i < block->lines.count; i++)
		take_line(worker, block, i);
}

static void take_fault(struct tr2_worker *worker, const char *fault)
{
	struct tr2_checker *checker = &worker->checker;

	end_log(worker, false);
	tr2_sink_report_file(&checker->sink, TR2_INPUT_UNREADABLE, fault);
	tr2_stream_lose_lines(&checker->stream);
}

static void miss_lines(struct tr2_worker *worker, unsigned long count)
{
	worker->log->number += count;
	worker->checker.events.in_torn = false;
	tr2_stream_lose_lines(&worker->checker.stream);
}

static void take_other(struct tr2_worker *worker, const struct tr2_block *block)
{
	struct tr2_sink *sink = &worker->checker.sink;

	if (!block->len)
		tr2_sink_report_file(sink, TR2_INPUT_EMPTY, "the log is empty");
	else
		tr2_sink_report_file(
			sink, TR2_INPUT_OTHER_FORMAT,
			block->format == TR2_LOG_CHROME
				? "not a Trace2 log, but a trace in "
				  "Chrome's JSON"
				: "not a Trace2 log");
}

void tr2_worker_take(struct tr2_worker *worker, struct tr2_block *block)
{
	tr2_block_prepare(block);
	if (block->name)
		begin_log(worker, block);
	if (block->dropped)
		miss_lines(worker, block->dropped);
	take_lines(worker, block);
	if (worker->log->archive.reader)
		tr2_fxt_log_read(&worker->log->archive, block, count_record,
				 worker);
	if (block->fault)
		take_fault(worker, block->fault);
	else if (block->name && !tr2_block_has_lines(block) &&
		 block->format != TR2_LOG_FXT)
		take_other(worker, block);
	tr2_block_clear(block);
}

void tr2_worker_go_on(struct tr2_worker *worker, struct tr2_worker_log *log)
{
	worker->log = log;
	tr2_checker_go_on(&worker->checker, &log->checked);
}

void tr2_worker_end_log(struct tr2_worker *worker)
{
	end_log(worker, true);
	tr2_checker_end_log(&worker->checker);
	worker->log = &worker->own;
}

void tr2_worker_end(struct tr2_worker *worker)
{
	end_log(worker, true);
	tr2_checker_end(&worker->checker);
	worker->totals.processes = worker->checker.stream.sids.seen;
	tr2_consumers_free(worker->checker.consumers);
	tr2_checker_release(&worker->checker);
}

void tr2_worker_release(struct tr2_worker *worker)
{
	tr2_statistics_release(&worker->statistics);
	tr2_buf_release(&worker->plain);
	tr2_buf_release(&worker->mark);
}
