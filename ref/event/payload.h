/*
 * payload.h - the payload functions that the event table names: what NORMAL
 * and PERF write after their prefix. If a target does not show a kind, there
 * is no function.
 * SPEC: normal.payload, perf.payload
 */
#ifndef TR2_EVENT_PAYLOAD_H
#define TR2_EVENT_PAYLOAD_H

#include "event/event.h"

/*
 * One for each name in the list: tr2_normal_x for N(x), tr2_perf_x for P(x).
 * NORMAL's has the event's name in it; PERF has a column for that.
 */
#define N(name) tr2_payload_fn tr2_normal_##name;
#define P(name) tr2_payload_fn tr2_perf_##name;
#define NONE
#define DECLARE(kind, name, normal, perf, ...) normal perf
TR2_EVENTS(DECLARE)
#undef N
#undef P
#undef NONE
#undef DECLARE

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
