#include "validate/stream_step.h"

#define REPOS 64 /* those above are rare, and kept apart */

enum { REPO_DEFINED = 1, REPO_TOLD = 2 };

/* A time as every writer should have it: it can be compared as text. */
#define TIME_LEN (sizeof("\"2026-11-21T05:42:03.434259Z\"") - 1)

/* SPEC: stream.time.t_abs */
static void check_t_abs(struct tr2_step *step)
{
	struct tr2_track *track = step->track;
	int64_t t_abs;

	if (!tr2_step_seconds(step, TR2_KEY_T_ABS, &t_abs))
		return;
	if (t_abs < track->t_abs)
		tr2_step_report(step, TR2_STREAM_TIME_T_ABS, TR2_KEY_T_ABS,
				"t_abs goes back by %lld us",
				(long long)(track->t_abs - t_abs));
	else
		track->t_abs = t_abs;
}

/* SPEC: stream.time.wall */
static void check_wall(struct tr2_step *step)
{
	const struct tr2_value *value = &step->record->value[TR2_KEY_TIME];
	const char *time = step->record->parse.text + value->start + 3;
	char *kept = step->track->time;
	int order;

	if (!tr2_record_has(step->record, TR2_KEY_TIME) ||
	    value->end - value->start != TIME_LEN)
		return;
	order = memcmp(time, kept, TR2_TIME_KEPT);
	if (order < 0)
		tr2_step_report(step, TR2_STREAM_TIME_WALL, TR2_KEY_TIME,
				"time goes back");
	memcpy(kept, time, TR2_TIME_KEPT);
}

/* SPEC: stream.brief.mixed */
static void check_brief(struct tr2_step *step)
{
	const unsigned both = TR2_SEEN_FULL | TR2_SEEN_BRIEF;
	struct tr2_session *session = step->session;
	enum tr2_is is = step->record->is;
	unsigned form = TR2_SEEN_FULL;

	if (!tr2_record_has(step->record, TR2_KEY_FILE)) {
		if (is == TR2_IS_VERSION || is == TR2_IS_ATEXIT)
			return;
		if (!tr2_record_has(step->record, TR2_KEY_TIME))
			form = TR2_SEEN_BRIEF;
	}
	if (session->phase & form)
		return;
	session->phase |= form;
	if ((session->phase & both) == both)
		tr2_step_report(step, TR2_STREAM_BRIEF_MIXED, TR2_KEY_EVENT,
				form == TR2_SEEN_FULL
					? "full, and others before it brief"
					: "brief, and others before it full");
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

/* What is known of the repository; it is asked about, or defined, now. */
static unsigned know_repo(struct tr2_session *session, uint64_t repo,
			  unsigned more)
{
	uint64_t bit = repo < REPOS ? UINT64_C(1) << repo : 0;
	struct tr2_map_slot *slot;
	unsigned known;

	if (!bit) {
		slot = tr2_map_enter(&session->far_repos, repo);
		known = (unsigned)slot->value;
		slot->value |= more;
		return known;
	}
	known = (session->repos & bit ? REPO_DEFINED : 0) |
		(session->repos_told & bit ? REPO_TOLD : 0);
	session->repos |= more & REPO_DEFINED ? bit : 0;
	session->repos_told |= bit;
	return known;
}

/* SPEC: stream.repo.undefined */
static void check_repo(struct tr2_step *step)
{
	int64_t repo;

	if (step->record->is == TR2_IS_DEF_REPO ||
	    !tr2_step_integer(step, TR2_KEY_REPO, &repo) || repo <= 0)
		return;
	if (!know_repo(step->session, (uint64_t)repo, REPO_TOLD))
		tr2_step_report(step, TR2_STREAM_REPO_UNDEFINED, TR2_KEY_REPO,
				"no def_repo of this number before");
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
	int64_t repo;

	if (!tr2_step_integer(step, TR2_KEY_REPO, &repo))
		return;
	if (know_repo(step->session, (uint64_t)repo, REPO_DEFINED) &
	    REPO_DEFINED)
		tr2_step_report(step, TR2_STREAM_REPO_ONCE, TR2_KEY_REPO,
				"a second def_repo of this number");
}
