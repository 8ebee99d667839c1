/*
 * The event table: one row for each kind, its fields in wire order.
 * SPEC: chapter event.*
 */
#include "event/event.h"

#include "event/payload.h"

/* clang-format off */

/* kind, name on the wire, NORMAL's payload, PERF's payload, flags, fields */
#define ROW(kind, name, normal, perf, flags, ...) \
	[TR2_EVENT_##kind] = { name, HEAD(name), sizeof(HEAD(name)) - 1, \
			       flags, normal, perf, { __VA_ARGS__ } }
#define HEAD(name) "{\"event\":\"" name "\",\"sid\":\""

/* key on the wire and member, type, flags */
#define F(key, type, flags) \
	{ #key, ",\"" #key "\":", sizeof(",\"" #key "\":") - 1, \
	  TR2_FIELD_##type, flags, offsetof(struct tr2_event, key) }
#define END { NULL, NULL, 0, TR2_FIELD_STRING, 0, 0 }

#define N(name) tr2_normal_##name
#define P(name) tr2_perf_##name

#define OPT TR2_FIELD_OPTIONAL
#define HIDE TR2_FIELD_REDACTED
#define OPT_HIDE (OPT | HIDE)

#define T_ABS TR2_SHOW_T_ABS
#define T_BOTH (TR2_SHOW_T_ABS | TR2_SHOW_T_REL)
#define CATEGORY TR2_SHOW_CATEGORY
#define IN_REGION (CATEGORY | TR2_FILTER_NESTING | TR2_MAY_HAVE_REPO)

const struct tr2_event_info tr2_event_table[TR2_EVENT_COUNT] = {
	ROW(VERSION, "version", N(version), P(version), TR2_KEEP_BRIEF_TIME,
	    F(evt, STRING, 0), F(exe, STRING, 0), END),
	ROW(TOO_MANY_FILES, "too_many_files", NULL, NULL, 0, END),
	ROW(START, "start", N(start), P(start), T_ABS,
	    F(t_abs, SECONDS_US, 0), F(argv, STRINGS, HIDE), END),
	ROW(EXIT, "exit", N(exit), P(exit), T_ABS,
	    F(t_abs, SECONDS_US, 0), F(code, INT, 0), END),
	ROW(ATEXIT, "atexit", N(exit), P(exit), T_ABS | TR2_KEEP_BRIEF_TIME,
	    F(t_abs, SECONDS_US, 0), F(code, INT, 0), END),
	ROW(SIGNAL, "signal", N(signal), P(signal), T_ABS,
	    F(t_abs, SECONDS_US, 0), F(signo, INT, 0), END),
	ROW(ERROR, "error", N(error), P(msg), 0,
	    F(msg, STRING, OPT_HIDE), F(fmt, STRING, OPT_HIDE), END),
	ROW(CMD_PATH, "cmd_path", N(cmd_path), P(cmd_path), 0,
	    F(path, STRING, 0), END),
	ROW(CMD_ANCESTRY, "cmd_ancestry", N(cmd_ancestry), P(cmd_ancestry), 0,
	    F(ancestry, STRINGS, 0), END),
	ROW(CMD_NAME, "cmd_name", N(cmd_name), P(cmd_name), 0,
	    F(name, STRING, 0), F(hierarchy, STRING, OPT), END),
	ROW(CMD_MODE, "cmd_mode", N(cmd_mode), P(cmd_mode), 0,
	    F(name, STRING, 0), END),
	ROW(ALIAS, "alias", N(alias), P(alias), 0,
	    F(alias, STRING, 0), F(argv, STRINGS, HIDE), END),
	ROW(CHILD_START, "child_start", N(child_start), P(child_start), T_ABS,
	    F(child_id, INT, 0), F(child_class, STRING, 0),
	    F(hook_name, STRING, OPT), F(cd, STRING, OPT),
	    F(use_shell, BOOL, 0), F(argv, STRINGS, HIDE), END),
	ROW(CHILD_EXIT, "child_exit", N(child_exit), P(child_exit), T_BOTH,
	    F(child_id, INT, 0), F(pid, INT64, 0), F(code, INT, 0),
	    F(t_rel, SECONDS_US, 0), END),
	ROW(CHILD_READY, "child_ready", N(child_ready), P(child_ready), T_BOTH,
	    F(child_id, INT, 0), F(pid, INT64, 0), F(ready, STRING, 0),
	    F(t_rel, SECONDS_US, 0), END),
	ROW(EXEC, "exec", N(exec), P(exec), T_ABS,
	    F(exec_id, INT, 0), F(exe, STRING, OPT), F(argv, STRINGS, HIDE), END),
	ROW(EXEC_RESULT, "exec_result", N(exec_result), P(exec_result), T_ABS,
	    F(exec_id, INT, 0), F(code, INT, 0), END),
	ROW(THREAD_START, "thread_start", NULL, P(thread), T_ABS, END),
	ROW(THREAD_EXIT, "thread_exit", NULL, P(thread), T_BOTH,
	    F(t_rel, SECONDS_US, 0), END),
	ROW(DEF_PARAM, "def_param", N(def_param), P(def_param), TR2_SHOW_SCOPE,
	    F(scope, STRING, 0), F(param, STRING, HIDE),
	    F(value, STRING, OPT_HIDE), END),
	ROW(DEF_REPO, "def_repo", N(def_repo), P(def_repo), TR2_MAY_HAVE_REPO,
	    F(worktree, STRING, 0), END),
	ROW(REGION_ENTER, "region_enter", NULL, P(region), T_ABS | IN_REGION,
	    F(nesting, INT, 0), F(category, STRING, OPT), F(label, STRING, OPT),
	    F(msg, STRING, OPT_HIDE), END),
	ROW(REGION_LEAVE, "region_leave", NULL, P(region), T_BOTH | IN_REGION,
	    F(t_rel, SECONDS_US, 0), F(nesting, INT, 0),
	    F(category, STRING, OPT), F(label, STRING, OPT),
	    F(msg, STRING, OPT_HIDE), END),
	ROW(DATA, "data", NULL, P(data), T_BOTH | IN_REGION,
	    F(t_abs, SECONDS_US, 0), F(t_rel, SECONDS_US, 0),
	    F(nesting, INT, 0), F(category, STRING, 0), F(key, STRING, 0),
	    F(value, STRING, HIDE), END),
	ROW(DATA_JSON, "data_json", NULL, P(data), T_BOTH | IN_REGION,
	    F(t_abs, SECONDS_US, 0), F(t_rel, SECONDS_US, 0),
	    F(nesting, INT, 0), F(category, STRING, 0), F(key, STRING, 0),
	    F(value, JSON, HIDE), END),
	ROW(PRINTF, "printf", N(printf), P(msg), T_ABS,
	    F(t_abs, SECONDS_US, 0), F(msg, STRING, OPT_HIDE), END),
	ROW(TH_TIMER, "th_timer", N(timer), P(timer), CATEGORY,
	    F(category, STRING, 0), F(name, STRING, 0), F(intervals, UINT64, 0),
	    F(t_total, SECONDS_NS, 0), F(t_min, SECONDS_NS, 0),
	    F(t_max, SECONDS_NS, 0), END),
	ROW(TIMER, "timer", N(timer), P(timer), CATEGORY,
	    F(category, STRING, 0), F(name, STRING, 0), F(intervals, UINT64, 0),
	    F(t_total, SECONDS_NS, 0), F(t_min, SECONDS_NS, 0),
	    F(t_max, SECONDS_NS, 0), END),
	ROW(TH_COUNTER, "th_counter", N(counter), P(counter), CATEGORY,
	    F(category, STRING, 0), F(name, STRING, 0), F(count, UINT64, 0), END),
	ROW(COUNTER, "counter", N(counter), P(counter), CATEGORY,
	    F(category, STRING, 0), F(name, STRING, 0), F(count, UINT64, 0), END),
};
/* clang-format on */
