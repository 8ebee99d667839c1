/*
 * numbers_kit.h - events that are numbered, and what is left of them.
 */
#ifndef UNIT_TRACE_ENGINE_PROGRAMS_NUMBERS_KIT_H
#define UNIT_TRACE_ENGINE_PROGRAMS_NUMBERS_KIT_H

#include "kit/trace/trace.h"

#define SMALL ((size_t)64 << 10)

static inline void trace_numbers(int from, int to)
{
	int i;

	for (i = from; i < to; i++)
		TRACE_INSTANT("cat", "number", TRACE_SCOPE_THREAD, "i",
			      TA_INT32(i));
}

/* What is left of the numbers, and whether they are without a gap. */
struct numbers {
	int first;
	int last;
	int count;
	int gaps;
};

static inline void count_number(void *context,
				const struct trace_reader_record *record)
{
	struct numbers *numbers = context;
	int number;

	if (record->type != FXT_EVENT)
		return;
	number = (int)record->args[0].value.integer;
	if (!numbers->count++)
		numbers->first = number;
	else
		numbers->gaps += number != numbers->last + 1;
	numbers->last = number;
}

static inline struct numbers read_numbers(void)
{
	struct numbers numbers = { -1, -1, 0, 0 };
	struct kit_archive archive;

	if (kit_make_archive(&archive, kit_buffer, kit_size) < 0 ||
	    kit_read(&archive, count_number, &numbers))
		numbers.gaps = -1;
	free(archive.words);
	return numbers;
}

static inline struct numbers stop_and_read(void)
{
	trace_engine_stop(0);
	return read_numbers();
}

#endif
