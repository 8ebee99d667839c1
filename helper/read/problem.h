/*
 * problem.h - what can be wrong with input before its events are known. The
 * problems form the chapter `input` of SPEC.md: a log is not trusted until it
 * has been read.
 */
#ifndef TR2_READ_PROBLEM_H
#define TR2_READ_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

enum tr2_level { TR2_ERROR, TR2_WARNING, TR2_INFO, TR2_LEVELS };

extern const char *const tr2_level_names[TR2_LEVELS + 1];

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
	TR2_INPUT_DATAGRAM,
	TR2_INPUT_EMPTY,
	TR2_INPUT_UNREADABLE,
	TR2_INPUT_OTHER_FORMAT,
	TR2_INPUT_UTF16,
	TR2_INPUT_BETWEEN,
	TR2_INPUT_CARRIED,
	TR2_INPUT_COUNT
};

struct tr2_input_rule {
	const char *id;
	enum tr2_level level;
};

extern const struct tr2_input_rule tr2_input_rules[TR2_INPUT_COUNT];

/* A problem with bytes of a line. */
struct tr2_problem {
	enum tr2_level level;
	const char *id;
	const char *message;  /* one sentence */
	const char *expected; /* or NULL */
	size_t at, len;	      /* the wrong bytes in the text that is read */
};

#endif
