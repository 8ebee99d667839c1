#include "validate/worker.h"

#include "validate/fxt.h"
#include "validate/glance.h"
#include "validate/lines.h"
#include "validate/merge.h"

void tr2_worker_init(struct tr2_worker *worker,
		     const struct tr2_options *options)
{
	*worker = (struct tr2_worker){
		.report = { .format = options->format,
			    .out = stdout,
			    .totals = &worker->totals,
			    .selection = &options->selection,
			    .max = options->max_findings,
			    .live = options->follow,
			    .color = options->color },
	};
	tr2_statistics_init(&worker->statistics);
	if (options->statistics)
		worker->totals.statistics = &worker->statistics;
	tr2_checker_init(&worker->checker, &worker->report);
	worker->checker.evt = options->evt;
	worker->checker.strict = options->strict;
	tr2_report_init(&worker->report);
}

/* What holds no EVENT ends when the next one comes. */
static void end_log(struct tr2_worker *worker, bool whole)
{
	if (worker->in_text)
		tr2_textlog_end(&worker->text);
	if (worker->archive)
		tr2_fxt_end(worker->archive, whole);
	worker->in_text = false;
	worker->archive = NULL;
}

static void begin_log(struct tr2_worker *worker, const struct tr2_block *block)
{
	struct tr2_checker *checker = &worker->checker;
	bool mine = tr2_checker_has(checker, block->visit % TR2_PARTITIONS);

	end_log(worker, true);
	tr2_checker_begin_file(checker, block->name, block->visit);
	worker->number = 0;
	if (block->format == TR2_LOG_UNKNOWN || block->format == TR2_LOG_EVENT)
		return;
	/* It has no processes that could be told apart: one takes it all. */
	checker->mine = mine;
	if (mine && block->format == TR2_LOG_FXT)
		worker->archive = tr2_fxt_begin(checker);
	if (!mine || block->format == TR2_LOG_FXT)
		return;
	worker->text = (struct tr2_textlog)TR2_TEXTLOG_INIT(
		checker, block->format == TR2_LOG_PERF ? TR2_TEXT_PERF
						       : TR2_TEXT_NORMAL);
	worker->in_text = true;
}

static void take_line(struct tr2_worker *worker, const struct tr2_block *block,
		      const struct tr2_block_line *place)
{
	bool last = place + 1 == block->lines + block->count;
	bool cut = block->cut || place->len > TR2_LINE_MAX;
	const struct tr2_line line = {
		.text = block->text + place->at,
		.len = cut ? TR2_LINE_MAX : place->len,
		.number = worker->number,
		.ended = !last || !block->torn,
		.cut = cut,
		.owner = place->owner,
		.shared = place->shared,
		.tokens = block->has_tokens ? &block->tokens : NULL,
	};

	if (worker->in_text)
		tr2_textlog_line(&worker->text, &line);
	else if (block->format == TR2_LOG_EVENT)
		tr2_checker_line(&worker->checker, &line);
}

static void take_fault(struct tr2_worker *worker, const char *fault)
{
	struct tr2_checker *checker = &worker->checker;

	checker->mine = tr2_checker_has(checker, 0);
	tr2_checker_forget_writer(checker);
	tr2_checker_report_file(checker, TR2_INPUT_UNREADABLE, fault);
	tr2_stream_lose_lines(checker);
}

void tr2_worker_take(struct tr2_worker *worker, const struct tr2_block *block)
{
	struct tr2_checker *checker = &worker->checker;
	const struct tr2_block_line *place = block->lines,
				    *end = place + block->count;

	if (block->name)
		begin_log(worker, block);
	for (; place < end; place++) {
		worker->number++;
		if (place->shared || tr2_checker_has(checker, place->owner) ||
		    worker->in_text)
			take_line(worker, block, place);
	}
	if (worker->archive)
		tr2_fxt_take(checker, worker->archive, block->text, block->len);
	if (block->fault)
		end_log(worker, false);
	if (block->fault)
		take_fault(worker, block->fault);
	else if (block->format == TR2_LOG_UNKNOWN)
		tr2_checker_report_file(
			checker,
			block->len ? TR2_INPUT_OTHER_FORMAT : TR2_INPUT_EMPTY,
			block->len ? "not a Trace2 log" : "the log is empty");
}

void tr2_worker_end(struct tr2_worker *worker)
{
	end_log(worker, true);
	tr2_checker_end(&worker->checker);
	worker->totals.processes = worker->checker.sids.seen;
}

void tr2_worker_merge(struct tr2_worker *worker, struct tr2_worker *other)
{
	tr2_merge_report(&worker->report, &other->report);
	tr2_worker_release(other);
}

void tr2_worker_release(struct tr2_worker *worker)
{
	tr2_checker_release(&worker->checker);
	tr2_statistics_release(&worker->statistics);
}
