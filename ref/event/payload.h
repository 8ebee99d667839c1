/*
 * payload.h - the payload functions that the event table names: what NORMAL
 * and PERF write after their prefix. If a target does not show a kind, there
 * is no function.
 * SPEC: normal.payload, perf.payload
 */
#ifndef TR2_EVENT_PAYLOAD_H
#define TR2_EVENT_PAYLOAD_H

#include "event/event.h"

/* NORMAL: the event's name is part of the payload. */
tr2_payload_fn tr2_normal_version;
tr2_payload_fn tr2_normal_start;
tr2_payload_fn tr2_normal_exit;
tr2_payload_fn tr2_normal_signal;
tr2_payload_fn tr2_normal_error;
tr2_payload_fn tr2_normal_cmd_path;
tr2_payload_fn tr2_normal_cmd_ancestry;
tr2_payload_fn tr2_normal_cmd_name;
tr2_payload_fn tr2_normal_cmd_mode;
tr2_payload_fn tr2_normal_alias;
tr2_payload_fn tr2_normal_child_start;
tr2_payload_fn tr2_normal_child_exit;
tr2_payload_fn tr2_normal_child_ready;
tr2_payload_fn tr2_normal_exec;
tr2_payload_fn tr2_normal_exec_result;
tr2_payload_fn tr2_normal_def_param;
tr2_payload_fn tr2_normal_def_repo;
tr2_payload_fn tr2_normal_printf;
tr2_payload_fn tr2_normal_timer;
tr2_payload_fn tr2_normal_counter;

/* PERF: the name has a column of its own. */
tr2_payload_fn tr2_perf_version;
tr2_payload_fn tr2_perf_start;
tr2_payload_fn tr2_perf_exit;
tr2_payload_fn tr2_perf_signal;
tr2_payload_fn tr2_perf_msg;
tr2_payload_fn tr2_perf_cmd_path;
tr2_payload_fn tr2_perf_cmd_ancestry;
tr2_payload_fn tr2_perf_cmd_name;
tr2_payload_fn tr2_perf_cmd_mode;
tr2_payload_fn tr2_perf_alias;
tr2_payload_fn tr2_perf_child_start;
tr2_payload_fn tr2_perf_child_exit;
tr2_payload_fn tr2_perf_child_ready;
tr2_payload_fn tr2_perf_thread;
tr2_payload_fn tr2_perf_exec;
tr2_payload_fn tr2_perf_exec_result;
tr2_payload_fn tr2_perf_def_param;
tr2_payload_fn tr2_perf_def_repo;
tr2_payload_fn tr2_perf_region;
tr2_payload_fn tr2_perf_data;
tr2_payload_fn tr2_perf_timer;
tr2_payload_fn tr2_perf_counter;

/* Parts of both payloads. Each appends to `out`. */

/* `name`, and ` (hierarchy)` if there is one. */
void tr2_payload_name(const struct tr2_event *event, struct tr2_buf *out);
/* `exe `, if known, and the quoted argv, without a trailing blank. */
void tr2_payload_exec(const struct tr2_event *event, struct tr2_buf *out);
/* `code:N`, and ` err:TEXT` if the code is an errno. */
void tr2_payload_result(const struct tr2_event *event, struct tr2_buf *out);
/* ` intervals:N total:S min:S max:S` */
void tr2_payload_intervals(const struct tr2_event *event, struct tr2_buf *out);
/* `label`, followed by the number. */
void tr2_payload_number(struct tr2_buf *out, const char *label, int64_t number);

#endif
