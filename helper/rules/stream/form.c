#include "read/value.h"
#include "rules/stream/step.h"

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
		tr2_step_report(step, TR2_STREAM_TIME_T_ABS, TR2_KEY_T_ABS,
				"t_abs goes back by %lld us",
				(long long)(track->t_abs - t_abs));
	else
		track->t_abs = t_abs;
}

/*
 * The time of a broken event may be what is wrong in it.
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
	if (order < 0)
		tr2_step_report(step, TR2_STREAM_TIME_WALL, TR2_KEY_TIME,
				"time goes back");
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
		tr2_step_report(
			step, TR2_STREAM_BRIEF_MIXED, TR2_KEY_EVENT,
			form == &seen->full
				? "the event is full, but earlier ones are "
				  "brief"
				: "the event is brief, but earlier ones are "
				  "full");
}

/* SPEC: stream.place */
static void check_place(struct tr2_step *step)
{
	bool file = tr2_record_has(step->record, TR2_KEY_FILE);

	if (file == tr2_record_has(step->record, TR2_KEY_LINE))
		return;
	if (file)
		tr2_step_report(step, TR2_STREAM_PLACE, TR2_KEY_FILE,
				"file without line");
	else
		tr2_step_report(step, TR2_STREAM_PLACE, TR2_KEY_LINE,
				"line without file");
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
	tr2_step_report(step, TR2_STREAM_REPO_UNDEFINED, TR2_KEY_REPO,
			"no earlier def_repo has this number");
	tr2_number_add(step, repos, repo, 0);
}

void tr2_form_event(struct tr2_step *step)
{
	check_t_abs(step);
	check_wall(step);
	check_brief(step);
	check_place(step);
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
		tr2_step_report(step, TR2_STREAM_REPO_ONCE, TR2_KEY_REPO,
				"the def_repo of line %lu has this number "
				"already",
				known->line);
	else
		known->line = line;
}
