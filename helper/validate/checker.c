#include "validate/checker.h"

#include <stdarg.h>

#define MESSAGE_ROOM 512

void tr2_checker_init(struct tr2_checker *checker, struct tr2_report *report)
{
	*checker = (struct tr2_checker){
		.report = report,
		.totals = report->totals,
		.sids = TR2_SIDS_INIT,
	};
}

void tr2_checker_release(struct tr2_checker *checker)
{
	tr2_stream_release(&checker->stream);
	tr2_sids_release(&checker->sids);
	tr2_record_release(&checker->record);
}

void tr2_checker_begin_file(struct tr2_checker *checker, const char *name)
{
	checker->file = name;
	checker->in_torn = checker->told_crlf = false;
	checker->told_count = 0;
	tr2_stream_begin_log(&checker->stream, name);
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
	};

	tr2_report_finding(checker->report, &finding);
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
	};

	vsnprintf(message, sizeof(message), fmt, ap);
	tr2_checker_excuse(checker, &finding);
	tr2_report_finding(checker->report, &finding);
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
