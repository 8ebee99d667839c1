#include "views/summary/trace.h"

#include "lib/common/capped.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"

#define OPEN UINT64_MAX
#define NOWHERE 0 /* the thread of asynchronous spans */

struct trace_span {
	uint64_t begin, end; /* ns; OPEN: it has no end yet */
	uint64_t thread;
	uint32_t row;	/* its place */
	uint32_t outer; /* what is open around it, + 1; 0: nothing */
	uint32_t order; /* as read, for those of one time */
};

static struct trace_span *span_at(const struct tr2_trace_intake *trace,
				  uint64_t place)
{
	return (struct trace_span *)trace->spans.items + place;
}

static uint64_t hash_ids(uint64_t kind, uint64_t process, uint64_t thread)
{
	const uint64_t ids[] = { kind, process, thread };

	return tr2_hash((const char *)ids, sizeof(ids)).a;
}

static uint64_t thread_of(const struct trace_reader_record *record)
{
	return hash_ids(1, record->thread.process, record->thread.thread);
}

/* Spans are inside each other in a thread, or under one id of a category. */
static uint64_t key_of(const struct trace_reader_record *record)
{
	if (record->subtype == FXT_DURATION_BEGIN ||
	    record->subtype == FXT_DURATION_END)
		return thread_of(record);
	return hash_ids(
		tr2_hash(record->category.bytes, record->category.len).a,
		record->id, 2);
}

static uint32_t enter_row(struct tr2_trace_intake *trace, enum tr2_table table,
			  const struct trace_reader_record *record)
{
	struct tr2_rows *rows = trace->rows;
	const uint32_t category = tr2_rows_name(rows, record->category.bytes,
						record->category.len);

	return tr2_rows_enter(rows, table, category,
			      tr2_rows_name(rows, record->name.bytes,
					    record->name.len));
}

static struct trace_span *add_span(struct tr2_trace_intake *trace,
				   const struct trace_reader_record *record)
{
	struct trace_span *span = tr2_vec_add(&trace->spans, sizeof(*span));

	*span = (struct trace_span){
		.begin = record->time,
		.end = OPEN,
		.thread = thread_of(record),
		.row = enter_row(trace, TR2_TABLE_SPANS, record),
		.order = trace->spans.count,
	};
	return span;
}

static void begin_span(struct tr2_trace_intake *trace,
		       const struct trace_reader_record *record)
{
	struct tr2_map_slot *slot = tr2_map_enter(&trace->open, key_of(record));
	struct trace_span *span = add_span(trace, record);

	if (record->subtype == FXT_ASYNC_BEGIN)
		span->thread = NOWHERE;
	span->outer = (uint32_t)slot->value;
	slot->value = trace->spans.count;
}

static void end_span(struct tr2_trace_intake *trace,
		     const struct trace_reader_record *record)
{
	struct tr2_map_slot *slot = tr2_map_enter(&trace->open, key_of(record));
	struct trace_span *span;

	if (!slot->value) {
		trace->counts.unbegun++;
		return;
	}
	span = span_at(trace, slot->value - 1);
	span->end = record->time;
	slot->value = span->outer;
}

static void add_whole(struct tr2_trace_intake *trace,
		      const struct trace_reader_record *record)
{
	add_span(trace, record)->end = record->end;
}

static void count_point(struct tr2_trace_intake *trace,
			const struct trace_reader_record *record)
{
	const uint32_t row = enter_row(trace, TR2_TABLE_POINTS, record);

	tr2_rows_at(trace->rows, row)->sums.count++;
}

static void count_event(struct tr2_trace_intake *trace,
			const struct trace_reader_record *record)
{
	const uint64_t end = record->subtype == FXT_DURATION_COMPLETE
				     ? record->end
				     : record->time;

	if (!trace->counts.events++ || record->time < trace->first)
		trace->first = record->time;
	if (end > trace->last)
		trace->last = end;
	trace->counts.processes += tr2_map_add(
		&trace->known, hash_ids(0, record->thread.process, 0));
	trace->counts.threads += tr2_map_add(&trace->known, thread_of(record));
}

/* Flows have no sum. */
static void (*const takers[])(struct tr2_trace_intake *trace,
			      const struct trace_reader_record *record) = {
	[FXT_INSTANT] = count_point,	     [FXT_COUNTER] = count_point,
	[FXT_DURATION_BEGIN] = begin_span,   [FXT_DURATION_END] = end_span,
	[FXT_DURATION_COMPLETE] = add_whole, [FXT_ASYNC_BEGIN] = begin_span,
	[FXT_ASYNC_INSTANT] = count_point,   [FXT_ASYNC_END] = end_span,
};

