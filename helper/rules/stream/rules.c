#include "rules/stream/rules.h"

#define ROW(rule, id, level, needs_all) { id, level, needs_all },

const struct tr2_stream_rule_row tr2_stream_rules[TR2_STREAM_RULES] = {
	TR2_STREAM_RULE_ROWS(ROW)
};
