#include "read/problem.h"

const char *const tr2_level_names[] = { "error", "warning", "info", NULL };

const struct tr2_input_rule tr2_input_rules[TR2_INPUT_COUNT] = {
	[TR2_INPUT_UTF8] = { "input.utf8", TR2_ERROR },
	[TR2_INPUT_JSON] = { "input.json", TR2_ERROR },
	[TR2_INPUT_NUL] = { "input.nul", TR2_ERROR },
	[TR2_INPUT_LONE_SURROGATE] = { "input.lone-surrogate", TR2_ERROR },
	[TR2_INPUT_NUMBER_RANGE] = { "input.number-range", TR2_ERROR },
	[TR2_INPUT_DEPTH] = { "input.depth", TR2_ERROR },
	[TR2_INPUT_DUPLICATE_KEY] = { "input.duplicate-key", TR2_ERROR },
	[TR2_INPUT_NOT_OBJECT] = { "input.not-object", TR2_ERROR },
	[TR2_INPUT_TWO_OBJECTS] = { "input.two-objects", TR2_ERROR },
	[TR2_INPUT_TORN_LINE] = { "input.torn-line", TR2_ERROR },
	[TR2_INPUT_FINAL_NEWLINE] = { "input.final-newline", TR2_ERROR },
	[TR2_INPUT_BLANK_LINE] = { "input.blank-line", TR2_ERROR },
	[TR2_INPUT_LONG_LINE] = { "input.long-line", TR2_WARNING },
	[TR2_INPUT_HUGE_LINE] = { "input.huge-line", TR2_ERROR },
	[TR2_INPUT_CRLF] = { "input.crlf", TR2_WARNING },
	[TR2_INPUT_BOM] = { "input.bom", TR2_ERROR },
	/* SPEC: destination.socket.datagram-event */
	[TR2_INPUT_DATAGRAM] = { "destination.socket.datagram-event",
				 TR2_ERROR },
	[TR2_INPUT_EMPTY] = { "input.empty", TR2_ERROR },
	[TR2_INPUT_UNREADABLE] = { "input.unreadable", TR2_ERROR },
	[TR2_INPUT_OTHER_FORMAT] = { "input.other-format", TR2_INFO },
	[TR2_INPUT_UTF16] = { "input.utf16", TR2_INFO },
	[TR2_INPUT_BETWEEN] = { "input.between", TR2_INFO },
	[TR2_INPUT_CARRIED] = { "input.carried", TR2_INFO },
};