void tr2_trace_take(struct tr2_trace_intake *trace,
		    const struct trace_reader_record *record)
{
	record = tr2_functions_name(&trace->functions, record);
	if (record->type != FXT_EVENT)
		return;
	count_event(trace, record);
	if (record->subtype < sizeof(takers) / sizeof(takers[0]) &&
	    takers[record->subtype])
		takers[record->subtype](trace, record);
}

/* The files of Chrome's events, in the order of their times. */
static void take_chrome(struct tr2_trace_intake *trace)
{
	struct trace_reader_options options = {
		.flags = TRACE_READER_UNBALANCED
	};
	struct trace_reader *reader = trace_reader_new(&options);
	struct trace_reader_record record;
	struct tr2_buf fxt = TR2_BUF_INIT;

	tr2_chrome_log_write(&trace->chrome, &fxt);
	if (!reader || fxt.failed)
		tr2_memory_out();
	trace_reader_feed(reader, fxt.bytes, fxt.len);
	while (trace_reader_next(reader, &record) > 0)
		tr2_trace_take(trace, &record);
	trace_reader_free(reader);
	tr2_buf_release(&fxt);
	trace->counts.left_out = trace->chrome.left_out;
}

/* Outer spans come before those inside. */
TR2_COMPARE(compare_spans, trace_span,
	    TR2_BY(thread, TR2_BY(begin, TR2_BY_LAST(end, TR2_BY(order, 0)))));

static int64_t count_us(uint64_t begin, uint64_t end)
{
	return (int64_t)(end / 1000) - (int64_t)(begin / 1000);
}

static void give_time(struct tr2_trace_intake *trace,
		      const struct trace_span *span, int64_t us)
{
	struct tr2_sums *sums = &tr2_rows_at(trace->rows, span->row)->sums;

	tr2_sum_add(&sums->self, &sums->self_over, us);
	trace->counts.self = tr2_capped_add(trace->counts.self, us);
}

static void sum_span(struct tr2_trace_intake *trace,
		     const struct trace_span *span)
{
	struct tr2_row *row = tr2_rows_at(trace->rows, span->row);
	const int64_t us = count_us(span->begin, span->end);

	tr2_sums_count(&row->sums, us);
	tr2_sketch_add(&row->sketch, (uint64_t)us);
}

/* A category has what its spans, instants and counters have. */
static void sum_categories(struct tr2_rows *rows)
{
	const uint32_t count = rows->rows.count;
	struct tr2_sums sums;

	for (uint32_t i = 0; i < count; i++) {
		sums = tr2_rows_at(rows, i)->sums;
		tr2_sums_add(&tr2_rows_reach(rows, TR2_TABLE_CATEGORIES,
					     tr2_rows_at(rows, i)->name[0], 0)
				      ->sums,
			     &sums);
	}
}

/* Close what has no end. Where times contradict, a span ends at its begin. */
static void end_open(struct tr2_trace_intake *trace)
{
	struct trace_span *span = span_at(trace, 0);

	for (uint32_t i = 0; i < trace->spans.count; i++, span++) {
		if (span->end == OPEN) {
			trace->counts.unended++;
			span->end = trace->last;
		}
		if (span->end < span->begin)
			span->end = span->begin;
	}
}

/* Take from the span what one inside it has; of two that cross, their part. */
static void give_self(struct tr2_trace_intake *trace, struct tr2_vec *stack,
		      const struct trace_span *span)
{
	const struct trace_span **top = stack->items, *outer = NULL;

	while (stack->count) {
		outer = top[stack->count - 1];
		if (outer->thread == span->thread && outer->end > span->begin)
			break;
		stack->count--;
	}
	if (stack->count)
		give_time(trace, outer,
			  -count_us(span->begin, span->end < outer->end
							 ? span->end
							 : outer->end));
	give_time(trace, span, count_us(span->begin, span->end));
	*(const struct trace_span **)tr2_vec_add(stack, sizeof(span)) = span;
}

bool tr2_trace_end(struct tr2_trace_intake *trace)
{
	struct tr2_vec stack = { 0 };
	const struct trace_span *span;

	take_chrome(trace);
	end_open(trace);
	tr2_vec_sort(&trace->spans, sizeof(*span), compare_spans);
	span = span_at(trace, 0);
	for (uint32_t i = 0; i < trace->spans.count; i++, span++) {
		sum_span(trace, span);
		if (span->thread != NOWHERE)
			give_self(trace, &stack, span);
	}
	sum_categories(trace->rows);
	tr2_vec_release(&stack);
	trace->counts.elapsed = count_us(trace->first, trace->last);
	return trace->counts.events;
}

void tr2_trace_release(struct tr2_trace_intake *trace)
{
	tr2_functions_release(&trace->functions);
	tr2_chrome_log_release(&trace->chrome);
	tr2_vec_release(&trace->spans);
	tr2_map_release(&trace->known);
	tr2_map_release(&trace->open);
}
