#include "read/value.h"
#include "rules/stream/step.h"

#include "rules/known.h"
#include "lib/text/text.h"

/* A clock that was set, or a machine that slept, is not a defect. */
#define CLOCK_SLACK 1000000

TR2_VEC_AT(frame_at, tr2_step, session->frames, tr2_frame);

/*
 * The frames of all threads share one list, so that few need memory of their
 * own.
 */
static uint32_t take_frame(struct tr2_stream_session *session)
{
	uint32_t place = session->free_frame;
	struct tr2_frame *frames;

	if (place == TR2_NO_FRAME) {
		tr2_vec_add(&session->frames, sizeof(*frames));
		return session->frames.count - 1;
	}
	frames = session->frames.items;
	session->free_frame = frames[place].below;
	return place;
}

static struct tr2_region_name name_of(const struct tr2_step *step)
{
	int64_t repo = -1;

	tr2_record_integer(step->record, TR2_KEY_REPO, &repo);
	return (struct tr2_region_name){
		.category = (uint32_t)tr2_record_hash(step->record,
						      TR2_KEY_CATEGORY),
		.label = (uint32_t)tr2_record_hash(step->record, TR2_KEY_LABEL),
		.repo = (uint32_t)repo,
	};
}

/* Returns the key in which event and region differ; TR2_KEYS: none. */
static enum tr2_key find_difference(const struct tr2_step *step,
				    const struct tr2_region_name *region)
{
	const struct tr2_region_name name = name_of(step);

	if (name.category != region->category)
		return TR2_KEY_CATEGORY;
	if (name.label != region->label)
		return TR2_KEY_LABEL;
	return name.repo != region->repo ? TR2_KEY_REPO : TR2_KEYS;
}

static void push_frame(struct tr2_step *step)
{
	struct tr2_track *track = step->track;
	uint32_t place = take_frame(step->session);

	*frame_at(step, place) = (struct tr2_frame){
		.name = name_of(step),
		.entered = tr2_record_time(step->record),
		.line = step->sink->line.number,
		.below = track->top,
	};
	track->top = place;
	track->depth++;
}

static void pop_frame(struct tr2_step *step, struct tr2_track *track)
{
	struct tr2_frame *frame = frame_at(step, track->top);
	uint32_t below = frame->below;

	frame->below = step->session->free_frame;
	step->session->free_frame = track->top;
	track->top = below;
	track->depth--;
}

static void pop_to(struct tr2_step *step, uint32_t depth)
{
	while (step->track->depth > depth)
		pop_frame(step, step->track);
}

/* Something happened in the innermost region, this long after its begin. */
static void note_inside(struct tr2_step *step, int64_t t_rel)
{
	struct tr2_frame *frame;

	if (!step->track->depth)
		return;
	frame = frame_at(step, step->track->top);
	if (frame->inside < t_rel)
		frame->inside = t_rel;
}

/*
 * The event claims that one region less is open around it. If this is wrong,
 * the thread is adrift: it is unknown which event is wrong, and later
 * findings would only repeat the first one. So nothing more is reported until
 * all regions are left, or until a second event says that no region is open.
 */
static void settle_depth(struct tr2_step *step, enum tr2_stream_rule rule,
			 int64_t nesting)
{
	struct tr2_track *track = step->track;

	if (track->adrift && nesting == 1) {
		pop_to(step, 0);
		track->adrift = false;
	}
	if (track->adrift || track->depth + INT64_C(1) == nesting)
		return;
	tr2_step_report(step, rule,
			"expected nesting %lu, one more than regions are "
			"open, found %lld",
			track->depth + 1UL, (long long)nesting);
	track->adrift = true;
}

/* SPEC: stream.region.nesting */
void tr2_region_enter(struct tr2_step *step)
{
	int64_t nesting;

	if (tr2_record_integer(step->record, TR2_KEY_NESTING, &nesting))
		settle_depth(step, TR2_STREAM_REGION_NESTING, nesting);
	push_frame(step);
}

/* SPEC: stream.data.nesting */
void tr2_region_data(struct tr2_step *step)
{
	int64_t nesting, t_rel;

	if (tr2_record_integer(step->record, TR2_KEY_NESTING, &nesting))
		settle_depth(step, TR2_STREAM_DATA_NESTING, nesting);
	if (tr2_record_seconds(step->record, TR2_KEY_T_REL, &t_rel))
		note_inside(step, t_rel);
}

