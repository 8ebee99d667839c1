#include "rules/alone.h"

#include "lib/text/text.h"
#include "read/value.h"

struct alone {
	struct tr2_record *record;
	struct tr2_sink *sink;
	bool found; /* an event gets one error at most */
};

static void report_value(struct alone *event, const char *id, enum tr2_key key,
			 const char *message)
{
	const struct tr2_value *value = &event->record->value[key];
	const struct tr2_what what = tr2_what_at(TR2_ERROR, id, value->start,
						 value->end - value->start);

	if (!event->found)
		tr2_sink_report(event->sink, &what, "%s", message);
	event->found = true;
}

/* An event has both keys, or neither. */
static void check_pair(struct alone *event, const char *id, enum tr2_key a,
		       enum tr2_key b, const char *a_alone, const char *b_alone)
{
	const bool has = tr2_record_has(event->record, a);

	if (has != tr2_record_has(event->record, b))
		report_value(event, id, has ? a : b, has ? a_alone : b_alone);
}

/* A child of Windows may end with a status of the system. */
static bool is_of_windows(int64_t code)
{
	return (code < -0xffff && code >= INT32_MIN) ||
	       (code > 0xffff && code <= UINT32_MAX);
}

/* SPEC: event.exit.code-byte, event.child_exit.code-other */
static void check_code(struct alone *event)
{
	const bool child = event->record->is == TR2_IS_CHILD_EXIT;
	int64_t code;

	if (!tr2_record_integer(event->record, TR2_KEY_CODE, &code) ||
	    (code >= (child ? -1 : 0) && code <= 255) ||
	    (child && is_of_windows(code)))
		return;
	if (child)
		report_value(event, "event.child_exit.code-other", TR2_KEY_CODE,
			     "expected -1 to 255: after a signal 128 and the "
			     "signal's number");
	else
		report_value(event, "event.exit.code-byte", TR2_KEY_CODE,
			     "expected 0 to 255");
}

/* SPEC: event.signal.signo */
static void check_signal(struct alone *event)
{
	int64_t signo;

	if (tr2_record_integer(event->record, TR2_KEY_SIGNO, &signo) &&
	    signo > 127)
		report_value(event, "event.signal.signo", TR2_KEY_SIGNO,
			     "expected 1 to 127");
}

/* SPEC: event.child_start.hook_name */
static void check_hook(struct alone *event)
{
	size_t len;
	const char *class =
		tr2_record_text(event->record, TR2_KEY_CHILD_CLASS, &len);

	if (class && !tr2_text_is(class, len, "hook") &&
	    tr2_record_has(event->record, TR2_KEY_HOOK_NAME))
		report_value(event, "event.child_start.hook_name",
			     TR2_KEY_HOOK_NAME,
			     "a child that is no hook has no hook_name");
}

#define KIND(is) (UINT64_C(1) << TR2_IS_##is)

/* The events that may be about a repository, and those of no schema. */
static const uint64_t of_repo = KIND(DEF_REPO) | KIND(REGION_ENTER) |
				KIND(REGION_LEAVE) | KIND(DATA) |
				KIND(DATA_JSON) | KIND(OTHER);

/* SPEC: stream.repo.place */
static void check_repo_place(struct alone *event)
{
	if (tr2_record_has(event->record, TR2_KEY_REPO) &&
	    !(of_repo >> event->record->is & 1))
		report_value(event, "stream.repo.place", TR2_KEY_REPO,
			     "this event is about no repository");
}

void tr2_alone_check(struct tr2_record *record, struct tr2_sink *sink)
{
	struct alone event = { .record = record, .sink = sink };

	check_pair(&event, "stream.place", TR2_KEY_FILE, TR2_KEY_LINE,
		   "file without line", "line without file");
	if (record->is == TR2_IS_ERROR)
		check_pair(&event, "stream.error.fmt", TR2_KEY_MSG, TR2_KEY_FMT,
			   "msg without fmt", "fmt without msg");
	if (record->is == TR2_IS_EXIT || record->is == TR2_IS_CHILD_EXIT)
		check_code(&event);
	if (record->is == TR2_IS_SIGNAL)
		check_signal(&event);
	if (record->is == TR2_IS_CHILD_START)
		check_hook(&event);
	check_repo_place(&event);
}
