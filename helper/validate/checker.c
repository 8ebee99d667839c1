#include "validate/checker.h"

#include <stdarg.h>

#include "validate/glance.h"

#define MESSAGE_ROOM 512

void tr2_checker_init(struct tr2_checker *checker, struct tr2_report *report)
{
	*checker = (struct tr2_checker){
		.report = report,
		.totals = report->totals,
		.partitions = TR2_ALL_PARTITIONS,
	};
}

void tr2_checker_release(struct tr2_checker *checker)
{
	tr2_stream_release(&checker->stream);
	tr2_sids_release(&checker->sids);
	tr2_record_release(&checker->record);
	tr2_map_release(&checker->told);
	tr2_buf_release(&checker->mended);
}

void tr2_checker_forget_writer(struct tr2_checker *checker)
{
	if (checker->totals->statistics)
		checker->totals->statistics->current = 0;
}

void tr2_checker_begin_file(struct tr2_checker *checker, const char *name,
			    unsigned visit)
{
	tr2_stream_begin_log(&checker->stream, name, visit);
	checker->file = checker->stream.sessions.log->text;
	checker->visit = visit;
	checker->in_torn = checker->told_crlf = false;
	checker->mine = tr2_checker_has(checker, 0);
	tr2_map_release(&checker->told);
}

void tr2_checker_end(struct tr2_checker *checker)
{
	tr2_stream_end(checker);
}

void tr2_checker_excuse(const struct tr2_checker *checker,
			struct tr2_finding *finding)
{
	if (!finding->known)
		finding->known = tr2_known_find(checker->writer, finding);
	if (finding->known && !checker->strict)
		finding->level = TR2_INFO;
}

void tr2_checker_report_file(struct tr2_checker *checker, enum tr2_input input,
			     const char *message)
{
	struct tr2_finding finding = {
		.level = tr2_input_rules[input].level,
		.id = tr2_input_rules[input].id,
		.file = checker->file,
		.line = 1,
		.column = 1,
		.message = message,
		.visit = checker->visit,
	};

	if (checker->mine)
		tr2_report_finding(checker->report, &finding);
}

/* Of a finding outside of events: who writes the process of its line. */
static void guess_writer(struct tr2_checker *checker)
{
	struct tr2_statistics *statistics = checker->totals->statistics;
	size_t len;
	const char *sid =
		tr2_glance_sid(checker->line.text, checker->line.len, &len);

	statistics->current =
		sid ? tr2_statistics_find(statistics, tr2_sids_hash(sid, len).a)
		    : 0;
}

static void say(struct tr2_checker *checker, struct tr2_finding *finding)
{
	tr2_checker_excuse(checker, finding);
	if (checker->totals->statistics && !checker->in_event)
		guess_writer(checker);
	tr2_report_finding(checker->report, finding);
	if (!checker->in_event)
		tr2_checker_forget_writer(checker);
}

enum tr2_level tr2_checker_vreport(struct tr2_checker *checker,
				   const struct tr2_what *what, const char *fmt,
				   va_list ap)
{
	char message[MESSAGE_ROOM];
	size_t in_line = (size_t)(checker->text - checker->line.text);
	struct tr2_finding finding = {
		.level = what->level,
		.id = what->id,
		.known = what->known,
		.file = checker->file,
		.line = checker->line.number,
		.column = in_line + what->at + 1,
		.width = what->len,
		.message = message,
		.expected = what->expected,
		.text = checker->line.text,
		.text_len = checker->line.len,
		.event_at = checker->in_event ? in_line : 0,
		.event_len = checker->in_event ? checker->record.parse.len : 0,
		.visit = checker->visit,
		.part = checker->part,
		.once = what->once,
	};

	if (checker->mine) {
		vsnprintf(message, sizeof(message), fmt, ap);
		say(checker, &finding);
	}
	return finding.level;
}

void tr2_checker_report(struct tr2_checker *checker,
			const struct tr2_what *what, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tr2_checker_vreport(checker, what, fmt, ap);
	va_end(ap);
}

void tr2_checker_report_input(struct tr2_checker *checker, enum tr2_input input,
			      size_t at, size_t len, const char *message)
{
	struct tr2_what what = {
		.level = tr2_input_rules[input].level,
		.id = tr2_input_rules[input].id,
		.at = at,
		.len = len,
	};

	tr2_checker_report(checker, &what, "%s", message);
}
