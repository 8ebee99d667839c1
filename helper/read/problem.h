/*
 * problem.h - what can be wrong with input before its events are known. The
 * problems form the chapter `input` of SPEC.md: a log is not trusted until it
 * has been read. (events.c has the table.)
 */
#ifndef TR2_READ_PROBLEM_H
#define TR2_READ_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

enum tr2_level { TR2_ERROR, TR2_WARNING, TR2_INFO, TR2_LEVELS };

extern const char *const tr2_level_names[TR2_LEVELS + 1];

/* Each has an id in SPEC.md, and a level. */
/* clang-format off */
#define TR2_INPUT_ROWS(ROW) \
	ROW(UTF8, "input.utf8", TR2_ERROR) \
	ROW(JSON, "input.json", TR2_ERROR) \
	ROW(NUL, "input.nul", TR2_ERROR) \
	ROW(LONE_SURROGATE, "input.lone-surrogate", TR2_ERROR) \
	ROW(NUMBER_RANGE, "input.number-range", TR2_ERROR) \
	ROW(DEPTH, "input.depth", TR2_ERROR) \
	ROW(DUPLICATE_KEY, "input.duplicate-key", TR2_ERROR) \
	ROW(NOT_OBJECT, "input.not-object", TR2_ERROR) \
	ROW(TWO_OBJECTS, "input.two-objects", TR2_ERROR) \
	ROW(TORN_LINE, "input.torn-line", TR2_ERROR) \
	ROW(FINAL_NEWLINE, "input.final-newline", TR2_ERROR) \
	ROW(BLANK_LINE, "input.blank-line", TR2_ERROR) \
	ROW(LONG_LINE, "input.long-line", TR2_WARNING) \
	ROW(HUGE_LINE, "input.huge-line", TR2_ERROR) \
	ROW(CRLF, "input.crlf", TR2_WARNING) \
	ROW(BOM, "input.bom", TR2_ERROR) \
	ROW(DATAGRAM, "destination.socket.datagram-event", TR2_ERROR) \
	ROW(EMPTY, "input.empty", TR2_ERROR) \
	ROW(UNREADABLE, "input.unreadable", TR2_ERROR) \
	ROW(OTHER_FORMAT, "input.other-format", TR2_INFO) \
	ROW(UTF16, "input.utf16", TR2_INFO) \
	ROW(BETWEEN, "input.between", TR2_INFO) \
	ROW(CARRIED, "input.carried", TR2_INFO)
/* clang-format on */

#define TR2_INPUT_ENUM(input, ...) TR2_INPUT_##input,
enum tr2_input { TR2_INPUT_ROWS(TR2_INPUT_ENUM) TR2_INPUT_COUNT };

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
