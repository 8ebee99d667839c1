#include "check/fxt.h"

#include <string.h>

#include "trace/fxt_numbers.h"
#include "common/memory.h"

static void report_found(void *context,
			 const struct trace_reader_finding *found)
{
	static const enum tr2_level levels[] = {
		[TRACE_READER_ERROR] = TR2_ERROR,
		[TRACE_READER_WARNING] = TR2_WARNING,
		[TRACE_READER_INFO] = TR2_INFO,
	};
	struct tr2_fxt_check *check = context;
	struct tr2_sink *sink = check->sink;
	struct tr2_finding finding = {
		.level = levels[trace_reader_level(found->problem)],
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

	check->has_ended |= found->problem == TRACE_READER_SIZE_ZERO;
	sink->take(sink, &finding);
}

static size_t smaller_of(uint64_t a, size_t b)
{
	return a < b ? (size_t)a : b;
}

/* False if the size is 0. */
static bool pass_header(struct tr2_fxt_walk *walk)
{
	uint64_t header, words;

	memcpy(&header, walk->header, FXT_WORD);
	words = header >> 4 &
		((header & 0xf) == FXT_LARGE ? UINT32_MAX : FXT_RECORD_WORDS);
	walk->len = 0;
	walk->skip = words ? (words - 1) * FXT_WORD : 0;
	return words;
}

bool tr2_fxt_walk_on(struct tr2_fxt_walk *walk, const char *bytes, size_t len)
{
	size_t part;

	for (; len; bytes += part, len -= part) {
		if (walk->skip) {
			part = smaller_of(walk->skip, len);
			walk->skip -= part;
			continue;
		}
		part = smaller_of(FXT_WORD - walk->len, len);
		memcpy(walk->header + walk->len, bytes, part);
		walk->len += part;
		if (walk->len == FXT_WORD && !pass_header(walk))
			return false;
	}
	return true;
}

void tr2_fxt_check_begin(struct tr2_fxt_check *check, struct tr2_sink *sink)
{
	struct trace_reader_options options = { .finding = report_found,
						.context = check };

	check->sink = sink;
	check->has_ended = false;
	check->reader = trace_reader_new(&options);
	if (!check->reader)
		tr2_memory_out();
}

bool tr2_fxt_check_some(struct tr2_checker *checker,
			struct tr2_fxt_check *check,
			const struct tr2_block *block, tr2_fxt_fn *use,
			void *context)
{
	struct trace_reader_record record;
	int got;

	trace_reader_feed(check->reader, block->text, block->len);
	while ((got = trace_reader_next(check->reader, &record)) > 0) {
		checker->totals->records++;
		if (use)
			use(context, &record);
	}
	if (got < 0 && !check->has_ended)
		tr2_memory_out();
	return !got;
}

void tr2_fxt_check_end(struct tr2_fxt_check *check, bool whole)
{
	if (whole)
		trace_reader_end(check->reader);
	trace_reader_free(check->reader);
	check->reader = NULL;
}

const char *tr2_fxt_check(struct tr2_checker *checker, struct tr2_lines *lines,
			  struct tr2_block *block, tr2_fxt_fn *use,
			  void *context)
{
	struct tr2_fxt_check check;
	const char *error = NULL;
	bool goes_on;

	tr2_fxt_check_begin(&check, &checker->sink);
	do {
		goes_on = tr2_fxt_check_some(checker, &check, block, use,
					     context);
		tr2_block_clear(block);
	} while (goes_on && !tr2_lines_read(lines, block, &error) &&
		 block->len);
	tr2_fxt_check_end(&check, !error);
	return error;
}
