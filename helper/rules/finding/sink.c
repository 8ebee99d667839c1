#include "rules/finding/finding.h"

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

	/* A line may end before the place of what it lacks. */
	if (finding.text && finding.column > finding.text_len + 1)
		finding.column = finding.text_len + 1;
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
	const struct tr2_input_rule *rule = &tr2_input_rules[input];
	const struct tr2_what what =
		tr2_what_at(rule->level, rule->id, at, len);

	tr2_sink_report(sink, &what, "%s", message);
}

void tr2_sink_report_line(struct tr2_sink *sink, enum tr2_level level,
			  const char *id, unsigned long line, unsigned part,
			  const char *message)
{
	struct tr2_finding finding = {
		.level = level,
		.id = id,
		.file = sink->file,
		.line = line,
		.column = 1,
		.message = message,
		.visit = sink->visit,
		.part = part,
	};

	sink->take(sink, &finding);
}

void tr2_sink_report_file(struct tr2_sink *sink, enum tr2_input input,
			  const char *message)
{
	tr2_sink_report_line(sink, tr2_input_rules[input].level,
			     tr2_input_rules[input].id, 1, 0, message);
}

/* SPEC: input.between, input.carried */
static const struct {
	enum tr2_input input;
	const char *one, *several;
} texts[] = {
	[TR2_LINES_OTHER] = { TR2_INPUT_BETWEEN, "line of this log is no event",
			      "lines of this log are no events" },
	[TR2_LINES_CARRIED] = { TR2_INPUT_CARRIED,
				"line was read without a prefix or colours, "
				"which no writer wrote",
				"lines were read without prefixes or colours, "
				"which no writer wrote" },
	[TR2_LINES_WRAPPED] = { TR2_INPUT_CARRIED,
				"event was broken into lines, which no writer "
				"did",
				"events were broken into lines, which no "
				"writer did" },
};

void tr2_sink_report_lines(struct tr2_sink *sink, enum tr2_lines_kind kind,
			   struct tr2_others *lines)
{
	const struct tr2_input_rule *rule = &tr2_input_rules[texts[kind].input];
	char message[120];

	if (!lines->count)
		return;
	snprintf(message, sizeof(message), "%lu %s", lines->count,
		 lines->count > 1 ? texts[kind].several : texts[kind].one);
	tr2_sink_report_line(sink, rule->level, rule->id, lines->first, 0,
			     message);
	*lines = (struct tr2_others){ 0 };
}
