#include "otlp/otlp.h"

#include "common/hash.h"
#include "json/match.h"
#include "otlp/process.h"
#include "rules/value.h"

#define ENDED 1

/* In the brief mode only the first event has a time; t_abs counts from it. */
static int64_t find_time(struct tr2_otlp_process *process,
			 struct tr2_record *record)
{
	int64_t time = 0, since;
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_TIME, &len);

	if (text && tr2_match_time(text, len))
		time = tr2_record_time(record);
	else if (process->span.start &&
		 tr2_record_seconds(record, TR2_KEY_T_ABS, &since))
		time = process->span.start + since;
	if (!process->span.start)
		process->span.start = time;
	if (time > process->last)
		process->last = time;
	return time ? time : process->last;
}

static bool take_event(struct tr2_record *record,
		       struct tr2_otlp_process *process)
{
	struct tr2_otlp_step step = { .process = process,
				      .record = record,
				      .time = find_time(process, record) };

	return tr2_otlp_take_event(&step);
}

void tr2_otlp_begin(struct tr2_otlp *otlp, tr2_otlp_fn *put, void *context)
{
	*otlp = (struct tr2_otlp){ .put = put, .context = context };
}

void tr2_otlp_event(void *context, struct tr2_record *record)
{
	struct tr2_otlp *otlp = context;
	struct tr2_otlp_process *process;
	struct tr2_map_slot *slot;
	size_t len;
	const char *sid = tr2_record_text(record, TR2_KEY_SID, &len);

	if (!sid || !tr2_record_has(record, TR2_KEY_EVENT))
		return;
	slot = tr2_map_enter(&otlp->processes, tr2_hash(sid, len).a);
	if (slot->value == ENDED) {
		otlp->late++;
		return;
	}
	if (!slot->value) {
		slot->value = (uintptr_t)tr2_otlp_begin_process(sid, len);
		otlp->begun++;
	}
	process = (struct tr2_otlp_process *)(uintptr_t)slot->value;
	if (!take_event(record, process))
		return;
	tr2_otlp_end_process(otlp, process);
	slot->value = ENDED;
}

void tr2_otlp_end(struct tr2_otlp *otlp)
{
	struct tr2_map_slot *slot = NULL;

	while ((slot = tr2_map_next(&otlp->processes, slot))) {
		if (slot->value == ENDED)
			continue;
		tr2_otlp_end_process(
			otlp,
			(struct tr2_otlp_process *)(uintptr_t)slot->value);
		slot->value = ENDED;
	}
}

void tr2_otlp_release(struct tr2_otlp *otlp)
{
	tr2_map_release(&otlp->processes);
}
