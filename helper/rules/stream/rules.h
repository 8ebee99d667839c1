/*
 * rules.h - ids and levels of the rules that apply between the events of a
 * log.
 * SPEC: chapter "Streams"
 */
#ifndef TR2_STREAM_RULES_H
#define TR2_STREAM_RULES_H

#include <stdbool.h>

#include "rules/finding/finding.h"

/*
 * Each rule: its name here, its id, its level, and whether it needs all lines:
 * then it is not asked where lines of the session are broken.
 */
/* clang-format off */
#define TR2_STREAM_RULE_ROWS(ROW) \
	ROW(VERSION_FIRST, "stream.version.first", TR2_ERROR, true) \
	ROW(VERSION_ONCE, "stream.version.once", TR2_ERROR, false) \
	ROW(TOO_MANY_FILES_PLACE, "stream.too-many-files.place", TR2_ERROR, true) \
	ROW(START_SECOND, "stream.start.second", TR2_ERROR, true) \
	ROW(START_ONCE, "stream.start.once", TR2_ERROR, true) \
	ROW(CMD_ANCESTRY_PLACE, "stream.cmd_ancestry.place", TR2_ERROR, true) \
	ROW(EXIT_ONCE, "stream.exit.once", TR2_ERROR, false) \
	ROW(EXIT_BYTE, "event.exit.code-byte", TR2_ERROR, false) \
	ROW(EXIT_BEFORE_ATEXIT, "stream.exit.before-atexit", TR2_ERROR, true) \
	ROW(EXIT_CODE, "stream.exit.code", TR2_ERROR, false) \
	ROW(ATEXIT_LAST, "stream.atexit.last", TR2_ERROR, false) \
	ROW(SIGNAL_NUMBER, "event.signal.signo", TR2_ERROR, false) \
	ROW(SIGNAL_LAST, "stream.signal.last", TR2_ERROR, false) \
	ROW(EXEC_LAST, "stream.exec.last", TR2_ERROR, true) \
	ROW(UNFINISHED, "stream.unfinished", TR2_INFO, true) \
	ROW(CHILD_ID_ZERO, "event.child_start.child_id-zero", TR2_ERROR, true) \
	ROW(CHILD_ID_UNIQUE, "stream.child.id-unique", TR2_ERROR, false) \
	ROW(CHILD_EXIT_UNMATCHED, "stream.child.exit-unmatched", TR2_ERROR, true) \
	ROW(CHILD_EXIT_ONCE, "stream.child.exit-once", TR2_ERROR, false) \
	ROW(CHILD_READY_UNMATCHED, "stream.child.ready-unmatched", TR2_ERROR, true) \
	ROW(CHILD_READY_LAST, "stream.child.ready-last", TR2_ERROR, false) \
	ROW(CHILD_CODE, "event.child_exit.code-other", TR2_ERROR, false) \
	ROW(CHILD_PID, "stream.child.pid", TR2_ERROR, false) \
	ROW(CHILD_UNFINISHED, "stream.child.unfinished", TR2_INFO, true) \
	ROW(CHILD_TIME, "stream.child.time", TR2_ERROR, false) \
	ROW(CHILD_T_REL, "stream.child.t_rel", TR2_WARNING, true) \
	ROW(EXEC_ID_UNIQUE, "stream.exec.id-unique", TR2_ERROR, false) \
	ROW(EXEC_RESULT_UNMATCHED, "stream.exec-result.unmatched", TR2_ERROR, true) \
	ROW(HIERARCHY_NAME, "stream.hierarchy.name", TR2_ERROR, false) \
	ROW(HIERARCHY_PARENT, "stream.hierarchy.parent", TR2_ERROR, true) \
	ROW(HIERARCHY_GROW, "stream.hierarchy.grow", TR2_ERROR, true) \
	ROW(THREAD_MAIN, "stream.thread.main", TR2_ERROR, false) \
	ROW(THREAD_START_FIRST, "stream.thread.start-first", TR2_ERROR, true) \
	ROW(THREAD_START_UNIQUE, "stream.thread.start-unique", TR2_ERROR, false) \
	ROW(THREAD_EXIT_UNMATCHED, "stream.thread.exit-unmatched", TR2_ERROR, true) \
	ROW(THREAD_AFTER_EXIT, "stream.thread.after-exit", TR2_ERROR, false) \
	ROW(THREAD_NUMBER, "stream.thread.number", TR2_ERROR, false) \
	ROW(THREAD_TOTALS_LAST, "stream.thread.totals-last", TR2_ERROR, false) \
	ROW(THREAD_T_REL, "stream.thread.t_rel", TR2_WARNING, true) \
	ROW(THREAD_UNKNOWN, "stream.thread.unknown", TR2_INFO, false) \
	ROW(THREAD_UNFINISHED, "stream.thread.unfinished", TR2_INFO, true) \
	ROW(REGION_NESTING, "stream.region.nesting", TR2_ERROR, true) \
	ROW(REGION_LEAVE_UNMATCHED, "stream.region.leave-unmatched", TR2_ERROR, true) \
	ROW(REGION_LEAVE_INNERMOST, "stream.region.leave-innermost", TR2_ERROR, true) \
	ROW(REGION_LEAVE_MATCH, "stream.region.leave-match", TR2_WARNING, true) \
	ROW(REGION_T_REL, "stream.region.t_rel", TR2_ERROR, true) \
	ROW(REGION_TIME, "stream.region.time", TR2_WARNING, true) \
	ROW(REGION_UNFINISHED, "stream.region.unfinished", TR2_INFO, true) \
	ROW(DATA_NESTING, "stream.data.nesting", TR2_ERROR, true) \
	ROW(REPO_UNDEFINED, "stream.repo.undefined", TR2_ERROR, true) \
	ROW(REPO_ONCE, "stream.repo.once", TR2_ERROR, false) \
	ROW(REPO_PLACE, "stream.repo.place", TR2_ERROR, false) \
	ROW(TIME_SECONDS, "stream.time.seconds", TR2_WARNING, false) \
	ROW(TIME_SID, "stream.time.sid", TR2_WARNING, false) \
	ROW(TIME_T_ABS, "stream.time.t_abs", TR2_ERROR, false) \
	ROW(TIME_WALL, "stream.time.wall", TR2_WARNING, false) \
	ROW(TIMER_BOUNDS, "stream.timer.bounds", TR2_ERROR, false) \
	ROW(TIMER_SUM, "stream.timer.sum", TR2_ERROR, true) \
	ROW(COUNTER_SUM, "stream.counter.sum", TR2_ERROR, true) \
	ROW(TOTALS_ORDER, "stream.totals.order", TR2_ERROR, true) \
	ROW(TOTALS_ONCE, "stream.totals.once", TR2_ERROR, false) \
	ROW(TOTALS_MISSING, "stream.totals.missing", TR2_ERROR, true) \
	ROW(BRIEF_MIXED, "stream.brief.mixed", TR2_ERROR, false) \
	ROW(ERROR_FMT, "stream.error.fmt", TR2_ERROR, false) \
	ROW(PLACE, "stream.place", TR2_ERROR, false)
/* clang-format on */

#define TR2_STREAM_RULE(rule, ...) TR2_STREAM_##rule,
/* TR2_STREAM_VERSION_FIRST, ... */
enum tr2_stream_rule { TR2_STREAM_RULE_ROWS(TR2_STREAM_RULE) TR2_STREAM_RULES };

#endif
