#include "validate/statistics.h"

#include <stdlib.h>
#include <string.h>

#include "validate/hash.h"
#include "validate/memory.h"

#define WRITER_BITS ((uint64_t)TR2_WRITERS - 1)
#define ROOM_FIRST 1024

void tr2_statistics_init(struct tr2_statistics *statistics)
{
	memset(statistics, 0, sizeof(*statistics));
	strcpy(statistics->writers[0].name, "(unknown)");
	strcpy(statistics->writers[TR2_WRITERS - 1].name, "(others)");
	statistics->writers_count = 1;
}

void tr2_statistics_release(struct tr2_statistics *statistics)
{
	free(statistics->sessions);
}

/* Where the session is, or belongs. A slot of 0 is free. */
static uint64_t *find_slot(const struct tr2_statistics *statistics,
			   uint64_t hash)
{
	size_t at = (hash >> 16) & (statistics->room - 1);

	while (statistics->sessions[at] &&
	       (statistics->sessions[at] ^ hash) & ~WRITER_BITS)
		at = (at + 1) & (statistics->room - 1);
	return &statistics->sessions[at];
}

static void grow(struct tr2_statistics *statistics)
{
	uint64_t *old = statistics->sessions;
	size_t i, old_room = statistics->room;
	size_t room = old_room ? 2 * old_room : ROOM_FIRST;

	statistics->sessions = tr2_memory_grow(NULL, room * sizeof(*old));
	memset(statistics->sessions, 0, room * sizeof(*old));
	statistics->room = room;
	for (i = 0; i < old_room; i++)
		if (old[i])
			*find_slot(statistics, old[i]) = old[i];
	free(old);
}

static unsigned find_writer(struct tr2_statistics *statistics, const char *exe,
			    size_t len)
{
	struct tr2_writer_count *writers = statistics->writers;
	unsigned i;

	if (len >= TR2_WRITER_NAME)
		len = TR2_WRITER_NAME - 1;
	for (i = 1; i < statistics->writers_count; i++)
		if (strlen(writers[i].name) == len &&
		    !memcmp(writers[i].name, exe, len))
			return i;
	if (i == TR2_WRITERS - 1)
		return i;
	memcpy(writers[i].name, exe, len);
	statistics->writers_count++;
	return i;
}

void tr2_statistics_event(struct tr2_statistics *statistics, const char *sid,
			  size_t sid_len, const char *exe, size_t exe_len)
{
	uint64_t hash = tr2_hash(sid, sid_len).b & ~WRITER_BITS, *slot;
	unsigned before, now;

	if (4 * statistics->count >= 3 * statistics->room)
		grow(statistics);
	hash |= hash ? 0 : WRITER_BITS + 1;
	slot = find_slot(statistics, hash);
	before = (unsigned)(*slot & WRITER_BITS);
	now = exe ? find_writer(statistics, exe, exe_len) : before;
	if (!*slot) {
		statistics->count++;
		statistics->writers[now].sessions++;
	} else if (now != before) {
		statistics->writers[before].sessions--;
		statistics->writers[now].sessions++;
	}
	*slot = hash | now;
	statistics->current = now;
}
