/*
 * input.h - findings about a log before its events are known: their ids and
 * levels. They form the chapter `input` of SPEC.md: a log is not trusted
 * until it has been read.
 */
#ifndef TR2_RULES_INPUT_H
#define TR2_RULES_INPUT_H

#include "finding/sink.h"

enum tr2_input {
	TR2_INPUT_UTF8,
	TR2_INPUT_JSON,
	TR2_INPUT_NUL,
	TR2_INPUT_LONE_SURROGATE,
	TR2_INPUT_NUMBER_RANGE,
	TR2_INPUT_DEPTH,
	TR2_INPUT_DUPLICATE_KEY,
	TR2_INPUT_NOT_OBJECT,
	TR2_INPUT_TWO_OBJECTS,
	TR2_INPUT_TORN_LINE,
	TR2_INPUT_FINAL_NEWLINE,
	TR2_INPUT_BLANK_LINE,
	TR2_INPUT_LONG_LINE,
	TR2_INPUT_HUGE_LINE,
	TR2_INPUT_CRLF,
	TR2_INPUT_BOM,
	TR2_INPUT_EMPTY,
	TR2_INPUT_UNREADABLE,
	TR2_INPUT_OTHER_FORMAT,
	TR2_INPUT_COUNT
};

struct tr2_input_rule {
	const char *id;
	enum tr2_level level;
};

extern const struct tr2_input_rule tr2_input_rules[TR2_INPUT_COUNT];

/* Report a finding at byte `at` of the sink's text. */
void tr2_input_report(struct tr2_sink *sink, enum tr2_input input, size_t at,
		      size_t len, const char *message) __attribute__((cold));
/* Report a finding about the file as a whole. */
void tr2_input_report_file(struct tr2_sink *sink, enum tr2_input input,
			   const char *message);

#endif
