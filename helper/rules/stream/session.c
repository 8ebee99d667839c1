#include "rules/stream/stream.h"

#include <stdlib.h>

#include "lib/common/memory.h"
#include "read/json/names.h"
#include "read/value.h"
#include "rules/known.h"
#include "rules/stream/sids.h"
#include "rules/stream/step.h"

_Static_assert(TR2_EVT_MAX <= TR2_SID_EVT_BITS, "an EVENT version fits");

uint64_t tr2_sids_hash(const char *text, size_t len)
{
	const uint64_t hash = tr2_hash(text, len).a;

	return hash | !hash;
}

struct tr2_map_slot *tr2_sids_add(struct tr2_sids *sids, const char *text,
				  size_t len)
{
	const size_t before = sids->all.count;
	struct tr2_map_slot *sid =
		tr2_map_enter(&sids->all, tr2_sids_hash(text, len));

	if (sids->all.count > before)
		tr2_sid_set_writer(sid, tr2_writer_of(text, len));
	return sid;
}

struct tr2_map_slot *tr2_sids_enter(struct tr2_sids *sids, const char *text,
				    size_t len)
{
	struct tr2_map_slot *sid = tr2_sids_add(sids, text, len);

	sids->seen += !tr2_sid_has(sid, TR2_SID_SEEN);
	tr2_sid_set(sid, TR2_SID_SEEN);
	return sid;
}

void tr2_log_name_release(struct tr2_log_name *log)
{
	if (log && !--log->users)
		free(log);
}

void tr2_sessions_begin_log(struct tr2_sessions *sessions, const char *name,
			    unsigned visit)
{
	size_t size = strlen(name) + 1;
	struct tr2_log_name *log = tr2_must_grow(NULL, sizeof(*log) + size);

	log->users = 1;
	log->visit = visit;
	memcpy(log->text, name, size);
	tr2_log_name_release(sessions->log);
	sessions->log = log;
}

void tr2_sessions_touch(struct tr2_sessions *sessions,
			struct tr2_stream_session *session, unsigned long line)
{
	session->line = line;
	if (session->log == sessions->log)
		return;
	tr2_log_name_release(session->log);
	session->log = sessions->log;
	session->log->users++;
}

struct tr2_stream_session *tr2_sessions_open(struct tr2_sessions *sessions)
{
	struct tr2_stream_session *session = tr2_must_zeros(sizeof(*session));

	session->free_frame = TR2_NO_FRAME;
	session->before = sessions->last;
	if (sessions->last)
		sessions->last->next = session;
	else
		sessions->first = session;
	sessions->last = session;
	return session;
}

static void take_out(struct tr2_sessions *sessions,
		     struct tr2_stream_session *session)
{
	if (session->before)
		session->before->next = session->next;
	else
		sessions->first = session->next;
	if (session->next)
		session->next->before = session->before;
	else
		sessions->last = session->before;
}

void tr2_sessions_close(struct tr2_sessions *sessions,
			struct tr2_stream_session *session)
{
	take_out(sessions, session);
	tr2_log_name_release(session->log);
	tr2_map_release(&session->others);
	tr2_vec_release(&session->tracks);
	tr2_vec_release(&session->frames);
	tr2_vec_release(&session->children);
	tr2_vec_release(&session->execs);
	tr2_vec_release(&session->repos);
	tr2_vec_release(&session->sums);
	free(session);
}

void tr2_sessions_release(struct tr2_sessions *sessions)
{
	while (sessions->first)
		tr2_sessions_close(sessions, sessions->first);
	tr2_log_name_release(sessions->log);
}

/* A limit, so that no log can make lists grow without end. */
#define NUMBERED_MAX 65536

/*
 * Returns the place of the first id that is not smaller; the list is sorted.
 * Threads may number children in another order than that of the lines.
 */
static uint32_t find_place(const struct tr2_vec *vec, int64_t id)
{
	const struct tr2_numbered *items = vec->items;
	uint32_t place;

	TR2_SEARCH(place, vec->count, items[place].id < id);
	return place;
}

struct tr2_numbered *tr2_number_find(const struct tr2_vec *vec, int64_t id)
{
	struct tr2_numbered *items = vec->items;
	uint32_t place = find_place(vec, id);

	return place < vec->count && items[place].id == id ? &items[place]
							   : NULL;
}

void tr2_number_add(struct tr2_step *step, struct tr2_vec *vec, int64_t id,
		    unsigned long line)
{
	struct tr2_numbered *added;

	if (vec->count == NUMBERED_MAX) {
		step->session->damaged = true;
		return;
	}
	added = tr2_vec_insert(vec, find_place(vec, id), sizeof(*added));
	*added = (struct tr2_numbered){
		.id = id,
		.line = line,
		.time = line ? tr2_record_time(step->record) : 0,
	};
}
