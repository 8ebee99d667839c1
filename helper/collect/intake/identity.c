/* Is a file that is seen the one that is known? */
#include <errno.h>
#include <string.h>

#include "collect/intake/sight.h"
#include "collect/intake/watched.h"
#include "lib/common/hash.h"
#include "lib/files/linux.h"

/* Seconds without a change. */
#define QUIET_KNOWN 2 /* a change may have the same time as the one before */
#define QUIET_COPY 3
#define COPY_LEAST 64 /* bytes; fewer are often equal by chance */

/* Was another file made with the inode of this one? */
static bool is_another(const struct tr2_watched *file, uint64_t birth)
{
	return birth && file->birth && birth != file->birth;
}

/* Had it changed shortly before its last look? More may have come since. */
static bool grew_just_now(const struct tr2_watched *before)
{
	return !before->done && before->unsure;
}

/* What is known is of a file that went, or of what was cut. */
static void begin_anew(struct tr2_sight *sight, uint64_t birth)
{
	struct tr2_watched_table *table = &sight->watches->table;
	struct tr2_watched *file = sight->file;
	const uint64_t number = file->number;
	const bool went = is_another(file, birth);

	file->offset = file->begin = file->end = 0;
	file->ended = file->done = file->skipping = file->holed = false;
	file->mark = (struct tr2_mark){ 0 };
	sight->before.number ^= file->birth; /* no other file has this one */
	if (!went) {
		sight->before.number = 0; /* it is the same, and was cut */
		sight->before.writer = 0;
		sight->before.grew = grew_just_now(&sight->before);
	}
	tr2_watched_keep_cut(table, &sight->before, number);
	sight->file = tr2_watched_find(table, number);
	sight->file->anew = !went;
	if (!went)
		return;
	tr2_watched_note(table, &sight->before);
	tr2_watched_note(table, sight->file);
}

static enum tr2_mark_match compare_file(const struct tr2_sight *sight,
					uint64_t birth, int fd)
{
	const struct tr2_watched *file = sight->file;

	if (!file->unsure || !file->offset)
		return TR2_MARK_SAME;
	if (file->offset > (uint64_t)sight->st.st_size ||
	    is_another(file, birth))
		return TR2_MARK_OTHER;
	return tr2_mark_check(&file->mark, file->offset, fd);
}

/* What was seen of it, not read, and cut away has no copy. */
static void tell_unread(struct tr2_sight *sight, uint64_t birth)
{
	const struct tr2_watched *file = sight->file;

	if (file->size < sight->before.size ||
	    (!file->offset && is_another(file, birth)))
		tr2_gone_tell_loss(sight->intake, &sight->before);
}

/*
 * A file that has neither a name nor a writer is no new one: somebody has
 * written over it, as logrotate does with `shred`. What was read of it may have
 * a copy.
 */
bool tr2_identity_find(struct tr2_sight *sight, int fd)
{
	uint64_t birth = tr2_birth_find(fd);
	struct tr2_watched *file = sight->file;
	enum tr2_mark_match match = compare_file(sight, birth, fd);

	if (match == TR2_MARK_SAME)
		tell_unread(sight, birth);
	if (match == TR2_MARK_UNREADABLE)
		tr2_sight_fail(sight, errno);
	else if (match == TR2_MARK_OTHER && sight->complete)
		file->grew = file->size < file->offset &&
			     grew_just_now(&sight->before);
	else if (match == TR2_MARK_OTHER)
		begin_anew(sight, birth);
	else if (file->offset && !file->mark.line_count)
		tr2_mark_find_lines(&file->mark, file->offset, fd);
	sight->file->birth = birth;
	sight->file->unsure = !tr2_sight_is_quiet(sight, QUIET_KNOWN);
	return match == TR2_MARK_SAME ||
	       (match == TR2_MARK_OTHER && !sight->complete);
}

static uint64_t hash_name(const struct tr2_watch *watch, const char *name)
{
	return tr2_hash(name, strlen(name)).a ^ (uintptr_t)watch;
}

/* Is there no file any more of which this is known? */
static bool is_gone(const struct tr2_watched *file)
{
	return file->unseen || file->cut;
}

/* Was what is known of it cut away, and no other file made? */
static bool was_cut(const struct tr2_watched *file)
{
	return file->cut && !file->number;
}

/* One of those that have the same hash of a begin or a name. */
struct origin {
	uint32_t file;
	uint32_t next; /* number of the one that was put before, from 1; or 0 */
};

