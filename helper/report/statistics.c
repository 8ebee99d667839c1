#include "report/statistics.h"

#include <stdlib.h>
#include <string.h>

#include "common/hash.h"

static uint64_t hash_of(const struct tr2_writer_count *writer)
{
	return tr2_hash(writer->name, strlen(writer->name)).a;
}

static uint32_t add_writer(struct tr2_statistics *statistics,
			   const struct tr2_writer_count *writer)
{
	struct tr2_writer_count *added =
		tr2_vec_add(&statistics->writers, sizeof(*added));

	*added = *writer;
	added->sessions = added->findings = 0;
	return statistics->writers.count - 1;
}

static uint32_t enter_writer(struct tr2_statistics *statistics,
			     const struct tr2_writer_count *writer)
{
	struct tr2_map_slot *slot =
		tr2_map_enter(&statistics->names, hash_of(writer));

	if (!slot->value)
		slot->value = add_writer(statistics, writer);
	return (uint32_t)slot->value;
}

void tr2_statistics_init(struct tr2_statistics *statistics)
{
	static const struct tr2_writer_count unknown = { .name = "(unknown)" };

	memset(statistics, 0, sizeof(*statistics));
	add_writer(statistics, &unknown);
}

void tr2_statistics_release(struct tr2_statistics *statistics)
{
	tr2_vec_release(&statistics->writers);
	tr2_map_release(&statistics->names);
	tr2_map_release(&statistics->sessions);
}

static struct tr2_map_slot *enter_session(struct tr2_statistics *statistics,
					  uint64_t sid)
{
	size_t count = statistics->sessions.count;
	struct tr2_map_slot *session =
		tr2_map_enter(&statistics->sessions, sid);

	tr2_writer_at(statistics, 0)->sessions +=
		statistics->sessions.count - count;
	return session;
}

void tr2_statistics_session(struct tr2_statistics *statistics, uint64_t sid)
{
	statistics->current = (uint32_t)enter_session(statistics, sid)->value;
}

uint32_t tr2_statistics_find(const struct tr2_statistics *statistics,
			     uint64_t sid)
{
	return (uint32_t)tr2_map_value(&statistics->sessions, sid);
}

void tr2_statistics_writer(struct tr2_statistics *statistics, uint64_t sid,
			   const struct tr2_writer_count *exe)
{
	struct tr2_map_slot *session = enter_session(statistics, sid);
	uint32_t writer = enter_writer(statistics, exe);

	tr2_writer_at(statistics, session->value)->sessions--;
	tr2_writer_at(statistics, writer)->sessions++;
	session->value = statistics->current = writer;
}

static int compare_writers(const void *one, const void *other)
{
	const struct tr2_writer_count *a = one, *b = other;
	int order = tr2_order(a->visit, b->visit);

	order = order ? order : tr2_order(a->line, b->line);
	return order ? order : tr2_order(a->part, b->part);
}

void tr2_statistics_merge(struct tr2_statistics *statistics,
			  const struct tr2_statistics *other)
{
	const struct tr2_writer_count *writer = other->writers.items;
	struct tr2_writer_count *same;
	uint32_t i;

	for (i = 0; i < other->writers.count; i++, writer++) {
		same = tr2_writer_at(statistics,
				     i ? enter_writer(statistics, writer) : 0);
		same->sessions += writer->sessions;
		same->findings += writer->findings;
		if (compare_writers(writer, same) < 0) {
			same->visit = writer->visit;
			same->line = writer->line;
			same->part = writer->part;
		}
	}
}

uint32_t tr2_statistics_same(const struct tr2_statistics *statistics,
			     const struct tr2_statistics *other,
			     uint32_t writer)
{
	if (!writer)
		return 0;
	return (uint32_t)tr2_map_value(&statistics->names,
				       hash_of(tr2_writer_at(other, writer)));
}

void tr2_statistics_end(struct tr2_statistics *statistics)
{
	static const struct tr2_writer_count none = { .name = "(others)" };
	struct tr2_writer_count *writers = tr2_writer_at(statistics, 0);
	struct tr2_writer_count others = none;
	uint32_t i, count = statistics->writers.count;

	qsort(writers + 1, count - 1, sizeof(*writers), compare_writers);
	if (count < TR2_WRITERS)
		return;
	for (i = TR2_WRITERS - 1; i < count; i++) {
		others.sessions += writers[i].sessions;
		others.findings += writers[i].findings;
	}
	writers[TR2_WRITERS - 1] = others;
	statistics->writers.count = TR2_WRITERS;
}
