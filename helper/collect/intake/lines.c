#include "collect/intake/lines.h"

#include <string.h>

#include "lib/text/text.h"

const char *const tr2_drop_names[TR2_DROPS] = {
	[TR2_DROP_LONG] = "long",
	[TR2_DROP_SPACE] = "space",
	[TR2_DROP_MEMORY] = "memory",
	[TR2_DROP_CUT] = "cut",
};

void tr2_intake_drop(struct tr2_collect_intake *intake, enum tr2_drop reason,
		     uint64_t lines)
{
	intake->counts.dropped += lines;
	intake->counts.drops[reason] += lines;
}

/* A filter keeps lines in memory, before the journal has space for them. */
enum tr2_drop tr2_intake_find_lack(const struct tr2_collect_intake *intake)
{
	return intake->filter ? TR2_DROP_MEMORY : TR2_DROP_SPACE;
}

char *tr2_intake_make_room(struct tr2_collect_intake *intake, size_t len)
{
	if (intake->filter)
		return tr2_filter_room(intake->filter, len);
	return tr2_journal_room(intake->journal, len);
}

/*
 * Move what passes the filter to the journal. False: there is no space for
 * all, and nothing has happened. With `patient`, the file of broken lines must
 * have space, too.
 */
static bool pass_filter(struct tr2_collect_intake *intake, size_t len,
			bool patient)
{
	struct tr2_line_filter *filter = intake->filter;
	const struct tr2_buf *out = &filter->out;
	bool done = tr2_filter_lines(filter, len);
	char *room = NULL;

	done = done && !(patient && filter->aside.refused);
	if (done && out->len)
		room = tr2_journal_room(intake->journal, out->len);
	if (!done || (out->len && !room)) {
		tr2_filter_undo(filter);
		return false;
	}
	if (!room)
		return true;
	memcpy(room, out->bytes, out->len);
	tr2_journal_commit(intake->journal, out->len, filter->lines);
	intake->counts.lines += filter->lines;
	intake->counts.bytes += out->len;
	return true;
}

static bool pass_lines(struct tr2_collect_intake *intake, const char *bytes,
		       size_t len, bool patient)
{
	unsigned long lines;

	if (intake->filter)
		return pass_filter(intake, len, patient);
	lines = tr2_text_count_lines(bytes, len);
	tr2_journal_commit(intake->journal, len, lines);
	intake->counts.lines += lines;
	intake->counts.bytes += len;
	return true;
}

void tr2_intake_keep_lines(struct tr2_collect_intake *intake, const char *bytes,
			   size_t len)
{
	/* The filter ends lines with a NUL. */
	unsigned long lines = intake->filter ? tr2_text_count_lines(bytes, len)
					     : 0;

	if (!pass_lines(intake, bytes, len, false))
		tr2_intake_drop(intake, TR2_DROP_SPACE, lines);
}

bool tr2_intake_try_lines(struct tr2_collect_intake *intake, const char *bytes,
			  size_t len)
{
	return pass_lines(intake, bytes, len, true);
}
