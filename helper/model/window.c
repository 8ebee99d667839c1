#include "model/window.h"

#include <stdio.h>

#include "lib/common/hash.h"
#include "read/json/match.h"
#include "read/value.h"

/* What is known of a process. */
enum { INSIDE = 1, OUTSIDE };

#define FORM "YYYYMMDDTHHMMSS.UUUUUUZ"

/* Returns when the session began, or 0: the SID does not have git's form. */
static int64_t read_session(const char *sid, size_t len)
{
	char text[sizeof("YYYY-MM-DDTHH:MM:SS.UUUUUUZ")];

	if (len < sizeof(FORM) - 1)
		return 0;
	snprintf(text, sizeof(text), "%.4s-%.2s-%.5s:%.2s:%.10s", sid, sid + 4,
		 sid + 6, sid + 11, sid + 13);
	return tr2_match_time(text, sizeof(text) - 1) ? tr2_time_read(text) : 0;
}

/* Did it come too late for the window of its session, and began in ours? */
static bool is_apart(const struct tr2_window *window, int64_t session,
		     int64_t time)
{
	int64_t width = window->until - window->since, back, end;

	if (session >= window->since || time < window->since ||
	    time >= window->until)
		return false;
	back = (window->since - session - 1) / width;
	end = window->since - back * width;
	return time >= end + window->late;
}

static bool is_inside(struct tr2_window *window, struct tr2_record *record,
		      const char *sid, size_t len)
{
	int64_t session = read_session(sid, len),
		time = tr2_record_find_time(record);

	if (!session)
		session = time;
	if (!time)
		time = session;
	window->apart += is_apart(window, session, time);
	return session >= window->since && session < window->until &&
	       time < window->until + window->late;
}

void tr2_window_begin_log(struct tr2_window *window)
{
	window->begun = false;
	window->pending = 0;
}

void tr2_window_count_broken(struct tr2_window *window, uint64_t lines)
{
	if (!window->begun)
		window->pending += lines;
	else if (window->last)
		window->unread += lines;
}

/* The first event of a process decides. */
static bool take_process(struct tr2_window *window, struct tr2_record *record,
			 const char *sid, size_t len)
{
	struct tr2_map_slot *slot =
		tr2_map_enter(&window->known, tr2_hash(sid, len).a);

	if (!slot->value)
		slot->value = is_inside(window, record, sid, len) ? INSIDE
								  : OUTSIDE;
	return slot->value == INSIDE;
}

bool tr2_window_takes(struct tr2_window *window, struct tr2_record *record,
		      const char *sid, size_t len)
{
	uint64_t pending = window->pending;

	if (!window->until)
		return true;
	window->last = take_process(window, record, sid, len);
	window->seen = window->begun = true;
	window->pending = 0;
	tr2_window_count_broken(window, pending);
	return window->last;
}

void tr2_window_release(struct tr2_window *window)
{
	tr2_map_release(&window->known);
}