static const struct origin *find_origin(const struct tr2_watches *watches,
					uint64_t number)
{
	const struct origin *origins = watches->origins.items;

	return number ? origins + number - 1 : NULL;
}

/* NULL: nothing of it is known any more. */
static struct tr2_watched *get_file(const struct tr2_watches *watches,
				    const struct origin *origin)
{
	struct tr2_watched *files = watches->table.files.items;
	struct tr2_watched *file = files + origin->file;

	return file->offset ? file : NULL;
}

/* All that are gone are in the list, and of others one is enough. */
static void index_file(struct tr2_watches *watches, uint64_t hash,
		       const struct tr2_watched *file)
{
	const struct tr2_watched *files = watches->table.files.items, *last;
	struct tr2_map_slot *slot = tr2_map_enter(&watches->heads, hash);
	const uint32_t next = (uint32_t)slot->value;

	last = next ? get_file(watches, find_origin(watches, next)) : NULL;
	if (last && !is_gone(last) && !is_gone(file))
		return;
	TR2_VEC_PUT(&watches->origins, struct origin, (uint32_t)(file - files),
		    next);
	slot->value = watches->origins.count;
}

void tr2_identity_add(struct tr2_watches *watches,
		      const struct tr2_watched *file)
{
	const struct tr2_mark *mark = &file->mark;

	if (!file->offset)
		return;
	/* Of what was cut there may be a copy that is older and shorter. */
	for (uint32_t i = 0; i < mark->line_count && (!i || was_cut(file)); i++)
		index_file(watches, mark->lines[i], file);
	if (mark->tail_len)
		index_file(watches, tr2_mark_shorten(mark->head), file);
	if (is_gone(file))
		index_file(watches, hash_name(file->watch, file->name), file);
}

void tr2_identity_index(struct tr2_watches *watches)
{
	const struct tr2_watched *file = watches->table.files.items;

	for (uint32_t left = watches->table.files.count; left; left--)
		tr2_identity_add(watches, file++);
}

/*
 * A copy that somebody is making is no longer than what it is made of, as far
 * as that was looked at; other directories may be later.
 */
static bool may_be_made(const struct tr2_sight *sight,
			const struct tr2_watched *from)
{
	const uint64_t size = (uint64_t)sight->st.st_size;

	return (size <= from->size || size <= from->offset ||
		from->watch != sight->watch) &&
	       !tr2_sight_is_quiet(sight, QUIET_COPY);
}

/* Is the file the copy of this one, or of its begin? */
static bool is_copy(const struct tr2_sight *sight,
		    const struct tr2_watched *from, int fd)
{
	const struct tr2_mark_begin *begin = &sight->watches->begin;

	return tr2_mark_fits(begin, &from->mark, from->offset) &&
	       tr2_mark_check(&from->mark, from->offset, fd) == TR2_MARK_SAME;
}

/*
 * It was copied, and then more of it was read before it was cut. All lines of
 * such a copy were read, if it is so short that all of it is known.
 */
static bool is_copy_of_begin(const struct tr2_sight *sight,
			     const struct tr2_watched *from)
{
	const struct tr2_mark_begin *begin = &sight->watches->begin;

	return begin->len == (uint64_t)sight->st.st_size &&
	       begin->len < from->offset && begin->lines == begin->len &&
	       tr2_mark_holds_begin(&from->mark, begin);
}

/* As it is known of this file. Its events have no other file now. */
static void go_on(const struct tr2_sight *sight, const struct tr2_watched *from)
{
	struct tr2_watched *file = sight->file;

	file->ended = from->ended;
	file->done = from->done;
	file->skipping = from->skipping;
	file->holed = from->holed;
	file->begin = from->begin;
	file->end = from->end;
}

/*
 * Is a new file the copy of one that was cut, as logrotate makes it with
 * `copytruncate`, or of one that went, as rsync(1) replaces a file, or the
 * number of its inode is another one after a mount? It is read from where that
 * one was read.
 */
static bool adopt_copy(const struct tr2_sight *sight, struct tr2_watched *from,
		       int fd)
{
	struct tr2_watched *file = sight->file;

	if (is_copy(sight, from, fd)) {
		file->offset = from->offset;
		file->mark = from->mark;
	} else if (from->cut && is_copy_of_begin(sight, from)) {
		file->offset = (uint64_t)sight->st.st_size;
		file->mark = tr2_mark_of_begin(&sight->watches->begin);
	} else {
		return false;
	}
	go_on(sight, from);
	from->lost = from->writer <= 0; /* nothing is */
	if (from->cut)			/* it has no other copy */
		tr2_gone_end_cut(&sight->watches->table, from);
	tr2_watched_note(&sight->watches->table, file);
	tr2_gone_replace(sight->watches, from);
	return true;
}

