#include "rules/finding/sink.h"

#include <stdio.h>

#define MESSAGE_ROOM 512

enum tr2_level tr2_sink_vreport(struct tr2_sink *sink,
				const struct tr2_what *what, const char *fmt,
				va_list ap)
{
	char message[MESSAGE_ROOM];
	size_t in_line = (size_t)(sink->text - sink->line.text);
	struct tr2_finding finding = {
		.level = what->level,
		.id = what->id,
		.known = what->known,
		.file = sink->file,
		.line = sink->line.number,
		.column = in_line + what->at + 1,
		.width = what->len,
		.message = message,
		.expected = what->expected,
		.text = sink->line.text,
		.text_len = sink->line.len,
		.event_at = sink->event_len ? in_line : 0,
		.event_len = sink->event_len,
		.visit = sink->visit,
		.part = sink->part,
	};

	vsnprintf(message, sizeof(message), fmt, ap);
	sink->take(sink, &finding);
	return finding.level;
}

void tr2_sink_report(struct tr2_sink *sink, const struct tr2_what *what,
		     const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tr2_sink_vreport(sink, what, fmt, ap);
	va_end(ap);
}

void tr2_sink_report_input(struct tr2_sink *sink, enum tr2_input input,
			   size_t at, size_t len, const char *message)
{
	const struct tr2_what what = {
		.level = tr2_input_rules[input].level,
		.id = tr2_input_rules[input].id,
		.at = at,
		.len = len,
	};

	tr2_sink_report(sink, &what, "%s", message);
}

void tr2_sink_report_file(struct tr2_sink *sink, enum tr2_input input,
			  const char *message)
{
	struct tr2_finding finding = {
		.level = tr2_input_rules[input].level,
		.id = tr2_input_rules[input].id,
		.file = sink->file,
		.line = 1,
		.column = 1,
		.message = message,
		.visit = sink->visit,
	};

	sink->take(sink, &finding);
}

/* Each message has the words for one line and for many. */
static void report_lines(struct tr2_sink *sink, enum tr2_input input,
			 struct tr2_others *lines, const char *const words[2])
{
	struct tr2_finding finding = {
		.level = tr2_input_rules[input].level,
		.id = tr2_input_rules[input].id,
		.file = sink->file,
		.line = lines->first,
		.column = 1,
		.visit = sink->visit,
	};
	char message[120];

	if (!lines->count)
		return;
	snprintf(message, sizeof(message), "%lu %s", lines->count,
		 words[lines->count > 1]);
	finding.message = message;
	sink->take(sink, &finding);
	*lines = (struct tr2_others){ 0 };
}

void tr2_sink_report_others(struct tr2_sink *sink, struct tr2_others *others)
{
	static const char *const words[] = {
		"line of this log is no event",
		"lines of this log are no events"
	};

	report_lines(sink, TR2_INPUT_BETWEEN, others, words);
}

/* SPEC: input.carried */
void tr2_sink_report_carried(struct tr2_sink *sink, struct tr2_others *carried)
{
	static const char *const words[] = {
		"line was read without a prefix or colours, which no writer "
		"wrote",
		"lines were read without prefixes or colours, which no writer "
		"wrote"
	};

	report_lines(sink, TR2_INPUT_CARRIED, carried, words);
}

void tr2_sink_report_wrapped(struct tr2_sink *sink, struct tr2_others *wrapped)
{
	static const char *const words[] = {
		"event was broken into lines, which no writer did",
		"events were broken into lines, which no writer did"
	};

	report_lines(sink, TR2_INPUT_CARRIED, wrapped, words);
}
