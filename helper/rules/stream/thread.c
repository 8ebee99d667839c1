#include "read/value.h"
#include "rules/stream/step.h"

#include "lib/text/text.h"

#include <stdlib.h>

#define KIND(is) (UINT64_C(1) << TR2_IS_##is)

/* The events that may follow a thread's share in timers and counters. */
static const uint64_t behind_totals =
	KIND(TH_TIMER) | KIND(TH_COUNTER) | KIND(THREAD_EXIT) | KIND(TIMER) |
	KIND(COUNTER) | KIND(ERROR) | KIND(SIGNAL) | KIND(ATEXIT);

_Static_assert(TR2_IS_OTHER < 64, "kinds of events fit in 64 bits");

static struct tr2_track *tracks_of(const struct tr2_step *step)
{
	return step->session->tracks.items;
}

/*
 * Most processes have one thread. The map has the others, by hash of the
 * name.
 */
static struct tr2_track *find_track(const struct tr2_step *step, uint64_t name)
{
	struct tr2_track *tracks = tracks_of(step);
	uint64_t i;

	if (step->session->tracks.count && tracks->name == name)
		return tracks;
	i = tr2_map_value(&step->session->others, name);
	return i ? &tracks[i] : NULL;
}

/*
 * Read the NN of `thNN:`, two to ten digits. Returns where the name
 * continues, or 0: it has no number.
 */
static size_t read_number(const char *name, size_t len, int64_t *number)
{
	size_t digits;

	*number = 0;
	if (!tr2_text_starts(name, len, "th"))
		return 0;
	digits = tr2_text_count_digits(name + 2, len - 2);
	if (digits < 2 || digits > 10 || digits + 2 == len ||
	    name[digits + 2] != ':')
		return 0;
	*number = strtoll(name + 2, NULL, 10);
	return digits + 3;
}

/* The map also has the numbers; their keys differ from all hashes of names. */
static struct tr2_map_slot *slot_of(struct tr2_step *step, int64_t number)
{
	return tr2_map_enter(&step->session->others,
			     tr2_hash_mix(1, (uint64_t)number,
					  UINT64_C(0x9e3779b97f4a7c15)));
}

/* SPEC: stream.thread.number */
static void check_number(struct tr2_step *step, int64_t number)
{
	struct tr2_map_slot *slot = slot_of(step, number);

	if (!number)
		tr2_step_report(step, TR2_STREAM_THREAD_NUMBER,
				"threads are numbered from 1");
	else if (slot->value)
		tr2_step_report(step, TR2_STREAM_THREAD_NUMBER,
				"another thread has this number");
	step->track->number = number < UINT32_MAX ? (uint32_t)number
						  : UINT32_MAX;
	slot->value = 1;
}

/*
 * A thread that does not begin with thread_start. If this is reported, its
 * thread_exit is not a second defect: the thread counts as started, without a
 * line.
 * SPEC: stream.thread.start-first, stream.thread.unknown
 */
static void check_unstarted(struct tr2_step *step, bool unknown)
{
	step->track->started = !unknown;
	step->track->start_line = 0;
	if (unknown)
		tr2_step_report(step, TR2_STREAM_THREAD_UNKNOWN,
				"the thread did not set its name");
	else
		tr2_step_report(step, TR2_STREAM_THREAD_START_FIRST,
				"the thread does not begin with thread_start");
}

/* SPEC: stream.thread.main */
static void check_first(struct tr2_step *step, const char *name, size_t len)
{
	if (step->record->is == TR2_IS_VERSION &&
	    !tr2_text_is(name, len, "main"))
		tr2_step_report(step, TR2_STREAM_THREAD_MAIN,
				"the first thread is not called main");
}

static struct tr2_track *add_track(struct tr2_step *step, uint64_t hash)
{
	struct tr2_stream_session *session = step->session;
	const uint32_t place = session->tracks.count;
	struct tr2_track *track;

	if (place)
		tr2_map_enter(&session->others, hash)->value = place;
	track = tr2_vec_add(&session->tracks, sizeof(*track));
	*track = (struct tr2_track){
		.name = hash,
		.top = TR2_NO_FRAME,
		.started = step->record->is == TR2_IS_THREAD_START,
		.start_line = step->sink->line.number,
	};
	if (track->started)
		track->began = tr2_record_time(step->record);
	return track;
}

