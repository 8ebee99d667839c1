/*
 * Asynchronous spans and flows: each end needs a begin. They may cross
 * threads, and the records of several threads are in no order of time, so
 * they are compared only at the end of the archive.
 */
#include "trace/reader/private.h"

#include "host/host.h"

/* A span belongs to a process; a flow may lead from one process to another. */
static uint64_t key_of(const struct trace_reader_record *record, int is_flow)
{
	uint64_t key = fxt_mix(record->id + (uint64_t)is_flow);

	if (!is_flow)
		key = fxt_mix(key + record->thread.process);
	key = fxt_mix(key + fxt_hash_text(record->category));
	return fxt_mix(key + fxt_hash_text(record->name)) | 1;
}

/*
 * SPEC: fxt.async.unmatched, fxt.async.open, fxt.flow.unmatched,
 * fxt.flow.open
 */
void fxt_pair(struct fxt_cursor *in)
{
	const struct trace_reader_record *record = in->record;
	const int is_flow = record->subtype >= FXT_FLOW_BEGIN;
	const int is_begin = record->subtype == FXT_ASYNC_BEGIN ||
			     record->subtype == FXT_FLOW_BEGIN;
	struct fxt_pair *pair;

	if (!is_begin && record->subtype != FXT_ASYNC_END &&
	    record->subtype != FXT_FLOW_END)
		return;
	pair = fxt_table_add(&in->reader->pairs, key_of(record, is_flow));
	if (!pair) {
		in->reader->dead = true;
		return;
	}
	pair->is_flow = is_flow;
	pair->open += is_begin ? 1 : -1;
	if (is_begin)
		pair->begin = record->offset;
	else
		pair->end = record->offset;
}

bool fxt_pair_is_spent(const void *entry)
{
	return !((const struct fxt_pair *)entry)->open;
}

static const struct {
	enum trace_reader_problem problem;
	const char *message;
} told[2][2] = {
	{ { TRACE_READER_ASYNC_UNMATCHED, "a span ends that did not begin" },
	  { TRACE_READER_ASYNC_OPEN, "a span does not end" } },
	{ { TRACE_READER_FLOW_UNMATCHED, "a flow ends that did not begin" },
	  { TRACE_READER_FLOW_OPEN, "a flow does not end" } },
};

static void tell_unpaired(struct trace_reader *reader,
			  const struct fxt_pair *pair)
{
	const int is_open = pair->open > 0;
	const struct trace_reader_finding finding = {
		.problem = told[pair->is_flow][is_open].problem,
		.message = told[pair->is_flow][is_open].message,
		.offset = is_open ? pair->begin : pair->end,
		.len = FXT_WORD,
	};

	fxt_tell(reader, &finding);
}

void fxt_pairs_end(struct trace_reader *reader)
{
	const struct fxt_pair *pair = reader->pairs.entries;

	for (size_t slot = 0; slot < reader->pairs.room; slot++)
		if (pair[slot].open)
			tell_unpaired(reader, &pair[slot]);
}

void fxt_pairs_release(struct trace_reader *reader)
{
	tr2_host->free(reader->pairs.entries);
}
