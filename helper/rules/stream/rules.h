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
 * Each rule: its name here, its id, its level, the key whose value is at fault
 * as a rule, and whether it needs all lines: then it is not asked where lines of
 * the session are broken.
 */
/* clang-format off */
#define TR2_STREAM_RULE_ROWS(ROW) \
	ROW(VERSION_FIRST, "stream.version.first", TR2_ERROR, EVENT, true) \
	ROW(VERSION_ONCE, "stream.version.once", TR2_ERROR, EVENT, false) \
	ROW(TOO_MANY_FILES_PLACE, "stream.too-many-files.place", TR2_ERROR, EVENT, true) \
	ROW(START_SECOND, "stream.start.second", TR2_ERROR, EVENT, true) \
	ROW(START_ONCE, "stream.start.once", TR2_ERROR, EVENT, true) \
	ROW(CMD_ANCESTRY_PLACE, "stream.cmd_ancestry.place", TR2_ERROR, EVENT, true) \
	ROW(EXIT_ONCE, "stream.exit.once", TR2_ERROR, EVENT, false) \
	ROW(EXIT_BEFORE_ATEXIT, "stream.exit.before-atexit", TR2_ERROR, EVENT, true) \
	ROW(EXIT_CODE, "stream.exit.code", TR2_ERROR, CODE, false) \
	ROW(ATEXIT_LAST, "stream.atexit.last", TR2_ERROR, EVENT, false) \
	ROW(SIGNAL_LAST, "stream.signal.last", TR2_ERROR, EVENT, false) \
	ROW(EXEC_LAST, "stream.exec.last", TR2_ERROR, EVENT, true) \
	ROW(UNFINISHED, "stream.unfinished", TR2_INFO, EVENT, true) \
	ROW(CHILD_ID_ZERO, "event.child_start.child_id-zero", TR2_ERROR, CHILD_ID, true) \
	ROW(CHILD_ID_UNIQUE, "stream.child.id-unique", TR2_ERROR, CHILD_ID, false) \
	ROW(CHILD_EXIT_UNMATCHED, "stream.child.exit-unmatched", TR2_ERROR, CHILD_ID, true) \
	ROW(CHILD_EXIT_ONCE, "stream.child.exit-once", TR2_ERROR, CHILD_ID, false) \
	ROW(CHILD_READY_UNMATCHED, "stream.child.ready-unmatched", TR2_ERROR, CHILD_ID, true) \
	ROW(CHILD_READY_LAST, "stream.child.ready-last", TR2_ERROR, CHILD_ID, false) \
	ROW(CHILD_PID, "stream.child.pid", TR2_ERROR, PID, false) \
	ROW(CHILD_UNFINISHED, "stream.child.unfinished", TR2_INFO, EVENT, true) \
	ROW(CHILD_TIME, "stream.child.time", TR2_ERROR, EVENT, false) \
	ROW(CHILD_T_REL, "stream.child.t_rel", TR2_WARNING, T_REL, true) \
	ROW(EXEC_ID_ZERO, "event.exec.exec_id-zero", TR2_ERROR, EXEC_ID, true) \
	ROW(EXEC_ID_UNIQUE, "stream.exec.id-unique", TR2_ERROR, EXEC_ID, false) \
	ROW(EXEC_RESULT_UNMATCHED, "stream.exec-result.unmatched", TR2_ERROR, EXEC_ID, true) \
	ROW(HIERARCHY_NAME, "stream.hierarchy.name", TR2_ERROR, HIERARCHY, false) \
	ROW(HIERARCHY_PARENT, "stream.hierarchy.parent", TR2_ERROR, HIERARCHY, true) \
	ROW(HIERARCHY_GROW, "stream.hierarchy.grow", TR2_ERROR, HIERARCHY, true) \
	ROW(THREAD_MAIN, "stream.thread.main", TR2_ERROR, THREAD, false) \
	ROW(THREAD_START_FIRST, "stream.thread.start-first", TR2_ERROR, THREAD, true) \
	ROW(THREAD_START_UNIQUE, "stream.thread.start-unique", TR2_ERROR, THREAD, false) \
	ROW(THREAD_EXIT_UNMATCHED, "stream.thread.exit-unmatched", TR2_ERROR, THREAD, true) \
	ROW(THREAD_AFTER_EXIT, "stream.thread.after-exit", TR2_ERROR, THREAD, false) \
	ROW(THREAD_NUMBER, "stream.thread.number", TR2_ERROR, THREAD, false) \
	ROW(THREAD_TOTALS_LAST, "stream.thread.totals-last", TR2_ERROR, EVENT, false) \
	ROW(THREAD_T_REL, "stream.thread.t_rel", TR2_WARNING, T_REL, true) \
	ROW(THREAD_UNKNOWN, "stream.thread.unknown", TR2_INFO, THREAD, false) \
	ROW(THREAD_UNFINISHED, "stream.thread.unfinished", TR2_INFO, EVENT, true) \
	ROW(REGION_NESTING, "stream.region.nesting", TR2_ERROR, NESTING, true) \
	ROW(REGION_LEAVE_UNMATCHED, "stream.region.leave-unmatched", TR2_ERROR, NESTING, true) \
	ROW(REGION_LEAVE_INNERMOST, "stream.region.leave-innermost", TR2_ERROR, NESTING, true) \
	ROW(REGION_LEAVE_MATCH, "stream.region.leave-match", TR2_WARNING, EVENT, true) \
	ROW(REGION_T_REL, "stream.region.t_rel", TR2_ERROR, T_REL, true) \
	ROW(REGION_TIME, "stream.region.time", TR2_WARNING, T_REL, true) \
	ROW(REGION_UNFINISHED, "stream.region.unfinished", TR2_INFO, EVENT, true) \
	ROW(DATA_NESTING, "stream.data.nesting", TR2_ERROR, NESTING, true) \
	ROW(REPO_UNDEFINED, "stream.repo.undefined", TR2_ERROR, REPO, true) \
	ROW(REPO_ONCE, "stream.repo.once", TR2_ERROR, REPO, false) \
	ROW(TIME_SECONDS, "stream.time.seconds", TR2_WARNING, T_ABS, false) \
	ROW(TIME_SID, "stream.time.sid", TR2_WARNING, TIME, false) \
	ROW(TIME_T_ABS, "stream.time.t_abs", TR2_ERROR, T_ABS, false) \
	ROW(TIME_WALL, "stream.time.wall", TR2_WARNING, TIME, false) \
	ROW(TIMER_BOUNDS, "stream.timer.bounds", TR2_ERROR, T_MIN, false) \
	ROW(TIMER_SUM, "stream.timer.sum", TR2_ERROR, T_TOTAL, true) \
	ROW(COUNTER_SUM, "stream.counter.sum", TR2_ERROR, COUNT, true) \
	ROW(TOTALS_ORDER, "stream.totals.order", TR2_ERROR, EVENT, true) \
	ROW(TOTALS_ONCE, "stream.totals.once", TR2_ERROR, NAME, false) \
	ROW(TOTALS_MISSING, "stream.totals.missing", TR2_ERROR, EVENT, true) \
	ROW(BRIEF_MIXED, "stream.brief.mixed", TR2_ERROR, EVENT, false)
/* clang-format on */

#define TR2_STREAM_RULE(rule, ...) TR2_STREAM_##rule,
/* TR2_STREAM_VERSION_FIRST, ... */
enum tr2_stream_rule { TR2_STREAM_RULE_ROWS(TR2_STREAM_RULE) TR2_STREAM_RULES };

const char *tr2_stream_id(enum tr2_stream_rule rule);

#endif
