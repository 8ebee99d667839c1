#include "read/value.h"
#include "rules/stream/step.h"

/* SPEC: event.child_start.child_id-zero, event.exec.exec_id-zero */
static void check_first_id(struct tr2_step *step, enum tr2_stream_rule rule,
			   const struct tr2_vec *earlier, int64_t id)
{
	if (id && step->stream->formed && !earlier->count)
		tr2_step_report(
			step, rule, "the first %s of a process has the id 0",
			rule == TR2_STREAM_EXEC_ID_ZERO ? "exec" : "child");
}

/* The child_ready of this child came first; it was reported. */
static void begin_late(const struct tr2_step *step, struct tr2_numbered *child)
{
	child->line = step->sink->line.number;
	child->time = tr2_record_time(step->record);
	child->done = false;
	child->ready = false;
}

/*
 * If the other child has exited, the second child_exit of this id is that of
 * the new one, and no second defect.
 * SPEC: stream.child.id-unique
 */
static void report_same_id(struct tr2_step *step, struct tr2_numbered *other)
{
	tr2_step_report(step, TR2_STREAM_CHILD_ID_UNIQUE,
			"the child of line %lu has this id already",
			other->line);
	other->again = other->done || other->ready;
	other->ready = false;
}

void tr2_child_start(struct tr2_step *step)
{
	struct tr2_vec *children = &step->session->children;
	struct tr2_numbered *other;
	int64_t id;

	if (!tr2_sid_has(step->sid, TR2_SID_NAMED))
		tr2_sid_set(step->sid, TR2_SID_EARLY);
	if (!tr2_record_integer(step->record, TR2_KEY_CHILD_ID, &id))
		return;
	check_first_id(step, TR2_STREAM_CHILD_ID_ZERO, children, id);
	other = tr2_number_find(children, id);
	if (!other)
		tr2_number_add(step, children, id, step->sink->line.number);
	else if (other->line)
		report_same_id(step, other);
	else
		begin_late(step, other);
}

/* SPEC: stream.child.pid */
static void check_pid(struct tr2_step *step)
{
	size_t len = 0;
	const char *sid = tr2_record_text(step->record, TR2_KEY_SID, &len);
	int64_t pid, code;

	if (!tr2_record_integer(step->record, TR2_KEY_PID, &pid))
		return;
	if (!pid || pid > UINT32_MAX)
		tr2_step_report(step, TR2_STREAM_CHILD_PID,
				"no process has this id");
	else if (pid == tr2_sid_pid(sid, len))
		tr2_step_report(step, TR2_STREAM_CHILD_PID,
				"this is the process itself, as its SID says");
	else if (pid < 0 &&
		 tr2_record_integer(step->record, TR2_KEY_CODE, &code) &&
		 code != -1)
		tr2_step_report_at(
			step, TR2_STREAM_CHILD_PID, TR2_KEY_CODE,
			"a child that did not start has the code -1");
}

/* SPEC: stream.child.t_rel */
static void check_t_rel(struct tr2_step *step, const struct tr2_numbered *child)
{
	if (tr2_record_is_too_long(step->record, child->time))
		tr2_step_report(
			step, TR2_STREAM_CHILD_T_REL,
			"more time than since its child_start in line %lu",
			child->line);
}

/* SPEC: stream.child.exit-once */
static void report_second_exit(struct tr2_step *step,
			       const struct tr2_numbered *child)
{
	if (child->line)
		tr2_step_report(step, TR2_STREAM_CHILD_EXIT_ONCE,
				"the child of line %lu has exited already",
				child->line);
	else
		tr2_step_report(step, TR2_STREAM_CHILD_EXIT_ONCE,
				"the child with this id has exited already");
}

/* SPEC: stream.child.ready-last */
static void report_after_ready(struct tr2_step *step,
			       const struct tr2_numbered *child)
{
	tr2_step_report(
		step, TR2_STREAM_CHILD_READY_LAST,
		"the child of line %lu was left in the background already",
		child->line);
}

/* SPEC: stream.child.exit-unmatched */
void tr2_child_exit(struct tr2_step *step)
{
	struct tr2_numbered *child;
	int64_t id;

	check_pid(step);
	if (!tr2_record_integer(step->record, TR2_KEY_CHILD_ID, &id))
		return;
	child = tr2_number_find(&step->session->children, id);
	if (!child) {
		tr2_step_report(step, TR2_STREAM_CHILD_EXIT_UNMATCHED,
				"no child_start has this id");
		return;
	}
	if (child->done && !child->again)
		report_second_exit(step, child);
	else if (child->ready && child->line)
		report_after_ready(step, child);
	else
		check_t_rel(step, child);
	child->done = true;
	child->again = false;
	tr2_family_child_exit(step, child->time);
}

/* SPEC: stream.child.ready-unmatched */
void tr2_child_ready(struct tr2_step *step)
{
	struct tr2_numbered *child;
	int64_t id;

	check_pid(step);
	if (!tr2_record_integer(step->record, TR2_KEY_CHILD_ID, &id))
		return;
	child = tr2_number_find(&step->session->children, id);
	if (child) {
		if (child->ready && child->line)
			report_after_ready(step, child);
		child->ready = true;
		return;
	}
	tr2_step_report(step, TR2_STREAM_CHILD_READY_UNMATCHED,
			"no child_start has this id");
	/*
	 * Whether its child_exit comes or not is not reported again: the cause
	 * is the same.
	 */
	tr2_number_add(step, &step->session->children, id, 0);
}

/* SPEC: stream.child.unfinished */
void tr2_child_unfinished(struct tr2_step *step)
{
	const struct tr2_vec *children = &step->session->children;
	const struct tr2_numbered *child = children->items;

	for (uint32_t i = 0; i < children->count; i++, child++)
		if (!child->done && !child->ready && child->line)
			tr2_step_report(
				step, TR2_STREAM_CHILD_UNFINISHED,
				"child %lld of line %lu has no child_exit",
				(long long)child->id, child->line);
}

/* SPEC: stream.exec.id-unique */
void tr2_child_exec(struct tr2_step *step)
{
	struct tr2_vec *execs = &step->session->execs;
	struct tr2_numbered *other;
	int64_t id;

	step->track->exec = true;
	step->session->seen.execs++;
	if (!tr2_record_integer(step->record, TR2_KEY_EXEC_ID, &id))
		return;
	check_first_id(step, TR2_STREAM_EXEC_ID_ZERO, execs, id);
	other = tr2_number_find(execs, id);
	if (!other) {
		tr2_number_add(step, execs, id, step->sink->line.number);
		return;
	}
	tr2_step_report(step, TR2_STREAM_EXEC_ID_UNIQUE,
			"the exec of line %lu has this id already",
			other->line);
	other->done = false;
}

/* SPEC: stream.exec-result.unmatched */
void tr2_child_exec_result(struct tr2_step *step)
{
	struct tr2_numbered *exec;
	int64_t id;

	if (!tr2_record_integer(step->record, TR2_KEY_EXEC_ID, &id))
		return;
	exec = tr2_number_find(&step->session->execs, id);
	if (!exec || exec->done)
		tr2_step_report(
			step, TR2_STREAM_EXEC_RESULT_UNMATCHED,
			exec ? "the exec with this id already has a result"
			     : "no exec has this id");
	else
		exec->done = true;
}
