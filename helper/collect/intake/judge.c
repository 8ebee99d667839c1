#include "collect/intake/judge.h"

#include "rules/known.h"

/* More sessions than these at a time would take too much memory. */
#define SESSIONS_MOST ((size_t)64 << 10)

/* Only the first error of a line is of interest. */
static void take_error(struct tr2_sink *sink, struct tr2_finding *finding)
{
	struct tr2_judge *judge = sink->owner;

	if (!judge->rule && finding->level == TR2_ERROR && !finding->known &&
	    !tr2_known_find(sink->writer, finding))
		judge->rule = finding->id;
}

void tr2_judge_begin(struct tr2_judge *judge)
{
	*judge = (struct tr2_judge){ .rule = NULL };
	judge->report.totals = &judge->totals;
	tr2_checker_init(&judge->checker, &judge->report);
	judge->checker.alone = true;
	judge->checker.sink.take = take_error;
	judge->checker.sink.owner = judge;
	tr2_checker_begin_file(&judge->checker, "", 1);
}

void tr2_judge_release(struct tr2_judge *judge)
{
	tr2_checker_end_log(&judge->checker);
	tr2_checker_release(&judge->checker);
}

/* Other writers' lines came before, so nothing of them may count here. */
static void forget_lines(struct tr2_judge *judge)
{
	const struct tr2_checker_log *log = judge->checker.log;

	judge->rule = NULL;
	tr2_events_begin_log(&judge->checker.events);
	if (judge->checker.stream.sids.all.count >= SESSIONS_MOST ||
	    log->told.count >= SESSIONS_MOST) {
		tr2_judge_release(judge);
		tr2_judge_begin(judge);
	}
}

const char *tr2_judge_line(struct tr2_judge *judge, const char *line,
			   size_t len)
{
	const struct tr2_line whole = {
		.text = line,
		.len = len,
		.number = 2, /* the first line may have a byte order mark */
		.ended = true,
	};

	forget_lines(judge);
	tr2_checker_line(&judge->checker, &whole);
	return judge->rule;
}
