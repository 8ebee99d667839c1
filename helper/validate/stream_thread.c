#include "validate/stream_step.h"

#include "validate/text.h"

#define KIND(is) (UINT64_C(1) << TR2_IS_##is)

/* What may follow a thread's share in timers and counters. */
static const uint64_t behind_totals =
	KIND(TH_TIMER) | KIND(TH_COUNTER) | KIND(THREAD_EXIT) | KIND(TIMER) |
	KIND(COUNTER) | KIND(ERROR) | KIND(SIGNAL) | KIND(ATEXIT);

_Static_assert(TR2_IS_OTHER < 64, "kinds of events fit in 64 bits");

static struct tr2_track *tracks_of(const struct tr2_step *step)
{
	return step->session->tracks.items;
}

static struct tr2_track *find(struct tr2_step *step, uint64_t name)
{
	struct tr2_session *session = step->session;
	struct tr2_track *tracks = session->tracks.items;
	uint32_t i, count = session->tracks.count;

	if (session->last_track < count &&
	    tracks[session->last_track].name == name)
		return &tracks[session->last_track];
	for (i = 0; i < count; i++)
		if (tracks[i].name == name) {
			session->last_track = i;
			return &tracks[i];
		}
	return NULL;
}

/* NN of `thNN:`; `end` is where it ends. False if there is none. */
static bool read_number(const char *name, size_t len, int64_t *number,
			size_t *end)
{
	size_t i = 2;

	if (!tr2_text_starts(name, len, "th"))
		return false;
	for (*number = 0; i < len && i < 12; i++) {
		if (name[i] < '0' || name[i] > '9')
			break;
		*number = 10 * *number + (name[i] - '0');
	}
	*end = i + 1;
	return i >= 4 && i < len && name[i] == ':';
}

static bool has_number(const struct tr2_step *step, int64_t number)
{
	const struct tr2_track *tracks = tracks_of(step);
	uint32_t i = step->session->tracks.count;

	while (i--)
		if (tracks[i].number == number)
			return true;
	return false;
}

/* SPEC: stream.thread.number */
static void check_number(struct tr2_step *step, int64_t number)
{
	if (!number)
		tr2_step_report(step, TR2_STREAM_THREAD_NUMBER, TR2_KEY_THREAD,
				"threads are numbered from 1");
	else if (has_number(step, number))
		tr2_step_report(step, TR2_STREAM_THREAD_NUMBER, TR2_KEY_THREAD,
				"another thread has this number");
	step->track->number = (uint32_t)number;
}

static bool is_text(const char *text, size_t len, const char *wanted)
{
	return len == strlen(wanted) && tr2_text_starts(text, len, wanted);
}

/*
 * SPEC: stream.thread.start-first, stream.thread.unknown
 * A thread that doesn't begin with thread_start. If that is a defect, its
 * thread_exit is not another one: it counts as started, in no line.
 */
static void check_unstarted(struct tr2_step *step, bool unknown)
{
	step->track->started = !unknown;
	step->track->start_line = 0;
	if (unknown)
		tr2_step_report(step, TR2_STREAM_THREAD_UNKNOWN, TR2_KEY_THREAD,
				"a thread that did not say its name");
	else
		tr2_step_report(step, TR2_STREAM_THREAD_START_FIRST,
				TR2_KEY_THREAD,
				"the thread does not begin with thread_start");
}

/* SPEC: stream.thread.main */
static void check_first(struct tr2_step *step, const char *name, size_t len)
{
	if (step->record->is == TR2_IS_VERSION && !is_text(name, len, "main"))
		tr2_step_report(step, TR2_STREAM_THREAD_MAIN, TR2_KEY_THREAD,
				"the first thread is not called main");
}

static struct tr2_track *add(struct tr2_step *step, uint64_t hash)
{
	struct tr2_session *session = step->session;
	struct tr2_track *track;

	session->last_track = session->tracks.count;
	track = tr2_vec_add(&session->tracks, sizeof(*track));
	*track = (struct tr2_track){
		.name = hash,
		.top = TR2_NO_FRAME,
		.started = step->record->is == TR2_IS_THREAD_START,
		.start_line = step->checker->line.number,
	};
	return track;
}