/* git's own mismatches are in fetch negotiation and in the ort merge. */
static const char *known_mismatch(const struct tr2_step *step)
{
	size_t len;
	const char *category =
		tr2_record_text(step->record, TR2_KEY_CATEGORY, &len);

	if (step->session->writer == TR2_WRITER_GIT && category &&
	    (tr2_text_starts(category, len, "negotiation") ||
	     tr2_text_is(category, len, "merge")))
		return tr2_known_region_mismatch;
	return NULL;
}

/*
 * The same clock measures the region and what is inside it, so nothing inside
 * can be longer. Another clock gives the times of the two events. A region
 * whose enter has no time counts as entered before all others.
 * SPEC: stream.region.t_rel, stream.region.time
 */
static void check_times(struct tr2_step *step, const struct tr2_frame *frame,
			int64_t t_rel)
{
	int64_t left = tr2_record_time(step->record);

	if (t_rel + 1 < frame->inside)
		tr2_step_report(step, TR2_STREAM_REGION_T_REL,
				"the region of line %lu took less time than "
				"something inside it",
				frame->line);
	else if (left && t_rel > left - frame->entered + CLOCK_SLACK)
		tr2_step_report(
			step, TR2_STREAM_REGION_TIME,
			"more time than since its region_enter in line %lu",
			frame->line);
}

/* SPEC: stream.region.leave-match */
static void check_match(struct tr2_step *step, const struct tr2_frame *frame)
{
	enum tr2_key place = find_difference(step, &frame->name);

	if (place == TR2_KEYS)
		return;
	tr2_step_report_known(
		step, TR2_STREAM_REGION_LEAVE_MATCH, place,
		known_mismatch(step),
		"not the %s of the innermost region, which line %lu entered",
		tr2_names_keys.name[place], frame->line);
}

/* Leave the innermost region, as expected. */
static void leave_top(struct tr2_step *step)
{
	const struct tr2_frame *frame = frame_at(step, step->track->top);
	int64_t t_rel = 0;

	check_match(step, frame);
	if (tr2_record_seconds(step->record, TR2_KEY_T_REL, &t_rel))
		check_times(step, frame, t_rel);
	pop_frame(step, step->track);
	if (!step->muted)
		note_inside(step, t_rel);
}

/*
 * The nesting is not that of the innermost region. If everything else
 * matches, the number is wrong; otherwise a region_leave before it is
 * missing.
 * SPEC: stream.region.nesting, stream.region.leave-innermost
 */
static void leave_other(struct tr2_step *step, int64_t nesting)
{
	struct tr2_track *track = step->track;
	const struct tr2_frame *top = frame_at(step, track->top);

	if (find_difference(step, &top->name) == TR2_KEYS &&
	    nesting != (int64_t)track->depth - 1) {
		tr2_step_report(step, TR2_STREAM_REGION_NESTING,
				"the region was entered with nesting %u",
				track->depth);
		pop_frame(step, track);
	} else if (nesting > track->depth || nesting < 1) {
		tr2_step_report(step, TR2_STREAM_REGION_LEAVE_UNMATCHED,
				"no open region has this nesting");
	} else {
		tr2_step_report(
			step, TR2_STREAM_REGION_LEAVE_INNERMOST,
			"the region of line %lu inside it is still open",
			top->line);
		pop_to(step, (uint32_t)nesting - 1);
	}
}

/* Report nothing; when no region is open, the thread is in order again. */
static void leave_adrift(struct tr2_step *step)
{
	struct tr2_track *track = step->track;

	if (track->depth)
		pop_frame(step, track);
	track->adrift = track->depth;
}

/* SPEC: stream.region.leave-unmatched */
void tr2_region_leave(struct tr2_step *step)
{
	struct tr2_track *track = step->track;
	int64_t nesting;

	if (!tr2_record_integer(step->record, TR2_KEY_NESTING, &nesting))
		nesting = track->depth;
	if (track->adrift) {
		leave_adrift(step);
	} else if (!track->depth) {
		tr2_step_report_at(step, TR2_STREAM_REGION_LEAVE_UNMATCHED,
				   TR2_KEY_EVENT,
				   "no region of the thread is open");
		track->adrift = nesting < 1;
	} else if (nesting == track->depth) {
		leave_top(step);
	} else {
		leave_other(step, nesting);
	}
}

/*
 * No region is open then, so the thread is in order again.
 * SPEC: stream.region.unfinished
 */
void tr2_region_unfinished(struct tr2_step *step, struct tr2_track *track)
{
	for (; track->depth; pop_frame(step, track))
		if (!track->adrift)
			tr2_step_report(
				step, TR2_STREAM_REGION_UNFINISHED,
				"the region of line %lu has no region_leave",
				frame_at(step, track->top)->line);
	track->adrift = false;
}
