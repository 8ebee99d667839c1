#include "model/timeline_part.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"

/* Then no `time` is waited for any longer. */
#define EVENTS_MOST 100
#define BYTES_MOST ((size_t)32 * 1024)

struct tr2_early {
	struct tr2_buf texts; /* each with an LF */
	uint32_t count;
};

bool tr2_early_take(struct tr2_timeline *timeline,
		    const struct tr2_record *record,
		    const struct tr2_claim *claim)
{
	struct tr2_early *early = timeline->early;

	if (timeline->introduced || timeline->held || timeline->timeless ||
	    claim->time || tr2_ending_of(record) ||
	    (early &&
	     (early->count >= EVENTS_MOST || early->texts.len >= BYTES_MOST)))
		return false;
	if (!early)
		early = timeline->early = tr2_must_zeros(sizeof(*early));
	early->count++;
	tr2_buf_add(&early->texts, record->parse.text, record->parse.len);
	tr2_buf_byte(&early->texts, '\n');
	tr2_must_hold(&early->texts);
	return true;
}

/* Let the events happen in this timeline. */
static void replay_events(const struct tr2_early *early,
			  struct tr2_timeline *timeline,
			  const struct tr2_timeline_view *view, void *context)
{
	struct tr2_record record = { 0 };
	const char *text = early->texts.bytes, *lf;
	const char *end = text + early->texts.len;

	for (; text < end; text = lf + 1) {
		lf = memchr(text, '\n', (size_t)(end - text));
		if (tr2_record_read(&record, text, (size_t)(lf - text)) ==
		    TR2_RECORD_OK)
			tr2_timeline_place(timeline, &record, view, context);
	}
	tr2_record_release(&record);
}

static void pass_over(void *context, const struct tr2_moment *moment)
{
	(void)context;
	(void)moment;
}

/* Returns when the process began by the `time` of this event after them. */
static int64_t find_base(const struct tr2_early *early,
			 struct tr2_record *record)
{
	static const struct tr2_timeline_view nobody = { .take = pass_over };
	struct tr2_timeline trial;
	int64_t base;

	tr2_timeline_begin(&trial);
	replay_events(early, &trial, &nobody, NULL);
	tr2_timeline_place(&trial, record, &nobody, NULL);
	tr2_timeline_settle(&trial, &nobody, NULL);
	base = trial.base;
	tr2_timeline_release(&trial);
	return base;
}

void tr2_early_end(struct tr2_timeline *timeline, struct tr2_record *next,
		   const struct tr2_timeline_view *view, void *context)
{
	struct tr2_early *early = timeline->early;

	timeline->early = NULL;
	timeline->timeless = true;
	tr2_buf_fill(&early->texts, '\0', TR2_TOKENS_PADDING);
	tr2_must_hold(&early->texts);
	early->texts.len -= TR2_TOKENS_PADDING;
	if (next)
		timeline->base = find_base(early, next);
	replay_events(early, timeline, view, context);
	tr2_buf_release(&early->texts);
	free(early);
}

void tr2_early_release(struct tr2_timeline *timeline)
{
	if (timeline->early)
		tr2_buf_release(&timeline->early->texts);
	free(timeline->early);
	timeline->early = NULL;
}
