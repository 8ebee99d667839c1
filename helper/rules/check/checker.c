#include "rules/check/checker.h"

#include "rules/consumer/consumer.h"

#include "read/origin.h"

/*
 * For --statistics, the process of a finding: that of its event, or that whose
 * SID is in its line. 0: it is unknown.
 */
static uint64_t find_session(const struct tr2_checker *checker,
			     const struct tr2_finding *finding)
{
	const char *sid;
	size_t len;

	if (finding->session)
		return finding->session;
	if (finding->event_len || !finding->text)
		return checker->session;
	sid = tr2_glance_sid(finding->text, finding->text_len, &len);
	return sid ? tr2_sids_hash(sid, len) : 0;
}

/* An erratum is asked for by name, so it also lowers what is --strict. */
static bool explain_finding(const struct tr2_checker *checker,
			    struct tr2_finding *finding)
{
	const char *erratum = checker->document ? tr2_known_erratum(finding)
						: NULL;

	if (erratum) {
		finding->known = erratum;
		finding->level = TR2_INFO;
	}
	return erratum;
}

/*
 * A known deviation of the writer lowers the finding to an info, unless
 * --strict is given.
 */
static void excuse_finding(const struct tr2_checker *checker,
			   struct tr2_finding *finding)
{
	if (explain_finding(checker, finding))
		return;
	if (!finding->known)
		finding->known = tr2_known_find(checker->sink.writer, finding);
	if (finding->known && !checker->strict)
		finding->level = TR2_INFO;
}

static void take_finding(struct tr2_sink *sink, struct tr2_finding *finding)
{
	struct tr2_checker *checker = sink->owner;

	excuse_finding(checker, finding);
	if (checker->totals->statistics)
		tr2_statistics_go_to(checker->totals->statistics,
				     find_session(checker, finding));
	tr2_report_finding(checker->report, finding);
}

/* The writer of a line that can't be read is guessed. */
static void take_problem(void *context, const struct tr2_problem *problem)
{
	struct tr2_checker *checker = context;
	const struct tr2_events *events = &checker->events;
	struct tr2_what what = tr2_what_at(problem->level, problem->id,
					   problem->at, problem->len);

	what.expected = problem->expected;
	checker->sink.text = events->text;
	checker->sink.part = events->part;
	checker->sink.writer =
		tr2_writer_of_line(events->text, events->text_len);
	tr2_sink_report(&checker->sink, &what, "%s", problem->message);
	checker->sink.writer = TR2_WRITER_OTHER;
}

static void lose_text(void *context, const char *text, size_t len)
{
	struct tr2_checker *checker = context;

	tr2_stream_lose(&checker->stream, &checker->sink, text, len);
}

void tr2_checker_init(struct tr2_checker *checker, struct tr2_report *report)
{
	*checker = (struct tr2_checker){
		.report = report,
		.totals = report->totals,
		.sink = { .take = take_finding, .owner = checker },
		.log = &checker->own,
		.events = { .take = tr2_checker_event,
			    .taker = checker,
			    .tell = take_problem,
			    .lose = lose_text,
			    .owner = checker },
	};
}

void tr2_checker_release(struct tr2_checker *checker)
{
	tr2_stream_release(&checker->stream);
	tr2_events_release(&checker->events);
	tr2_map_release(&checker->log->told);
}

void tr2_checker_begin_file(struct tr2_checker *checker, const char *name,
			    unsigned visit)
{
	tr2_stream_begin_log(&checker->stream, name, visit);
	checker->sink.file = checker->stream.sessions.log->text;
	checker->sink.visit = visit;
	tr2_map_release(&checker->log->told);
	tr2_events_begin_log(&checker->events);
}

void tr2_checker_go_on(struct tr2_checker *checker, struct tr2_checker_log *log)
{
	struct tr2_events *events = &checker->events;
	struct tr2_log_name **name = &checker->stream.sessions.log;

	checker->log->name = *name;
	checker->log->in_torn = events->in_torn;
	checker->log->told_crlf = events->told_crlf;
	checker->log = log;
	*name = log->name;
	events->in_torn = log->in_torn;
	events->told_crlf = log->told_crlf;
	checker->sink.file = log->name ? log->name->text : NULL;
	checker->sink.visit = log->name ? log->name->visit : 0;
}

void tr2_checker_end_log(struct tr2_checker *checker)
{
	tr2_map_release(&checker->log->told);
	tr2_log_name_release(checker->stream.sessions.log);
	checker->stream.sessions.log = NULL;
	checker->log = &checker->own;
}

void tr2_checker_end(struct tr2_checker *checker)
{
	tr2_stream_end(&checker->stream, &checker->sink);
}

void tr2_checker_line(struct tr2_checker *checker, const struct tr2_line *line)
{
	bool plain;

	tr2_sink_line(&checker->sink, line);
	plain = tr2_events_line(&checker->events, line);
	checker->sink.text = line->text;
	if (checker->consumers)
		tr2_consumers_line(checker->consumers, plain);
}
