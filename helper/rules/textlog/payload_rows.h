/*
 * payload_rows.h - what a payload of each event looks like. Made from
 * SPEC.md by `make rules` (t/documents/req/payload_rows.py).
 */
#ifndef TR2_TEXTLOG_PAYLOAD_ROWS_H
#define TR2_TEXTLOG_PAYLOAD_ROWS_H

/* clang-format off */

/* kind, remark about the old form, how it begins, what it holds,
 * patterns, old form */
#define TR2_NORMAL_PAYLOADS(ROW) \
	ROW(VERSION, 0, "version ", NULL, { "version %*" }, NULL) \
	ROW(START, TR2_OLDER_NORMAL_ARGV, "start ", NULL, { "start %q" }, \
	    "start  %*") \
	ROW(EXIT, 0, "exit elapsed:", NULL, { "exit elapsed:%s code:%n" }, \
	    NULL) \
	ROW(ATEXIT, 0, "atexit elapsed:", NULL, \
	    { "atexit elapsed:%s code:%n" }, NULL) \
	ROW(SIGNAL, 0, "signal elapsed:", NULL, \
	    { "signal elapsed:%s code:%n" }, NULL) \
	ROW(ERROR, 0, "error ", NULL, { "error %*" }, NULL) \
	ROW(CMD_PATH, 0, "cmd_path ", NULL, { "cmd_path %*" }, NULL) \
	ROW(CMD_ANCESTRY, 0, "cmd_ancestry ", NULL, { "cmd_ancestry %*" }, \
	    NULL) \
	ROW(CMD_NAME, 0, "cmd_name ", NULL, { "cmd_name %*" }, NULL) \
	ROW(CMD_MODE, 0, "cmd_mode ", NULL, { "cmd_mode %*" }, NULL) \
	ROW(ALIAS, 0, "alias ", " -> ", { "alias %* -> %q" }, NULL) \
	ROW(CHILD_START, TR2_OLDER_NORMAL_ARGV, "child_start[", NULL, \
	    { "child_start[%i] %q", "child_start[%i] cd %w; %q" }, \
	    "child_start[%i]  %*") \
	ROW(CHILD_EXIT, 0, "child_exit[", NULL, \
	    { "child_exit[%i] pid:%n code:%n elapsed:%s" }, NULL) \
	ROW(CHILD_READY, 0, "child_ready[", NULL, \
	    { "child_ready[%i] pid:%n ready:%r elapsed:%s" }, NULL) \
	ROW(EXEC, 0, "exec[", NULL, { "exec[%i] %q", "exec[%i] %* %q" }, NULL) \
	ROW(EXEC_RESULT, 0, "exec_result[", NULL, \
	    { "exec_result[%i] code:%n", "exec_result[%i] code:%n err:%*" }, \
	    NULL) \
	ROW(DEF_PARAM, 0, "def_param scope:", NULL, \
	    { "def_param scope:%* %*" }, NULL) \
	ROW(DEF_REPO, 0, "worktree /", NULL, { "worktree %w" }, NULL) \
	ROW(DEF_REPO, 0, "worktree '", NULL, { "worktree %w" }, NULL) \
	ROW(TH_TIMER, 0, "th_timer ", " intervals:", \
	    { "th_timer %*/%* intervals:%i total:%s min:%s max:%s" }, NULL) \
	ROW(TIMER, 0, "timer ", " intervals:", \
	    { "timer %*/%* intervals:%i total:%s min:%s max:%s" }, NULL) \
	ROW(TH_COUNTER, 0, "th_counter ", " value:", \
	    { "th_counter %*/%* value:%i" }, NULL) \
	ROW(COUNTER, 0, "counter ", " value:", { "counter %*/%* value:%i" }, \
	    NULL)

