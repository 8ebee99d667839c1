#include "validate/statistics.h"

#include <stdlib.h>
#include <string.h>

#include "validate/hash.h"
#include "validate/memory.h"

#define ROOM_FIRST 1024
#define INDEX_FIRST 128

struct tr2_writer_session {
	uint64_t sid; /* its hash; 0: free */
	uint32_t writer;
};

static uint32_t *find_place(const struct tr2_statistics *statistics,
			    const char *name)
{
	size_t room = statistics->index_room;
	size_t at = tr2_hash(name, strlen(name)).a & (room - 1);

	while (statistics->index[at] &&
	       strcmp(statistics->writers[statistics->index[at]].name, name))
		at = (at + 1) & (room - 1);
	return &statistics->index[at];
}

/* The index has room for two of each writer, and so have the writers. */
static void grow_writers(struct tr2_statistics *statistics)
{
	size_t i, room = statistics->index_room;

	room = room ? 2 * room : INDEX_FIRST;
	statistics->index_room = room;
	free(statistics->index);
	statistics->index = tr2_must_zeros(room * sizeof(uint32_t));
	statistics->writers = tr2_must_grow(
		statistics->writers, room / 2 * sizeof(*statistics->writers));
	for (i = 1; i < statistics->writers_count; i++)
		*find_place(statistics, statistics->writers[i].name) =
			(uint32_t)i;
}

static uint32_t add_writer(struct tr2_statistics *statistics,
			   const struct tr2_writer_count *writer)
{
	uint32_t number = (uint32_t)statistics->writers_count;
	struct tr2_writer_count *added;

	if (2 * statistics->writers_count >= statistics->index_room)
		grow_writers(statistics);
	added = &statistics->writers[statistics->writers_count++];
	*added = *writer;
	added->sessions = added->findings = 0;
	return number;
}

static uint32_t enter_writer(struct tr2_statistics *statistics,
			     const struct tr2_writer_count *writer)
{
	uint32_t number = *find_place(statistics, writer->name);

	if (!number) {
		number = add_writer(statistics, writer);
		*find_place(statistics, writer->name) = number;
	}
	return number;
}

void tr2_statistics_init(struct tr2_statistics *statistics)
{
	static const struct tr2_writer_count unknown = { .name = "(unknown)" };

	memset(statistics, 0, sizeof(*statistics));
	add_writer(statistics, &unknown);
}

void tr2_statistics_release(struct tr2_statistics *statistics)
{
	free(statistics->writers);
	free(statistics->index);
	free(statistics->sessions);
}

/* Where the session is, or belongs. */
static struct tr2_writer_session *
find_session(const struct tr2_statistics *statistics, uint64_t sid)
{
	size_t at = sid & (statistics->room - 1);

	while (statistics->sessions[at].sid &&
	       statistics->sessions[at].sid != sid)
		at = (at + 1) & (statistics->room - 1);
	return &statistics->sessions[at];
}

static void grow(struct tr2_statistics *statistics)
{
	struct tr2_writer_session *old = statistics->sessions;
	size_t i, old_room = statistics->room;
	size_t room = old_room ? 2 * old_room : ROOM_FIRST;

	statistics->sessions = tr2_must_zeros(room * sizeof(*old));
	statistics->room = room;
	for (i = 0; i < old_room; i++)
		if (old[i].sid)
			*find_session(statistics, old[i].sid) = old[i];
	free(old);
}

static struct tr2_writer_session *
enter_session(struct tr2_statistics *statistics, uint64_t sid)
{
	struct tr2_writer_session *session;

	if (4 * statistics->count >= 3 * statistics->room)
		grow(statistics);
	session = find_session(statistics, sid);
	if (!session->sid) {
		session->sid = sid;
		statistics->count++;
		statistics->writers[0].sessions++;
	}
	return session;
}

void tr2_statistics_session(struct tr2_statistics *statistics, uint64_t sid)
{
	statistics->current = enter_session(statistics, sid)->writer;
}

uint32_t tr2_statistics_find(const struct tr2_statistics *statistics,
			     uint64_t sid)
{
	return statistics->room ? find_session(statistics, sid)->writer : 0;
}

void tr2_statistics_writer(struct tr2_statistics *statistics, uint64_t sid,
			   const struct tr2_writer_count *exe)
{
	struct tr2_writer_session *session = enter_session(statistics, sid);
	uint32_t writer = enter_writer(statistics, exe);

	statistics->writers[session->writer].sessions--;
	statistics->writers[writer].sessions++;
	statistics->current = session->writer = writer;
}

static int compare(const void *one, const void *other)
{
	const struct tr2_writer_count *a = one, *b = other;

	if (a->visit != b->visit)
		return a->visit < b->visit ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

void tr2_statistics_merge(struct tr2_statistics *statistics,
			  const struct tr2_statistics *other)
{
	const struct tr2_writer_count *writer = other->writers;
	struct tr2_writer_count *same;
	uint32_t number;
	size_t i;

	for (i = 0; i < other->writers_count; i++, writer++) {
		number = i ? enter_writer(statistics, writer) : 0;
		same = &statistics->writers[number];
		same->sessions += writer->sessions;
		same->findings += writer->findings;
		if (compare(writer, same) < 0) {
			same->visit = writer->visit;
			same->line = writer->line;
		}
	}
}

uint32_t tr2_statistics_same(const struct tr2_statistics *statistics,
			     const struct tr2_statistics *other,
			     uint32_t writer)
{
	return writer ? *find_place(statistics, other->writers[writer].name)
		      : 0;
}

void tr2_statistics_end(struct tr2_statistics *statistics)
{
	static const struct tr2_writer_count none = { .name = "(others)" };
	struct tr2_writer_count *writers = statistics->writers, others = none;
	size_t i;

	qsort(writers + 1, statistics->writers_count - 1, sizeof(*writers),
	      compare);
	if (statistics->writers_count < TR2_WRITERS)
		return;
	for (i = TR2_WRITERS - 1; i < statistics->writers_count; i++) {
		others.sessions += writers[i].sessions;
		others.findings += writers[i].findings;
	}
	writers[TR2_WRITERS - 1] = others;
	statistics->writers_count = TR2_WRITERS;
}
