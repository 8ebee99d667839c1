#include "model/account/failure.h"

#include "lib/common/memory.h"
#include "model/account/forest.h"
#include "model/account/name.h"

#define MESSAGE_MOST 200 /* bytes that are kept of it */

void tr2_failure_hear(struct tr2_summary_process *process,
		      struct tr2_record *record)
{
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_MSG, &len);

	if (!text)
		return;
	tr2_buf_reset(&process->error);
	tr2_buf_add(&process->error, text,
		    len < MESSAGE_MOST ? len : MESSAGE_MOST);
	if (process->error.failed)
		tr2_memory_out();
}

static bool is_later(const struct tr2_failure *failure,
		     const struct tr2_summary_process *process)
{
	if (process->end != failure->end)
		return process->end > failure->end;
	return process->self.key > failure->key;
}

void tr2_failure_note(struct tr2_forest *forest,
		      const struct tr2_summary_process *process)
{
	struct tr2_failure *failure = &forest->failure;
	const struct tr2_timeline *timeline = &process->timeline;

	if (process->self.has_parent || !tr2_timeline_failed(timeline))
		return;
	if (failure->count++ && !is_later(failure, process))
		return;
	failure->end = process->end;
	failure->key = process->self.key;
	failure->name = tr2_name_command(&forest->rows, process);
	failure->signal = tr2_timeline_signal(timeline);
	failure->code = tr2_timeline_exit(timeline, 0);
	failure->has_code = timeline->has_code && !failure->signal;
	tr2_buf_reset(&failure->message);
	tr2_buf_add(&failure->message, process->error.bytes,
		    process->error.len);
	if (failure->message.failed)
		tr2_memory_out();
}

void tr2_failure_release(struct tr2_failure *failure)
{
	tr2_buf_release(&failure->message);
}
