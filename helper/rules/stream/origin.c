#include <stdlib.h>

#include "lib/common/memory.h"
#include "rules/stream/step.h"
#include "lib/text/text.h"

static struct tr2_first_place *find_place(const struct tr2_step *step)
{
	struct tr2_first_place **origins = &step->stream->origins;

	if (!*origins)
		*origins = tr2_must_zeros(TR2_ORIGINS * sizeof(**origins));
	return &(*origins)[step->sid->hash.a % TR2_ORIGINS];
}

void tr2_origin_note(const struct tr2_step *step)
{
	struct tr2_first_place *origin = find_place(step);
	struct tr2_log_name *log = step->stream->sessions.log;

	if (origin->log && origin->sid == step->sid->hash.a)
		return;
	log->users++;
	tr2_log_name_release(origin->log);
	*origin = (struct tr2_first_place){ step->sid->hash.a,
					    step->sink->line.number, log };
}

/* Returns how many bytes of a log's name a message shows. */
static int find_shown_len(const char *name)
{
	return (int)tr2_text_cut(name, strlen(name), TR2_ORIGIN_SHOWN);
}

/* SPEC: stream.version.once */
void tr2_origin_report(struct tr2_step *step)
{
	static const char second[] = "a second version under this SID";
	const struct tr2_first_place *origin = find_place(step);
	bool here = origin->log == step->stream->sessions.log;

	/* Another session may have taken the place meanwhile. */
	if (origin->sid != step->sid->hash.a)
		tr2_step_report(step, TR2_STREAM_VERSION_ONCE, TR2_KEY_EVENT,
				"%s", second);
	else
		tr2_step_report(step, TR2_STREAM_VERSION_ONCE, TR2_KEY_EVENT,
				"%s, which occurs first in line %lu%s%.*s",
				second, origin->line, here ? "" : " of ",
				here ? 0 : find_shown_len(origin->log->text),
				origin->log->text);
}

void tr2_origin_release(struct tr2_stream *stream)
{
	unsigned place;

	for (place = 0; stream->origins && place < TR2_ORIGINS; place++)
		tr2_log_name_release(stream->origins[place].log);
	free(stream->origins);
}
