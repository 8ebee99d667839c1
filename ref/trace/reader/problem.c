#include "trace/reader/private.h"

static const struct {
	const char *id;
	enum trace_reader_level level;
	const char *expected;
} problems[TRACE_READER_PROBLEMS] = {
	[TRACE_READER_MAGIC] = { "fxt.magic", TRACE_READER_ERROR,
				 "the word 0x0016547846040010" },
	[TRACE_READER_TRUNCATED] = { "fxt.truncated", TRACE_READER_ERROR,
				     "a whole record" },
	[TRACE_READER_SIZE_ZERO] = { "fxt.record.zero", TRACE_READER_ERROR,
				     "a size of at least 1" },
	[TRACE_READER_SHORT] = { "fxt.record.short", TRACE_READER_ERROR,
				 "more words" },
	[TRACE_READER_LONG] = { "fxt.record.long", TRACE_READER_ERROR,
				"the end of the record" },
	[TRACE_READER_RESERVED] = { "fxt.record.reserved", TRACE_READER_ERROR,
				    "zeros" },
	[TRACE_READER_LARGE] = { "fxt.record.large", TRACE_READER_WARNING,
				 "at most 4095 words" },
	[TRACE_READER_PADDING] = { "fxt.padding", TRACE_READER_ERROR, "zeros" },
	[TRACE_READER_UNKNOWN] = { "fxt.unknown", TRACE_READER_INFO, NULL },
	[TRACE_READER_STRING_INDEX] = { "fxt.string.index", TRACE_READER_ERROR,
					"an index from 1 to 32767" },
	[TRACE_READER_STRING_UNKNOWN] = { "fxt.string.unknown",
					  TRACE_READER_ERROR,
					  "the index of a string" },
	[TRACE_READER_STRING_LENGTH] = { "fxt.string.length",
					 TRACE_READER_ERROR,
					 "at most 32000 bytes" },
	[TRACE_READER_STRING_UTF8] = { "fxt.string.utf8", TRACE_READER_ERROR,
				       "UTF-8" },
	[TRACE_READER_THREAD_INDEX] = { "fxt.thread.index", TRACE_READER_ERROR,
					"an index from 1 to 255" },
	[TRACE_READER_THREAD_UNKNOWN] = { "fxt.thread.unknown",
					  TRACE_READER_ERROR,
					  "the index of a thread" },
	[TRACE_READER_THREAD_ID] = { "fxt.thread.id", TRACE_READER_WARNING,
				     "an id below 2^32" },
	[TRACE_READER_PROVIDER_FIRST] = { "fxt.provider.first",
					  TRACE_READER_WARNING,
					  "a provider info record before it" },
	[TRACE_READER_PROVIDER_UNKNOWN] = { "fxt.provider.unknown",
					    TRACE_READER_ERROR,
					    "the id of a provider" },
	[TRACE_READER_PROVIDER_DROPPED] = { "fxt.provider.dropped",
					    TRACE_READER_INFO, NULL },
	[TRACE_READER_TICKS] = { "fxt.initialization.ticks", TRACE_READER_ERROR,
				 "at least one tick a second" },
	[TRACE_READER_TICKS_FIRST] = { "fxt.initialization.first",
				       TRACE_READER_WARNING,
				       "an initialization record before it" },
	[TRACE_READER_TIME_RANGE] = { "fxt.time.range", TRACE_READER_ERROR,
				      "less than 2^63 nanoseconds" },
	[TRACE_READER_TIME_ORDER] = { "fxt.time.order", TRACE_READER_WARNING,
				      "a time not before the last one" },
	[TRACE_READER_BACKWARD] = { "fxt.duration.backward", TRACE_READER_ERROR,
				    "an end that is not before the begin" },
	[TRACE_READER_ARG_SIZE] = { "fxt.arg.size", TRACE_READER_ERROR,
				    "the size of its name and value" },
	[TRACE_READER_SCOPE] = { "fxt.event.scope", TRACE_READER_WARNING,
				 "the end of the record" },
	[TRACE_READER_SERIES] = { "fxt.counter.series", TRACE_READER_ERROR,
				  "a number" },
	[TRACE_READER_UNMATCHED] = { "fxt.duration.unmatched",
				     TRACE_READER_WARNING,
				     "a begin before it" },
	[TRACE_READER_MATCH] = { "fxt.duration.match", TRACE_READER_WARNING,
				 "category and name of the begin" },
	[TRACE_READER_OPEN] = { "fxt.duration.open", TRACE_READER_INFO, NULL },
	[TRACE_READER_ASYNC_UNMATCHED] = { "fxt.async.unmatched",
					   TRACE_READER_WARNING,
					   "a begin of the span" },
	[TRACE_READER_ASYNC_OPEN] = { "fxt.async.open", TRACE_READER_INFO,
				      NULL },
	[TRACE_READER_FLOW_UNMATCHED] = { "fxt.flow.unmatched",
					  TRACE_READER_WARNING,
					  "a begin of the flow" },
	[TRACE_READER_FLOW_OPEN] = { "fxt.flow.open", TRACE_READER_INFO, NULL },
	[TRACE_READER_INLINE_THREAD] = { "fxt.object.inline-thread",
					 TRACE_READER_WARNING,
					 "the index of a thread" },
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
