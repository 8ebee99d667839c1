#include "validate/report/statistics.h"

#include <stdio.h>
#include <string.h>

#include "lib/common/hash.h"

static uint32_t add_writer(struct tr2_statistics *statistics, const char *name)
{
	struct tr2_writer_count *added =
		tr2_vec_add(&statistics->writers, sizeof(*added));

	*added = (struct tr2_writer_count){ .sessions = 0 };
	snprintf(added->name, sizeof(added->name), "%s", name);
	return statistics->writers.count - 1;
}

static uint32_t enter_writer(struct tr2_statistics *statistics,
			     const char *name)
{
	struct tr2_map_slot *slot = tr2_map_enter(
		&statistics->names, tr2_hash(name, strlen(name)).a);

	if (!slot->value)
		slot->value = add_writer(statistics, name);
	return (uint32_t)slot->value;
}

void tr2_statistics_init(struct tr2_statistics *statistics)
{
	memset(statistics, 0, sizeof(*statistics));
	add_writer(statistics, "(unknown)");
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
			   const char *exe)
{
	struct tr2_map_slot *session = enter_session(statistics, sid);
	uint32_t writer = enter_writer(statistics, exe);

	tr2_writer_at(statistics, session->value)->sessions--;
	tr2_writer_at(statistics, writer)->sessions++;
	session->value = statistics->current = writer;
}

void tr2_statistics_end(struct tr2_statistics *statistics)
{
	static const struct tr2_writer_count none = { .name = "(others)" };
	struct tr2_writer_count *writers = tr2_writer_at(statistics, 0);
	struct tr2_writer_count others = none;
	uint32_t i, count = statistics->writers.count;

	if (count < TR2_WRITERS)
		return;
	for (i = TR2_WRITERS - 1; i < count; i++) {
		others.sessions += writers[i].sessions;
		others.findings += writers[i].findings;
	}
	writers[TR2_WRITERS - 1] = others;
	statistics->writers.count = TR2_WRITERS;
}