/* Events that NORMAL never shows. */
#define TR2_NORMAL_NEVER(ROW) \
	ROW(TOO_MANY_FILES, "too_many_files ") \
	ROW(THREAD_START, "thread_start ") \
	ROW(THREAD_EXIT, "thread_exit ") \
	ROW(REGION_ENTER, "region_enter ") \
	ROW(REGION_LEAVE, "region_leave ") \
	ROW(DATA_JSON, "data_json ")

/* What can't be told from the text of a printf. */
#define TR2_NORMAL_ANY_TEXT(ROW) \
	ROW(PRINTF, 0) \
	ROW(DATA, 0)

/* kind, columns that it fills, patterns, old form */
#define TR2_PERF_PAYLOADS(ROW) \
	ROW(VERSION, FREE, { "%*" }, NULL) \
	ROW(START, T_ABS | FREE, { "%q" }, " %*") \
	ROW(EXIT, T_ABS, { "code:%n" }, NULL) \
	ROW(ATEXIT, T_ABS | NO_DOTS, { "code:%n" }, NULL) \
	ROW(SIGNAL, T_ABS, { "signo:%n" }, NULL) \
	ROW(ERROR, FREE, { "%*" }, NULL) \
	ROW(CMD_PATH, FREE, { "%*" }, NULL) \
	ROW(CMD_ANCESTRY, 0, { "ancestry:[%q]" }, NULL) \
	ROW(CMD_NAME, FREE, { "%*" }, NULL) \
	ROW(CMD_MODE, FREE, { "%*" }, NULL) \
	ROW(ALIAS, 0, { "alias:%* argv:[%q]" }, "alias:%* argv:%*") \
	ROW(CHILD_START, T_ABS, { "[ch%i] class:%* argv:[%q]" }, \
	    "[ch%i] class:%* argv:%*") \
	ROW(CHILD_EXIT, T_ABS | T_REL, { "[ch%i] pid:%n code:%n" }, NULL) \
	ROW(CHILD_READY, T_ABS | T_REL, { "[ch%i] pid:%n ready:%r" }, NULL) \
	ROW(EXEC, T_ABS, { "id:%i argv:[%*]" }, "id:%i argv:%*") \
	ROW(EXEC_RESULT, T_ABS, { "id:%i code:%n", "id:%i code:%n err:%*" }, \
	    NULL) \
	ROW(THREAD_START, T_ABS, { "" }, NULL) \
	ROW(THREAD_EXIT, T_ABS | T_REL, { "" }, NULL) \
	ROW(DEF_PARAM, CATEGORY | FREE, { "%*" }, NULL) \
	ROW(DEF_REPO, REPO, { "worktree:%w" }, NULL) \
	ROW(REGION_ENTER, T_ABS | REPO | CATEGORY, { "", " %*", \
	    "label:%*" }, NULL) \
	ROW(REGION_LEAVE, T_ABS | T_REL | REPO | CATEGORY, { "", " %*", \
	    "label:%*" }, NULL) \
	ROW(DATA, T_ABS | T_REL | REPO | CATEGORY | FREE, { "%*:%*" }, NULL) \
	ROW(DATA_JSON, T_ABS | T_REL | REPO | CATEGORY | FREE, { "%*:%*" }, \
	    NULL) \
	ROW(PRINTF, T_ABS | FREE, { "%*" }, NULL) \
	ROW(TH_TIMER, CATEGORY | NO_DOTS, \
	    { "name:%* intervals:%i total:%s min:%s max:%s" }, NULL) \
	ROW(TIMER, CATEGORY | NO_DOTS, \
	    { "name:%* intervals:%i total:%s min:%s max:%s" }, NULL) \
	ROW(TH_COUNTER, CATEGORY | NO_DOTS, { "name:%* value:%i" }, NULL) \
	ROW(COUNTER, CATEGORY | NO_DOTS, { "name:%* value:%i" }, NULL)

/* Events that PERF never shows. */
#define TR2_PERF_NEVER(ROW) \
	ROW(TOO_MANY_FILES, 0)

/* clang-format on */
#endif
