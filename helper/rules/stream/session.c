#include "rules/stream/stream.h"

#include <stdlib.h>

#include "lib/common/memory.h"
#include "read/json/names.h"
#include "read/value.h"
#include "rules/known.h"
#include "rules/stream/sids.h"
#include "rules/stream/step.h"

#define CHUNK 1024
#define ROOM_FIRST 256

_Static_assert(TR2_EVT_MAX <= TR2_SID_EVT_BITS, "an EVENT version fits");
_Static_assert(sizeof(struct tr2_sid) == 24, "8 bytes are for the index");

static struct tr2_sid *sid_of(const struct tr2_sids *sids, size_t number)
{
	struct tr2_sid *const *chunks = sids->chunks.items;

	return &chunks[(number - 1) / CHUNK][(number - 1) % CHUNK];
}

/* The bits of an index entry above the number. */
static uint32_t tag_of(const struct tr2_sids *sids, struct tr2_hash hash)
{
	return (uint32_t)(hash.a << sids->number_bits);
}

/* Returns the SID with this number if tag and hash are equal, else NULL. */
static struct tr2_sid *check_entry(const struct tr2_sids *sids, uint32_t entry,
				   struct tr2_hash hash)
{
	uint32_t tag = tag_of(sids, hash);
	struct tr2_sid *sid;

	if ((uint64_t)(entry ^ tag) >> sids->number_bits)
		return NULL;
	sid = sid_of(sids, entry ^ tag);
	return sid->hash.a == hash.a &&
			       !((sid->hash.b ^ hash.b) & ~TR2_SID_BITS)
		       ? sid
		       : NULL;
}

static size_t first_place(const struct tr2_sids *sids, struct tr2_hash hash)
{
	return (size_t)((hash.a >> 32) * sids->room >> 32);
}

static size_t next_place(const struct tr2_sids *sids, size_t at)
{
	return at + 1 < sids->room ? at + 1 : 0;
}

/* Add an entry that is not in the index yet. */
static void add_entry(struct tr2_sids *sids, size_t number)
{
	struct tr2_hash hash = sid_of(sids, number)->hash;
	size_t at = first_place(sids, hash);

	while (sids->index[at])
		at = next_place(sids, at);
	sids->index[at] = tag_of(sids, hash) | (uint32_t)number;
}

static void grow_index(struct tr2_sids *sids)
{
	size_t number;

	sids->room = sids->room ? sids->room * 7 / 5 : ROOM_FIRST;
	sids->number_bits = 64 - (unsigned)__builtin_clzll(sids->room);
	free(sids->index);
	sids->index = tr2_must_zeros(sids->room * sizeof(*sids->index));
	for (number = 1; number <= sids->count; number++)
		add_entry(sids, number);
}

static void add_chunk(struct tr2_sids *sids)
{
	struct tr2_sid **chunk = tr2_vec_add(&sids->chunks, sizeof(*chunk));

	*chunk = tr2_must_grow(NULL, CHUNK * sizeof(**chunk));
}

struct tr2_hash tr2_sids_hash(const char *text, size_t len)
{
	struct tr2_hash hash = tr2_hash(text, len);

	hash.a |= !hash.a;
	hash.b &= ~TR2_SID_BITS;
	return hash;
}

struct tr2_sid *tr2_sids_find(const struct tr2_sids *sids, struct tr2_hash hash)
{
	struct tr2_sid *sid;
	size_t at;

	if (!sids->room)
		return NULL;
	for (at = first_place(sids, hash); sids->index[at];
	     at = next_place(sids, at)) {
		sid = check_entry(sids, sids->index[at], hash);
		if (sid)
			return sid;
	}
	return NULL;
}

struct tr2_sid *tr2_sids_add(struct tr2_sids *sids, const char *text,
			     size_t len)
{
	struct tr2_hash hash = tr2_sids_hash(text, len);
	struct tr2_sid *sid = tr2_sids_find(sids, hash);
	bool full = 4 * sids->count >= 3 * sids->room;

	if (sid)
		return sid;
	if (sids->count % CHUNK == 0)
		add_chunk(sids);
	sid = sid_of(sids, ++sids->count);
	*sid = (struct tr2_sid){ .hash = hash };
	tr2_sid_set_writer(sid, tr2_writer_of(text, len));
	if (full)
		grow_index(sids);
	else
		add_entry(sids, sids->count);
	return sid;
}

static void remember_last(struct tr2_sids *sids, const char *text, size_t len,
			  struct tr2_sid *sid)
{
	if (len > sizeof(sids->last))
		return;
	memcpy(sids->last, text, len);
	sids->last_len = len;
	sids->last_sid = sid;
}

struct tr2_sid *tr2_sids_enter(struct tr2_sids *sids, const char *text,
			       size_t len)
{
	struct tr2_sid *sid;

	if (len && len == sids->last_len && !memcmp(text, sids->last, len))
		return sids->last_sid;
	sid = tr2_sids_add(sids, text, len);
	sids->seen += !tr2_sid_has(sid, TR2_SID_SEEN);
	tr2_sid_set(sid, TR2_SID_SEEN);
	remember_last(sids, text, len, sid);
	return sid;
}

void tr2_sids_release(struct tr2_sids *sids)
{
	struct tr2_sid **chunks = sids->chunks.items;

	while (sids->chunks.count)
		free(chunks[--sids->chunks.count]);
	tr2_vec_release(&sids->chunks);
	free(sids->index);
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

static struct tr2_stream_session *take_spare(struct tr2_sessions *sessions)
{
	struct tr2_stream_session *session = sessions->spare;

	if (!session)
		return tr2_must_zeros(sizeof(*session));
	sessions->spare = session->next;
	memset(session, 0, offsetof(struct tr2_stream_session, tracks));
	return session;
}

struct tr2_stream_session *tr2_sessions_open(struct tr2_sessions *sessions)
{
	struct tr2_stream_session *session = take_spare(sessions);

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
	tr2_vec_clear(&session->tracks);
	tr2_vec_clear(&session->frames);
	tr2_vec_clear(&session->children);
	tr2_vec_clear(&session->execs);
	tr2_vec_clear(&session->repos);
	tr2_vec_clear(&session->sums);
	session->next = sessions->spare;
	sessions->spare = session;
}

static void free_session(struct tr2_stream_session *session)
{
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
	struct tr2_stream_session *session;

	while (sessions->first)
		tr2_sessions_close(sessions, sessions->first);
	while ((session = sessions->spare)) {
		sessions->spare = session->next;
		free_session(session);
	}
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
	uint32_t place = find_place(vec, id), behind = vec->count - place;
	struct tr2_numbered *items;

	if (vec->count == NUMBERED_MAX) {
		step->session->damaged = true;
		return;
	}
	tr2_vec_add(vec, sizeof(*items));
	items = vec->items;
	memmove(items + place + 1, items + place, behind * sizeof(*items));
	items[place] = (struct tr2_numbered){
		.id = id,
		.line = line,
		.time = line ? tr2_record_time(step->record) : 0,
	};
}