static void enter_new(struct tr2_step *step, const char *name, size_t len,
		      uint64_t hash)
{
	int64_t number;
	size_t behind = read_number(name, len, &number);

	step->track = add_track(step, hash);
	if (step->track == tracks_of(step)) {
		check_first(step, name, len);
		return;
	}
	if (behind)
		check_number(step, number);
	if (step->record->is != TR2_IS_THREAD_START)
		check_unstarted(step,
				behind && tr2_text_is(name + behind,
						      len - behind, "unknown"));
}

/* SPEC: stream.thread.start-unique, stream.thread.start-first */
static void start_again(struct tr2_step *step)
{
	struct tr2_track *track = step->track;

	if (track->exited || (track->started && track->start_line))
		tr2_step_report(step, TR2_STREAM_THREAD_START_UNIQUE,
				"a second thread_start of this name");
	else if (track == tracks_of(step))
		tr2_step_report(step, TR2_STREAM_THREAD_START_FIRST,
				"the thread has events before thread_start");
	tr2_region_unfinished(step, track);
	track->started = true;
	track->exited = track->totals = track->counted = false;
	track->start_line = step->sink->line.number;
	track->began = tr2_record_time(step->record);
}

/* SPEC: stream.thread.totals-last */
static void check_totals(struct tr2_step *step)
{
	enum tr2_is is = step->record->is;

	if (step->track->totals && !(behind_totals >> is & 1)) {
		tr2_step_report(step, TR2_STREAM_THREAD_TOTALS_LAST,
				"an event after the thread's totals");
		step->track->totals = step->track->counted = false;
	}
	if (is == TR2_IS_TH_TIMER || is == TR2_IS_TH_COUNTER)
		step->track->totals = true;
}

/* SPEC: stream.exec.last */
static void check_exec(struct tr2_step *step)
{
	step->track->exec = false;
	step->session->seen.execs--;
	if (step->record->is != TR2_IS_EXEC_RESULT)
		tr2_step_report_known(
			step, TR2_STREAM_EXEC_LAST, TR2_KEYS,
			step->session->seen.show,
			"an event after an exec that did not fail");
}

/* SPEC: stream.thread.after-exit */
void tr2_thread_event(struct tr2_step *step)
{
	size_t len = 0;
	const char *name = tr2_record_text(step->record, TR2_KEY_THREAD, &len);
	uint64_t hash = tr2_hash(name, len).a;

	step->track = find_track(step, hash);
	if (!step->track) {
		enter_new(step, name, len, hash);
	} else if (step->record->is == TR2_IS_THREAD_START) {
		start_again(step);
	} else if (step->track->exited) {
		tr2_step_report(step, TR2_STREAM_THREAD_AFTER_EXIT,
				"the thread has already exited");
		step->track->exited = false;
	}
	check_totals(step);
	if (step->track->exec)
		check_exec(step);
}

/* SPEC: stream.thread.t_rel */
static void check_t_rel(struct tr2_step *step)
{
	const struct tr2_track *track = step->track;

	if (tr2_record_is_too_long(step->record, track->began))
		tr2_step_report(
			step, TR2_STREAM_THREAD_T_REL,
			"more time than since its thread_start in line %lu",
			track->start_line);
}

/* SPEC: stream.thread.exit-unmatched */
void tr2_thread_exit(struct tr2_step *step)
{
	struct tr2_track *track = step->track;

	if (!track->started)
		tr2_step_report(step, TR2_STREAM_THREAD_EXIT_UNMATCHED,
				"the thread has no thread_start");
	else
		check_t_rel(step);
	tr2_region_unfinished(step, track);
	track->exited = track->started && track != tracks_of(step);
	track->started = false;
}

/* SPEC: stream.thread.unfinished */
void tr2_thread_unfinished(struct tr2_step *step)
{
	struct tr2_track *track = tracks_of(step);

	for (uint32_t i = 0; i < step->session->tracks.count; i++, track++) {
		tr2_region_unfinished(step, track);
		if (track->started && track->start_line)
			tr2_step_report(
				step, TR2_STREAM_THREAD_UNFINISHED,
				"the thread of line %lu has no thread_exit",
				track->start_line);
	}
}
