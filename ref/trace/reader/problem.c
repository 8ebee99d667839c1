#include "trace/reader/private.h"

#define PROBLEM(name, id, level, expected) \
	[TRACE_READER_##name] = { id, TRACE_READER_##level, expected }

static const struct {
	const char *id;
	enum trace_reader_level level;
	const char *expected;
} problems[TRACE_READER_PROBLEMS] = {
	PROBLEM(MAGIC, "fxt.magic", ERROR, "the word 0x0016547846040010"),
	PROBLEM(TRUNCATED, "fxt.truncated", ERROR, "a whole record"),
	PROBLEM(SIZE_ZERO, "fxt.record.zero", ERROR, "a size of at least 1"),
	PROBLEM(SHORT, "fxt.record.short", ERROR, "more words"),
	PROBLEM(LONG, "fxt.record.long", ERROR, "the end of the record"),
	PROBLEM(RESERVED, "fxt.record.reserved", ERROR, "zeros"),
	PROBLEM(LARGE, "fxt.record.large", WARNING, "at most 4095 words"),
	PROBLEM(PADDING, "fxt.padding", ERROR, "zeros"),
	PROBLEM(UNKNOWN, "fxt.unknown", INFO, NULL),
	PROBLEM(STRING_INDEX, "fxt.string.index", ERROR,
		"an index from 1 to 32767"),
	PROBLEM(STRING_UNKNOWN, "fxt.string.unknown", ERROR,
		"the index of a string"),
	PROBLEM(STRING_LENGTH, "fxt.string.length", ERROR,
		"at most 32000 bytes"),
	PROBLEM(STRING_UTF8, "fxt.string.utf8", ERROR, "UTF-8"),
	PROBLEM(THREAD_INDEX, "fxt.thread.index", ERROR,
		"an index from 1 to 255"),
	PROBLEM(THREAD_UNKNOWN, "fxt.thread.unknown", ERROR,
		"the index of a thread"),
	PROBLEM(THREAD_ID, "fxt.thread.id", WARNING, "an id below 2^32"),
	PROBLEM(PROVIDER_FIRST, "fxt.provider.first", WARNING,
		"a provider info record before it"),
	PROBLEM(PROVIDER_UNKNOWN, "fxt.provider.unknown", ERROR,
		"the id of a provider"),
	PROBLEM(PROVIDER_DROPPED, "fxt.provider.dropped", INFO, NULL),
	PROBLEM(TICKS, "fxt.initialization.ticks", ERROR,
		"at least one tick a second"),
	PROBLEM(TICKS_FIRST, "fxt.initialization.first", WARNING,
		"an initialization record before it"),
	PROBLEM(TIME_RANGE, "fxt.time.range", ERROR,
		"less than 2^63 nanoseconds"),
	PROBLEM(TIME_ORDER, "fxt.time.order", WARNING,
		"a time not before the last one"),
	PROBLEM(BACKWARD, "fxt.duration.backward", ERROR,
		"an end that is not before the begin"),
	PROBLEM(ARG_SIZE, "fxt.arg.size", ERROR,
		"the size of its name and value"),
	PROBLEM(SCOPE, "fxt.event.scope", WARNING, "the end of the record"),
	PROBLEM(SERIES, "fxt.counter.series", ERROR, "a number"),
	PROBLEM(UNMATCHED, "fxt.duration.unmatched", WARNING,
		"a begin before it"),
	PROBLEM(MATCH, "fxt.duration.match", WARNING,
		"category and name of the begin"),
	PROBLEM(OPEN, "fxt.duration.open", INFO, NULL),
	PROBLEM(ASYNC_UNMATCHED, "fxt.async.unmatched", WARNING,
		"a begin of the span"),
	PROBLEM(ASYNC_OPEN, "fxt.async.open", INFO, NULL),
	PROBLEM(FLOW_UNMATCHED, "fxt.flow.unmatched", WARNING,
		"a begin of the flow"),
	PROBLEM(FLOW_OPEN, "fxt.flow.open", INFO, NULL),
	PROBLEM(INLINE_THREAD, "fxt.object.inline-thread", WARNING,
		"the index of a thread"),
};

const char *trace_reader_id(enum trace_reader_problem problem)
{
	return problems[problem].id;
}

enum trace_reader_level trace_reader_level(enum trace_reader_problem problem)
{
	return problems[problem].level;
}

void fxt_tell(struct trace_reader *reader,
	      const struct trace_reader_finding *finding)
{
	struct trace_reader_finding told = *finding;

	told.expected = problems[told.problem].expected;
	if (reader->options.finding)
		reader->options.finding(reader->options.context, &told);
}

void fxt_find(struct fxt_cursor *in, enum trace_reader_problem problem,
	      size_t word, size_t words, const char *message, uint64_t seen)
{
	struct trace_reader_finding finding = {
		.problem = problem,
		.offset = in->record->offset + word * FXT_WORD,
		.len = words * FXT_WORD,
		.message = message,
		.seen = seen,
	};

	if (problems[problem].level == TRACE_READER_ERROR)
		in->record->flawed = true;
	fxt_tell(in->reader, &finding);
}