static void enter_new(struct tr2_step *step, const char *name, size_t len,
		      uint64_t hash)
{
	int64_t number;
	size_t end;
	bool numbered = read_number(name, len, &number, &end);

	step->track = add(step, hash);
	if (step->track == tracks_of(step)) {
		check_first(step, name, len);
		return;
	}
	if (numbered)
		check_number(step, number);
	if (step->record->is != TR2_IS_THREAD_START)
		check_unstarted(step, numbered && is_text(name + end, len - end,
							  "unknown"));
}

/* SPEC: stream.thread.start-unique, stream.thread.start-first */
static void start_again(struct tr2_step *step)
{
	struct tr2_track *track = step->track;

	if (track->exited || (track->started && track->start_line))
		tr2_step_report(step, TR2_STREAM_THREAD_START_UNIQUE,
				TR2_KEY_THREAD,
				"a second thread_start of this name");
	else if (track == tracks_of(step))
		tr2_step_report(step, TR2_STREAM_THREAD_START_FIRST,
				TR2_KEY_THREAD,
				"the thread has events before thread_start");
	tr2_region_unfinished(step, track);
	track->started = true;
	track->exited = track->totals = false;
	track->start_line = step->checker->line.number;
}

/* SPEC: stream.thread.totals-last */
static void check_totals(struct tr2_step *step)
{
	enum tr2_is is = step->record->is;

	if (step->track->totals && !(behind_totals >> is & 1)) {
		tr2_step_report(step, TR2_STREAM_THREAD_TOTALS_LAST,
				TR2_KEY_EVENT,
				"an event behind the thread's totals");
		step->track->totals = false;
	}
	if (is == TR2_IS_TH_TIMER || is == TR2_IS_TH_COUNTER)
		step->track->totals = true;
}

/* SPEC: stream.exec.last */
static void check_exec(struct tr2_step *step)
{
	struct tr2_session *session = step->session;

	if (session->exec_thread != step->track->name)
		return;
	session->phase &= ~(unsigned)TR2_SEEN_EXEC;
	if (step->record->is != TR2_IS_EXEC_RESULT)
		tr2_step_report(step, TR2_STREAM_EXEC_LAST, TR2_KEY_EVENT,
				"an event behind an exec that did not fail");
}

/* SPEC: stream.thread.after-exit */
void tr2_thread_event(struct tr2_step *step)
{
	size_t len = 0;
	const char *name = tr2_record_text(step->record, TR2_KEY_THREAD, &len);
	uint64_t hash = tr2_hash(name, len).a;

	step->track = find(step, hash);
	if (!step->track) {
		enter_new(step, name, len, hash);
	} else if (step->record->is == TR2_IS_THREAD_START) {
		start_again(step);
	} else if (step->track->exited) {
		tr2_step_report(step, TR2_STREAM_THREAD_AFTER_EXIT,
				TR2_KEY_THREAD, "the thread has exited before");
		step->track->exited = false;
	}
	check_totals(step);
	if (step->session->phase & TR2_SEEN_EXEC)
		check_exec(step);
}

/* SPEC: stream.thread.exit-unmatched */
void tr2_thread_exit(struct tr2_step *step)
{
	struct tr2_track *track = step->track;

	if (!track->started)
		tr2_step_report(step, TR2_STREAM_THREAD_EXIT_UNMATCHED,
				TR2_KEY_THREAD,
				"the thread has no thread_start");
	tr2_region_unfinished(step, track);
	track->exited = track->started && track != tracks_of(step);
	track->started = false;
}

/* SPEC: stream.thread.unfinished */
void tr2_thread_unfinished(struct tr2_step *step)
{
	struct tr2_track *track = tracks_of(step);
	uint32_t i;

	for (i = 0; i < step->session->tracks.count; i++, track++) {
		tr2_region_unfinished(step, track);
		if (track->started && track->start_line)
			tr2_step_report(step, TR2_STREAM_THREAD_UNFINISHED,
					TR2_KEY_EVENT,
					"the thread of line %lu has no "
					"thread_exit",
					track->start_line);
	}
}
