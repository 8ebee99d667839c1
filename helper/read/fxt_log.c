#include "read/fxt_log.h"

#include "lib/common/memory.h"

_Static_assert((int)TRACE_READER_ERROR == TR2_ERROR &&
		       (int)TRACE_READER_WARNING == TR2_WARNING &&
		       (int)TRACE_READER_INFO == TR2_INFO,
	       "the reader of archives has the same levels");

enum tr2_level tr2_fxt_log_level(const struct trace_reader_finding *found)
{
	return (enum tr2_level)trace_reader_level(found->problem);
}

static void take_found(void *context, const struct trace_reader_finding *found)
{
	struct tr2_fxt_log *archive = context;

	archive->has_ended |= found->problem == TRACE_READER_SIZE_ZERO;
	archive->tell(archive->owner, found);
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
