#include "trace/reader/private.h"

#include "host/host.h"
#include "host/memory.h"

uint64_t fxt_mix(uint64_t hash)
{
	hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return hash ^ hash >> 29;
}

uint64_t fxt_hash_text(struct trace_reader_text text)
{
	uint64_t hash = text.len, word;
	size_t at = 0;

	for (; text.len - at >= FXT_WORD; at += FXT_WORD) {
		memcpy(&word, text.bytes + at, FXT_WORD);
		hash = fxt_mix(hash + word);
	}
	word = 0;
	if (at < text.len)
		memcpy(&word, text.bytes + at, text.len - at);
	return fxt_mix(hash + word);
}

static struct fxt_stack *stack_of(struct trace_reader *reader,
				  struct trace_reader_thread thread)
{
	uint64_t key = fxt_mix(fxt_mix(thread.process) + thread.thread);
	struct fxt_stack *stack = fxt_table_add(&reader->stacks, key | 1);

	if (!stack)
		reader->dead = true;
	return stack;
}

static void push_duration(struct fxt_cursor *in, struct fxt_stack *stack)
{
	struct fxt_open *open = tr2_memory_grow(stack->open, &stack->room,
						stack->count, sizeof(*open));

	if (!open) {
		in->reader->dead = true;
		return;
	}
	stack->open = open;
	open += stack->count++;
	open->offset = in->record->offset;
	open->category = fxt_hash_text(in->record->category);
	open->name = fxt_hash_text(in->record->name);
}

/* SPEC: fxt.duration.unmatched, fxt.duration.match */
static void pop_duration(struct fxt_cursor *in, struct fxt_stack *stack)
{
	const struct fxt_open *open;

	if (!stack->count) {
		fxt_find(in, TRACE_READER_UNMATCHED, 0, 1,
			 "a duration ends that is not open",
			 in->record->thread.thread);
		return;
	}
	open = &stack->open[--stack->count];
	if (open->category != fxt_hash_text(in->record->category) ||
	    open->name != fxt_hash_text(in->record->name))
		fxt_find(in, TRACE_READER_MATCH, 0, 1,
			 "the end of a duration differs from its begin",
			 open->offset);
}

static void balance_duration(struct fxt_cursor *in)
{
	const struct trace_reader_record *record = in->record;
	struct fxt_stack *stack = stack_of(in->reader, record->thread);

	if (!stack)
		return;
	if (record->time < stack->time) /* SPEC: fxt.time.order */
		fxt_find(in, TRACE_READER_TIME_ORDER, 1, 1,
			 "the time is before that of the thread's last one",
			 record->ticks);
	else
		stack->time = record->time;
	if (record->subtype == FXT_DURATION_BEGIN)
		push_duration(in, stack);
	else
		pop_duration(in, stack);
}

void fxt_balance(struct fxt_cursor *in)
{
	const struct trace_reader_record *record = in->record;
	const struct trace_reader_options *options = &in->reader->options;

	if (!options->finding || record->flawed ||
	    options->flags & TRACE_READER_UNBALANCED ||
	    record->type != FXT_EVENT)
		return;
	if (record->subtype == FXT_DURATION_BEGIN ||
	    record->subtype == FXT_DURATION_END)
		balance_duration(in);
	else
		fxt_pair(in);
}

/* SPEC: fxt.duration.open */
static void tell_open(struct trace_reader *reader,
		      const struct fxt_stack *stack)
{
	struct trace_reader_finding finding = {
		.problem = TRACE_READER_OPEN,
		.len = FXT_WORD,
		.message = "a duration does not end",
	};

	for (size_t i = 0; i < stack->count; i++) {
		finding.offset = stack->open[i].offset;
		fxt_tell(reader, &finding);
	}
}

void fxt_balance_end(struct trace_reader *reader)
{
	const struct fxt_stack *stack = reader->stacks.entries;

	for (size_t slot = 0; slot < reader->stacks.room; slot++)
		tell_open(reader, &stack[slot]);
	fxt_pairs_end(reader);
}

void fxt_balance_release(struct trace_reader *reader)
{
	struct fxt_stack *stack = reader->stacks.entries;

	for (size_t slot = 0; slot < reader->stacks.room; slot++)
		tr2_host->free(stack[slot].open);
	tr2_host->free(stack);
	fxt_pairs_release(reader);
}
