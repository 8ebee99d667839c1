/*
 * Is a file that is seen the one that was read, or its copy? What was read last
 * tells, and for a copy the first line, which no other process has.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "collect/intake/sight.h"
#include "collect/intake/watched.h"
#include "lib/text/text.h"

/* Seconds without a change. */
#define QUIET_KNOWN 2 /* a change may have the same time as the one before */
#define QUIET_COPY 3

#define FIRST ((size_t)4 << 10) /* bytes of a first line that count */
#define TIME "00:00:00.000000"
#define FACTOR UINT64_C(0x100000001b3)
#define TAIL ((size_t)4 << 10)
#define TAIL_MOST ((size_t)16 << 10)

/*
 * ---- What was read, in a few bytes
 */

static uint64_t add_bytes(uint64_t hash, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash + (unsigned char)bytes[i] + 1) * FACTOR;
	return hash;
}

/* Returns the hash of the first line, if it has a SID, or a time of the day. */
static uint64_t hash_first(const char *bytes, size_t len)
{
	const char *lf;

	len = len < FIRST ? len : FIRST;
	lf = memchr(bytes, '\n', len);
	len = lf ? (size_t)(lf - bytes) : len;
	return tr2_text_find(bytes, len, "\"sid\":\"") ||
			       tr2_text_has_form(bytes, len, TIME)
		       ? add_bytes(0, bytes, len) | 1
		       : 0;
}

void tr2_mark_add(struct tr2_mark *mark, uint64_t at, const char *bytes,
		  size_t len)
{
	size_t skipped = 0;

	if (!at)
		mark->first = hash_first(bytes, len);
	if (mark->tail_len + len > TAIL_MOST) {
		skipped = len > TAIL ? len - TAIL : 0;
		mark->tail = mark->tail_len = 0;
	}
	mark->tail = add_bytes(mark->tail, bytes + skipped, len - skipped);
	mark->tail_len += (uint32_t)(len - skipped);
}

enum match { SAME, OTHER, UNREADABLE };

/* Has the open file what was read of this one? UNREADABLE: errno. */
static enum match compare_tail(const struct tr2_watched *file, int fd)
{
	const struct tr2_mark *mark = &file->mark;
	char bytes[TAIL_MOST];
	ssize_t got;

	if (mark->tail_len > file->offset || mark->tail_len > TAIL_MOST)
		return OTHER;
	got = pread(fd, bytes, mark->tail_len,
		    (off_t)(file->offset - mark->tail_len));
	if (got < 0)
		return UNREADABLE;
	return (uint32_t)got == mark->tail_len &&
			       add_bytes(0, bytes, mark->tail_len) == mark->tail
		       ? SAME
		       : OTHER;
}

/*
 * ---- A file that was cut
 */

/* What is known of it is of what was cut away; it is as new. */
static void begin_anew(struct tr2_sight *sight)
{
	struct tr2_watched_table *table = &sight->watches->table;
	struct tr2_watched *file = sight->file;
	struct tr2_watched cut = sight->before;
	const size_t place =
		(size_t)(file - (struct tr2_watched *)table->files.items);

	file->offset = file->begin = file->end = 0;
	file->ended = file->done = file->skipping = file->holed = false;
	file->copied = false;
	file->mark = (struct tr2_mark){ 0 };
	tr2_watched_note(table, file);
	cut.number = 0;
	cut.held = 0;
	tr2_watched_add(table, &cut);
	sight->file = (struct tr2_watched *)table->files.items + place;
}

static enum match compare_file(const struct tr2_sight *sight, int fd)
{
	const struct tr2_watched *file = sight->file;

	if (!file->unsure || !file->offset)
		return SAME;
	return compare_tail(file, fd);
}

/*
 * A file that has neither a name nor a writer is no new one: somebody has
 * written over it, as logrotate does with `shred`.
 */
bool tr2_identity_find(struct tr2_sight *sight, int fd)
{
	const enum match match = compare_file(sight, fd);
	const bool whole = sight->file->size >= sight->file->offset;

	/* What was seen of it, not read, and cut away has no copy. */
	if (match == SAME && sight->file->size < sight->before.size)
		tr2_gone_tell_loss(sight->intake, &sight->before);
	if (match == UNREADABLE)
		tr2_sight_fail(sight, errno);
	else if (match == OTHER && !(sight->complete && whole))
		begin_anew(sight);
	sight->file->unsure = !tr2_sight_is_quiet(sight, QUIET_KNOWN);
	return match == SAME || (match == OTHER && !sight->complete);
}

/*
 * ---- A new file
 */

/* Of files with one first line the one of which most was read is enough. */
void tr2_identity_add(struct tr2_watches *watches,
		      const struct tr2_watched *file)
{
	const struct tr2_watched *files = watches->table.files.items;
	struct tr2_map_slot *slot;

	if (!file->offset || !file->mark.first)
		return;
	slot = tr2_map_enter(&watches->firsts, file->mark.first);
	if (!slot->value || files[slot->value - 1].offset <= file->offset)
		slot->value = (uint64_t)(file - files) + 1;
}

/* Once in a look, when the first new file needs it. */
static void index_files(struct tr2_watches *watches)
{
	const struct tr2_watched *file = watches->table.files.items;
	uint32_t left = watches->indexed ? 0 : watches->table.files.count;

	watches->indexed = true;
	for (; left; left--)
		tr2_identity_add(watches, file++);
}

/* Returns a file that was read and has the first line of this one, or NULL. */
static struct tr2_watched *find_twin(const struct tr2_sight *sight, int fd)
{
	char bytes[FIRST];
	ssize_t got = pread(fd, bytes, sizeof(bytes), 0);
	uint64_t first = got > 0 ? hash_first(bytes, (size_t)got) : 0, place;
	struct tr2_watched *twin;

	index_files(sight->watches);
	place = first ? tr2_map_value(&sight->watches->firsts, first) : 0;
	if (!place)
		return NULL;
	twin = (struct tr2_watched *)sight->watches->table.files.items + place -
	       1;
	return twin->offset ? twin : NULL;
}

/* It is read from where that one was read, whose events are in it. */
static void adopt_twin(const struct tr2_sight *sight, struct tr2_watched *twin)
{
	struct tr2_watched *file = sight->file;

	file->offset = twin->offset;
	file->mark = twin->mark;
	file->ended = twin->ended;
	file->done = twin->done;
	file->skipping = twin->skipping;
	file->holed = twin->holed;
	file->begin = twin->begin;
	file->end = twin->end;
	twin->copied = true;
	tr2_watched_note(&sight->watches->table, file);
	if (!twin->number || twin->unseen)
		tr2_gone_replace(sight->watches, twin);
}

bool tr2_identity_must_wait(const struct tr2_sight *sight, int fd)
{
	struct tr2_watched *twin;

	if (sight->file->offset)
		return false;
	if (!sight->is_fresh)
		return true;
	twin = find_twin(sight, fd);
	if (!twin)
		return false;
	if (compare_tail(twin, fd) == SAME) {
		adopt_twin(sight, twin);
		return false;
	}
	/* Somebody may be making the copy. */
	if (!sight->watches->last && !tr2_sight_is_quiet(sight, QUIET_COPY) &&
	    (uint64_t)sight->st.st_size < twin->offset)
		return true;
	sight->intake->counts.repeats++;
	tr2_sight_report(sight->watch, sight->name,
			 "begins as another file that was read, so events may "
			 "come twice");
	return false;
}
