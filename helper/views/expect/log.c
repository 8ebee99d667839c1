#include <stdlib.h>
#include <string.h>

#include "views/expect/fact.h"
#include "views/summary/intake.h"

void tr2_expect_log_begin(struct tr2_expect_log *log)
{
	memset(log, 0, sizeof(*log));
	tr2_forest_begin(&log->forest);
	log->forest.take = tr2_fact_resolve;
	log->forest.view = &tr2_fact_view;
	log->forest.taker = log;
	tr2_intake_begin(&log->reader, "expect", &log->forest);
	log->reader.take = tr2_fact_take;
	log->reader.taker = log;
}

bool tr2_expect_log_time(struct tr2_expect_log *log,
			 const struct tr2_assertion *assertion)
{
	if (assertion->measure == TR2_EXPECT_NUMBER)
		return true;
	if (log->timed_count == TR2_EXPECT_TIMES)
		return false;
	log->timed[log->timed_count++] = assertion;
	return true;
}

void tr2_expect_log_read(struct tr2_expect_log *log, const char *path)
{
	log->name_text = NULL;
	tr2_reader_visit(&log->reader, path);
}

void tr2_expect_log_end(struct tr2_expect_log *log)
{
	tr2_intake_end(&log->reader, &log->forest);
}

void tr2_expect_log_release(struct tr2_expect_log *log)
{
	uint32_t i;

	for (i = 0; i < log->processes.count; i++) {
		struct tr2_expect_process *process =
			tr2_expect_process_at(log, i);

		tr2_vec_release(&process->open);
		free(process->times);
		free(process);
	}
	tr2_vec_release(&log->processes);
	tr2_vec_release(&log->facts);
	tr2_vec_release(&log->ended);
	tr2_map_release(&log->places);
	tr2_map_release(&log->children);
	tr2_reader_release(&log->reader);
	tr2_forest_release(&log->forest);
}
