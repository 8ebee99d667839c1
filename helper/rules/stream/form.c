#include "read/value.h"
#include "rules/stream/step.h"

#include <stdio.h>

/* The usual form of a time, in which times can be compared as text. */
#define TIME_LEN (sizeof("\"2026-11-21T05:42:03.434259Z\"") - 1)

/* SPEC: stream.time.t_abs */
static void check_t_abs(struct tr2_step *step)
{
	struct tr2_track *track = step->track;
	int64_t t_abs;

	if (!tr2_record_seconds(step->record, TR2_KEY_T_ABS, &t_abs))
		return;
	if (t_abs < track->t_abs)
		tr2_step_report(step, TR2_STREAM_TIME_T_ABS,
				"t_abs goes back by %lld us",
				(long long)(track->t_abs - t_abs));
	else
		track->t_abs = t_abs;
}

/* What another clock may be ahead, in microseconds. */
#define CLOCK_SLACK 5000000

/*
 * Milliseconds or microseconds that are written as seconds outrun `time`.
 * This is said once for each thread.
 * SPEC: stream.time.seconds
 */
static void check_seconds(struct tr2_step *step)
{
	struct tr2_track *track = step->track;
	int64_t time = tr2_record_time(step->record), t_abs;

	if (!time || step->broken || track->outrun ||
	    !tr2_record_seconds(step->record, TR2_KEY_T_ABS, &t_abs))
		return;
	if (!track->first_time) {
		track->first_time = time;
		track->first_t_abs = t_abs;
	} else if (t_abs - track->first_t_abs >
		   time - track->first_time + CLOCK_SLACK) {
		track->outrun = true;
		tr2_step_report(step, TR2_STREAM_TIME_SECONDS,
				"t_abs grew by more seconds than time");
	}
}

/*
 * The time of a broken event may be what is wrong in it. From a time that goes
 * back on, the clock was set.
 * SPEC: stream.time.wall
 */
static void check_wall(struct tr2_step *step)
{
	const struct tr2_value *value = &step->record->value[TR2_KEY_TIME];
	const char *time = step->record->parse.text + value->start + 1;
	char *kept = step->track->time;
	int order;

	if (step->broken || !tr2_record_has(step->record, TR2_KEY_TIME) ||
	    value->end - value->start != TIME_LEN)
		return;
	order = memcmp(time, kept, TR2_TIME_KEPT);
	if (order < 0) {
		step->track->first_time = 0;
		tr2_step_report(step, TR2_STREAM_TIME_WALL, "time goes back");
	}
	memcpy(kept, time, TR2_TIME_KEPT);
}

/*
 * The first event of the other form is reported. If its line has a finding
 * already, this is left to the next one.
 * SPEC: stream.brief.mixed
 */
static void check_brief(struct tr2_step *step)
{
	struct tr2_seen *seen = &step->session->seen;
	enum tr2_is is = step->record->is;
	bool *form = &seen->full;

	if (!tr2_record_has(step->record, TR2_KEY_FILE)) {
		if (is == TR2_IS_VERSION || is == TR2_IS_ATEXIT)
			return;
		if (!tr2_record_has(step->record, TR2_KEY_TIME))
			form = &seen->brief;
	}
	if (*form || (step->muted && (seen->full || seen->brief)))
		return;
	*form = true;
	if (seen->full && seen->brief)
		tr2_step_report(step, TR2_STREAM_BRIEF_MIXED, "the event is %s",
				form == &seen->full
					? "full, but earlier ones are brief"
					: "brief, but earlier ones are full");
}

/* Writers that write a local time as UTC, too, are some hours away. */
#define SID_AWAY INT64_C(1800000000)

/*
 * The last component of a SID of git has a time.
 * SPEC: stream.time.sid
 */
static void check_sid_time(struct tr2_step *step)
{
	int64_t time = tr2_record_time(step->record), began;
	char text[TR2_TIME_KEPT + 1];
	size_t len = 0, at;
	const char *sid = tr2_record_text(step->record, TR2_KEY_SID, &len);

	for (at = len; at && sid[at - 1] != '/'; at--)
		;
	if (step->record->is != TR2_IS_VERSION || step->broken || !time ||
	    step->session->writer != TR2_WRITER_GIT)
		return;
	sid += at;
	snprintf(text, sizeof(text), "%.4s-%.2s-%.2sT%.2s:%.2s:%.9s", sid,
		 sid + 4, sid + 6, sid + 9, sid + 11, sid + 13);
	began = tr2_time_read(text);
	if (time - began >= SID_AWAY || began - time >= SID_AWAY)
		tr2_step_report(step, TR2_STREAM_TIME_SID,
				"%lld minutes from the time in the SID",
				(long long)(time - began) / 60000000);
}

/* SPEC: stream.repo.undefined */
static void check_repo(struct tr2_step *step)
{
	struct tr2_vec *repos = &step->session->repos;
	int64_t repo;

	if (step->record->is == TR2_IS_DEF_REPO ||
	    !tr2_record_integer(step->record, TR2_KEY_REPO, &repo) ||
	    repo <= 0 || tr2_number_find(repos, repo))
		return;
	tr2_step_report(step, TR2_STREAM_REPO_UNDEFINED,
			"no earlier def_repo has this number");
	tr2_number_add(step, repos, repo, 0);
}

void tr2_form_event(struct tr2_step *step)
{
	check_t_abs(step);
	check_wall(step);
	check_seconds(step);
	check_sid_time(step);
	check_brief(step);
	check_repo(step);
}

/* SPEC: stream.repo.once */
void tr2_form_def_repo(struct tr2_step *step)
{
	struct tr2_vec *repos = &step->session->repos;
	const unsigned long line = step->sink->line.number;
	struct tr2_numbered *known;
	int64_t repo;

	if (!tr2_record_integer(step->record, TR2_KEY_REPO, &repo))
		return;
	known = tr2_number_find(repos, repo);
	if (!known)
		tr2_number_add(step, repos, repo, line);
	else if (known->line)
		tr2_step_report(
			step, TR2_STREAM_REPO_ONCE,
			"the def_repo of line %lu has this number already",
			known->line);
	else
		known->line = line;
}