/*
 * Somebody may have cut the head of a file away. What is left of it goes on
 * where it was read. There may be a copy of the whole file, too.
 */
static bool adopt_rest(const struct tr2_sight *sight, struct tr2_watched *from,
		       int fd)
{
	const uint64_t size = (uint64_t)sight->st.st_size;
	char *room = sight->intake->scratch;
	struct tr2_watched *file = sight->file;
	uint64_t rest = 0;

	if (!(from->cut && from->lost))
		rest = tr2_mark_find_rest(
			&from->mark, size < from->offset ? size : from->offset,
			sight->watches->begin.unique, fd, room,
			sizeof(sight->intake->scratch));
	if (!rest)
		return false;
	go_on(sight, from);
	file->offset = rest;
	memcpy(file->mark.last, from->mark.last, sizeof(file->mark.last));
	tr2_mark_find_lines(&file->mark, rest, fd);
	tr2_watched_note(&sight->watches->table, file);
	from->lost = from->writer <= 0; /* it has no other rest */
	if (!from->cut)
		tr2_gone_replace(sight->watches, from);
	return true;
}

static bool has_name(const struct tr2_sight *sight,
		     const struct tr2_watched *from)
{
	return from->watch == sight->watch && !strcmp(from->name, sight->name);
}

/*
 * A writer whose lines have no SID may begin each of its files with equal lines.
 */
static bool may_be_copy(const struct tr2_sight *sight,
			const struct tr2_watched *from)
{
	return sight->watches->begin.unique
		       ? is_gone(from)
		       : was_cut(from) && !has_name(sight, from);
}

/* Does a new file begin as this one, which was read? */
static bool begins_as(const struct tr2_sight *sight,
		      const struct tr2_watched *from)
{
	const struct tr2_mark_begin *begin = &sight->watches->begin;

	return (was_cut(from) || from->offset >= COPY_LEAST) &&
	       (tr2_mark_fits(begin, &from->mark, from->offset) ||
		tr2_mark_holds_begin(&from->mark, begin));
}

/*
 * Is a new file the copy of one that is there no more? Otherwise `twin` is the
 * file as which it begins, or NULL; one that is there no more comes first.
 */
static bool adopt_twin(const struct tr2_sight *sight, struct tr2_watched **twin,
		       int fd)
{
	const struct tr2_watches *watches = sight->watches;
	const struct origin *origin;
	struct tr2_watched *from;
	uint64_t hash;

	*twin = NULL;
	for (size_t len = watches->begin.len; len; len--) {
		hash = tr2_mark_shorten(watches->begin.heads[len]);
		origin = find_origin(watches,
				     tr2_map_value(&watches->heads, hash));
		for (; origin; origin = find_origin(watches, origin->next)) {
			from = get_file(watches, origin);
			if (!from || !begins_as(sight, from))
				continue;
			if (may_be_copy(sight, from) &&
			    adopt_copy(sight, from, fd))
				return true;
			if (!*twin || (is_gone(from) && !is_gone(*twin)))
				*twin = from;
		}
	}
	return false;
}

/* Of the latest one that had the same name, and is there no more. */
static bool adopt_former(const struct tr2_sight *sight, int fd)
{
	const struct tr2_watches *watches = sight->watches;
	const struct origin *origin = find_origin(
		watches, tr2_map_value(&watches->heads,
				       hash_name(sight->watch, sight->name)));
	struct tr2_watched *from, *latest = NULL;

	for (; origin; origin = find_origin(watches, origin->next)) {
		from = get_file(watches, origin);
		if (from && is_gone(from) && has_name(sight, from) &&
		    (!latest || from->unseen < latest->unseen))
			latest = from;
	}
	return latest && adopt_rest(sight, latest, fd);
}

bool tr2_identity_must_wait(const struct tr2_sight *sight, int fd)
{
	struct tr2_watched *twin;

	if (sight->file->offset)
		return false;
	if (!sight->is_fresh)
		return true;
	tr2_mark_read_begin(&sight->watches->begin, fd);
	if (adopt_twin(sight, &twin, fd) || adopt_former(sight, fd) || !twin)
		return false;
	if (!sight->watches->last && may_be_made(sight, twin))
		return true;
	sight->intake->counts.repeats++;
	tr2_sight_report(sight->watch, sight->name,
			 "begins as another file that was read, so events may "
			 "come twice");
	return false;
}
