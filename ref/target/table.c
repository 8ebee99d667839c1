#include "target/table.h"

#include "target/added.h"
#include "target/chrome.h"
#include "target/fxt.h"
#include "target/text.h"

/* One line for each event, written by write(2). */
#define TEXT(state)                                                         \
	{                                                                   \
		.own = (state), .writes_lines = 1, .open = tr2_text_open,   \
		.event = tr2_text_event,                                    \
		.event_in_signal = tr2_text_event_in_signal,                \
		.has_too_many_files = tr2_text_has_too_many_files,          \
		.count_dropped = tr2_text_count_dropped,                    \
		.hold = tr2_text_hold, .let_go = tr2_text_let_go,           \
		.leave_parent = tr2_text_leave_parent,                      \
		.reopen = tr2_text_reopen, .has_event = tr2_text_has_event, \
	}

const struct tr2_target tr2_target_table[TR2_TARGET_ROWS] = {
	[TR2_TARGET_NORMAL] = TEXT(&tr2_text_normal),
	[TR2_TARGET_PERF] = TEXT(&tr2_text_perf),
	[TR2_TARGET_EVENT] = TEXT(&tr2_text_event_json),
	/* Before Chrome, because the first one keeps the engine. */
	[TR2_TARGET_FXT] = {
		.open = tr2_fxt_open,
		.event = tr2_fxt_event,
		.event_in_signal = tr2_fxt_event_in_signal,
		.has_too_many_files = tr2_fxt_has_too_many_files,
		.enter_region = tr2_fxt_enter_region,
		.leave_region = tr2_fxt_leave_region,
		.count_dropped = tr2_fxt_count_dropped,
		.settle = tr2_fxt_settle,
		.close = tr2_fxt_close,
		.leave_parent = tr2_fxt_leave_parent,
		.reopen = tr2_fxt_reopen,
	},
	[TR2_TARGET_CHROME] = {
		.open = tr2_chrome_open,
		.event = tr2_fxt_event,
		.event_in_signal = tr2_fxt_event_in_signal,
		.has_too_many_files = tr2_chrome_has_too_many_files,
		.enter_region = tr2_fxt_enter_region,
		.leave_region = tr2_fxt_leave_region,
		.count_dropped = tr2_chrome_count_dropped,
		.settle = tr2_chrome_settle,
		.close = tr2_chrome_close,
		.leave_parent = tr2_chrome_leave_parent,
		.reopen = tr2_chrome_open,
	},
	[TR2_TARGET_ADDED] = {
		.open = tr2_added_open,
		.event = tr2_added_event,
		.event_in_signal = tr2_added_event_in_signal,
		.has_too_many_files = tr2_added_has_too_many_files,
		.count_dropped = tr2_added_count_dropped,
		.hold = tr2_added_hold,
		.let_go = tr2_added_let_go,
		.leave_parent = tr2_added_let_go,
		.reopen = tr2_added_reopen,
		.close = tr2_added_close,
	},
};
