/*
 * step.h - one event and its way through the rules. Each part gets the event
 * in turn, updates its own state, and reports what is wrong.
 */
#ifndef TR2_STREAM_STEP_H
#define TR2_STREAM_STEP_H

#include "rules/finding/finding.h"
#include "rules/stream/rules.h"
#include "rules/stream/stream.h"

struct tr2_step {
	struct tr2_stream *stream;
	struct tr2_sink *sink;
	struct tr2_record *record;
	struct tr2_map_slot *sid;
	struct tr2_stream_session *session; /* NULL: it has ended */
	struct tr2_track *track;
	bool muted;  /* the line already has a finding */
	bool broken; /* values of the event are wrong */
};

/*
 * Report that the value of the key violates the rule. An event gets only one
 * error or warning: the first one mutes the others. `known` is a deviation of
 * the writer that explains it, or NULL. TR2_KEYS stands for the rule's own key.
 */
void tr2_step_report_known(struct tr2_step *step, enum tr2_stream_rule rule,
			   enum tr2_key key, const char *known, const char *fmt,
			   ...) __attribute__((cold, format(printf, 5, 6)));

#define tr2_step_report_at(step, rule, key, ...) \
	tr2_step_report_known(step, rule, key, NULL, __VA_ARGS__)
#define tr2_step_report(step, rule, ...) \
	tr2_step_report_at(step, rule, TR2_KEYS, __VA_ARGS__)

/* Were all lines of the session read? */
bool tr2_step_is_whole(const struct tr2_step *step);

/* The parts that get every event, in this order. */
void tr2_life_event(struct tr2_step *step);
void tr2_thread_event(struct tr2_step *step); /* sets step->track */
void tr2_form_event(struct tr2_step *step);

/* The parts that get only some events. */
void tr2_child_start(struct tr2_step *step);
void tr2_child_exit(struct tr2_step *step);
void tr2_child_ready(struct tr2_step *step);
void tr2_child_exec(struct tr2_step *step);
void tr2_child_exec_result(struct tr2_step *step);
void tr2_thread_exit(struct tr2_step *step);
void tr2_region_enter(struct tr2_step *step);
void tr2_region_leave(struct tr2_step *step);
void tr2_region_data(struct tr2_step *step);
void tr2_form_def_repo(struct tr2_step *step);
void tr2_family_cmd_name(struct tr2_step *step);
void tr2_total_part(struct tr2_step *step);
void tr2_total_sum(struct tr2_step *step);
void tr2_life_atexit(struct tr2_step *step);

/* session.c: returns the entry with this number, or NULL. */
struct tr2_numbered *tr2_number_find(const struct tr2_vec *vec, int64_t id);
void tr2_number_add(struct tr2_step *step, struct tr2_vec *vec, int64_t id,
		    unsigned long line);

/* Functions that the parts call in each other. */
void tr2_origin_note(const struct tr2_step *step);
void tr2_origin_release(struct tr2_stream *stream);
void tr2_family_open(struct tr2_step *step);
/* `from` is the `time` of its child_start, or 0. */
void tr2_family_child_exit(struct tr2_step *step, int64_t from);
void tr2_family_atexit(struct tr2_step *step);
void tr2_total_missing(struct tr2_step *step);
void tr2_child_unfinished(struct tr2_step *step);
void tr2_thread_unfinished(struct tr2_step *step);
void tr2_region_unfinished(struct tr2_step *step, struct tr2_track *track);
/* An event of a process that has ended. */
void tr2_life_late(struct tr2_step *step);

#endif
