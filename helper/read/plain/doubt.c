#include "read/plain/crowd_part.h"

#include "lib/common/memory.h"

/* So many processes are named. */
#define NAMED_MOST 32

void tr2_crowd_doubt(struct tr2_crowd *crowd, uint32_t process)
{
	if (!tr2_crowd_process(crowd, process)->doubt)
		tr2_crowd_process(crowd, process)->doubt = TR2_CROWD_DOUBT;
}

void tr2_crowd_doubt_all(struct tr2_crowd *crowd, uint32_t line,
			 tr2_crowd_may_fn *may)
{
	uint32_t *sure = crowd->alive.sure.items;
	const struct tr2_crowd_process *process;
	uint32_t i, count = 0;

	for (i = 0; i < crowd->alive.sure.count; i++) {
		process = tr2_crowd_process(crowd, sure[i]);
		if (!process->alive || process->doubt)
			continue;
		if (may(crowd, sure[i], line))
			tr2_crowd_doubt(crowd, sure[i]);
		else
			sure[count++] = sure[i];
	}
	crowd->alive.sure.count = count;
}

void tr2_crowd_doubt_twins(struct tr2_crowd *crowd,
			   const struct tr2_crowd_choice *choice)
{
	const uint32_t *alive = tr2_crowd_alive(crowd);
	bool doubt = choice->count > 1;
	uint32_t i;

	for (i = 0; i < crowd->alive.all.count; i++)
		doubt |= tr2_crowd_process(crowd, alive[i])->doubt &&
			 tr2_crowd_are_twins(crowd, alive[i], choice->best);
	for (i = 0; doubt && i < crowd->alive.all.count; i++)
		if (tr2_crowd_are_twins(crowd, alive[i], choice->best))
			tr2_crowd_doubt(crowd, alive[i]);
}

static void name_lines(const struct tr2_vec *lines, struct tr2_buf *out)
{
	const unsigned long *number = lines->items;
	uint32_t i, most = lines->count;

	if (most > NAMED_MOST)
		most = NAMED_MOST;
	for (i = 0; i < most; i++) {
		if (i)
			tr2_buf_str(out, i + 1 < lines->count ? ", " : " and ");
		tr2_buf_uint(out, number[i]);
	}
	if (most == lines->count)
		return;
	tr2_buf_str(out, " and ");
	tr2_buf_uint(out, lines->count - most);
	tr2_buf_str(out, " more");
}

bool tr2_crowd_tell_doubt(const struct tr2_crowd *crowd, struct tr2_buf *out)
{
	tr2_buf_reset(out);
	tr2_buf_str(out, "processes wrote at the same time, and the format "
			 "does not say which line is whose: ");
	if (crowd->lost) {
		tr2_buf_uint(out, crowd->lost);
		tr2_buf_str(out, crowd->lost == 1 ? " line is" : " lines are");
		tr2_buf_str(out, " left out, the first is line ");
		tr2_buf_uint(out, crowd->first_lost);
	}
	if (crowd->lost && crowd->doubtful.count)
		tr2_buf_str(out, "; ");
	if (crowd->doubtful.count) {
		tr2_buf_str(out, "what those that begin in lines ");
		name_lines(&crowd->doubtful, out);
		tr2_buf_str(out, " did may be counted for each other");
	}
	tr2_must_end(out);
	return crowd->lost || crowd->doubtful.count;
}
