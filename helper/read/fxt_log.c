#include "read/fxt_log.h"

#include <string.h>

#include "trace/fxt_numbers.h"
#include "lib/common/memory.h"

enum tr2_level tr2_fxt_log_level(const struct trace_reader_finding *found)
{
	static const enum tr2_level levels[] = {
		[TRACE_READER_ERROR] = TR2_ERROR,
		[TRACE_READER_WARNING] = TR2_WARNING,
		[TRACE_READER_INFO] = TR2_INFO,
	};

	return levels[trace_reader_level(found->problem)];
}

static void take_found(void *context, const struct trace_reader_finding *found)
{
	struct tr2_fxt_log *archive = context;

	archive->has_ended |= found->problem == TRACE_READER_SIZE_ZERO;
	archive->tell(archive->owner, found);
}

static size_t smaller_of(uint64_t a, size_t b)
{
	return a < b ? (size_t)a : b;
}

/* False if the size is 0. */
static bool pass_header(struct tr2_fxt_log_walk *walk)
{
	uint64_t header, words;

	memcpy(&header, walk->header, FXT_WORD);
	words = header >> 4 &
		((header & 0xf) == FXT_LARGE ? UINT32_MAX : FXT_RECORD_WORDS);
	walk->len = 0;
	walk->skip = words ? (words - 1) * FXT_WORD : 0;
	return words;
}

bool tr2_fxt_log_walk_on(struct tr2_fxt_log_walk *walk, const char *bytes,
			 size_t len)
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

void tr2_fxt_log_begin(struct tr2_fxt_log *archive,
		       tr2_fxt_log_problem_fn *tell, void *owner)
{
	struct trace_reader_options options = { .finding = take_found,
						.context = archive };

	*archive = (struct tr2_fxt_log){ .tell = tell, .owner = owner };
	archive->reader = trace_reader_new(&options);
	if (!archive->reader)
		tr2_memory_out();
}

bool tr2_fxt_log_read(struct tr2_fxt_log *archive,
		      const struct tr2_block *block, tr2_fxt_log_fn *take,
		      void *context)
{
	struct trace_reader_record record;
	int got;

	trace_reader_feed(archive->reader, block->text, block->len);
	while ((got = trace_reader_next(archive->reader, &record)) > 0)
		take(context, &record);
	if (got < 0 && !archive->has_ended)
		tr2_memory_out();
	return !got;
}

void tr2_fxt_log_end(struct tr2_fxt_log *archive, bool whole)
{
	if (whole)
		trace_reader_end(archive->reader);
	trace_reader_free(archive->reader);
	archive->reader = NULL;
}
