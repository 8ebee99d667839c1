/* Is a file that is seen the one that is known? */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "collect/intake/sight.h"
#include "collect/intake/watched.h"
#include "lib/files/linux.h"

/*
 * ---- What was read of a file
 */

#define FACTOR UINT64_C(0x100000001b3)
#define TAIL ((size_t)4 << 10)
#define TAIL_MOST ((size_t)16 << 10)

static uint64_t add_byte(uint64_t hash, char byte)
{
	return (hash + (unsigned char)byte + 1) * FACTOR;
}

static uint64_t add_bytes(uint64_t hash, const char *bytes, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		hash = add_byte(hash, bytes[i]);
	return hash;
}

static size_t find_head(uint64_t len)
{
	return len < TR2_MARK_HEAD ? (size_t)len : TR2_MARK_HEAD;
}

static uint32_t shorten_hash(uint64_t hash)
{
	return (uint32_t)(hash >> 32);
}

static void end_line(struct tr2_mark *mark)
{
	if (!mark->line_count)
		mark->first = mark->head;
	if (mark->line_count < TR2_MARK_LINES)
		mark->lines[mark->line_count++] = shorten_hash(mark->head);
}

static void add_head(struct tr2_mark *mark, const char *bytes, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		mark->head = add_byte(mark->head, bytes[i]);
		if (bytes[i] == '\n')
			end_line(mark);
	}
}

void tr2_mark_add(struct tr2_mark *mark, uint64_t at, const char *bytes,
		  size_t len)
{
	size_t skipped = 0;

	add_head(mark, bytes, find_head(at + len) - find_head(at));
	if (mark->tail_len + len > TAIL_MOST) {
		skipped = len > TAIL ? len - TAIL : 0;
		mark->tail = mark->tail_len = 0;
	}
	mark->tail = add_bytes(mark->tail, bytes + skipped, len - skipped);
	mark->tail_len += (uint32_t)(len - skipped);
}

static enum tr2_mark_match check_bytes(uint64_t hash, uint64_t at, size_t len,
				       int fd)
{
	char bytes[TAIL_MOST];
	ssize_t got = pread(fd, bytes, len, (off_t)at);

	if (got < 0)
		return TR2_MARK_UNREADABLE;
	return (size_t)got == len && add_bytes(0, bytes, len) == hash
		       ? TR2_MARK_SAME
		       : TR2_MARK_OTHER;
}

/*
 * Has the file what was read so far, which is all before `end`? With
 * TR2_MARK_UNREADABLE, errno tells why nobody knows.
 */
static enum tr2_mark_match check_mark(const struct tr2_mark *mark, uint64_t end,
				      int fd)
{
	enum tr2_mark_match match;

	if (!mark->tail_len)
		return TR2_MARK_SAME;
	if (mark->tail_len > end || mark->tail_len > TAIL_MOST)
		return TR2_MARK_OTHER;
	match = check_bytes(mark->head, 0, find_head(end), fd);
	if (match != TR2_MARK_SAME)
		return match;
	return check_bytes(mark->tail, end - mark->tail_len, mark->tail_len,
			   fd);
}

/*
 * Find again what is only of this run: an earlier one has read the file; and
 * the hashes, if that was an older version, which had none.
 */
static void find_mark_lines(struct tr2_mark *mark, uint64_t end, int fd)
{
	struct tr2_mark lines = { 0 };
	const size_t len = find_head(end);
	char bytes[TR2_MARK_HEAD];
	ssize_t got = pread(fd, bytes, len, 0);

	if (got <= 0)
		return;
	add_head(&lines, bytes, (size_t)got);
	lines.tail = mark->tail;
	lines.tail_len = mark->tail_len;
	if (mark->tail_len)
		lines.head = mark->head;
	else if (pread(fd, bytes, len, (off_t)(end - len)) == got)
		tr2_mark_add(&lines, TR2_MARK_HEAD, bytes, (size_t)got);
	*mark = lines;
}

static void read_mark_begin(struct tr2_mark_begin *begin, int fd)
{
	char bytes[TR2_MARK_HEAD];
	ssize_t got = pread(fd, bytes, sizeof(bytes), 0);
	size_t i;

	begin->len = got > 0 ? (size_t)got : 0;
	begin->lines = 0;
	begin->heads[0] = 0;
	for (i = 0; i < begin->len; i++) {
		begin->heads[i + 1] = add_byte(begin->heads[i], bytes[i]);
		if (bytes[i] == '\n')
			begin->lines = i + 1;
	}
}

/* Does the file begin as the one that was read up to `end`? */
static bool fits_mark(const struct tr2_mark_begin *begin,
		      const struct tr2_mark *mark, uint64_t end)
{
	size_t head = find_head(end);

	return mark->tail_len && head <= begin->len &&
	       begin->heads[head] == mark->head;
}

/* Is it, up to its last line end, the begin of what the mark is of? */
static bool holds_begin(const struct tr2_mark *mark,
			const struct tr2_mark_begin *begin)
{
	const uint32_t wanted = shorten_hash(begin->heads[begin->lines]);
	uint32_t i;

	for (i = 0; begin->lines && i < mark->line_count; i++)
		if (mark->lines[i] == wanted)
			return true;
	return false;
}

/* Returns the mark of a file of which all is in `begin`, and was read. */
static struct tr2_mark mark_begin(const struct tr2_mark_begin *begin)
{
	const uint64_t hash = begin->heads[begin->len];

	return (struct tr2_mark){ .head = hash,
				  .tail = hash,
				  .tail_len = (uint32_t)begin->len };
}

/* Seconds without a change. */
#define QUIET_KNOWN 2 /* a change may have the same time as the one before */
#define QUIET_COPY 3
#define COPY_LEAST 64 /* bytes; fewer are often equal by chance */

/* Another file has the name or the inode: what is known is of one that went. */
static void begin_anew(struct tr2_sight *sight)
{
	struct tr2_watched_table *table = &sight->watch->table;
	struct tr2_watched *file = sight->file;

	file->offset = file->begin = file->end = 0;
	file->ended = file->skipping = file->holed = false;
	file->mark = (struct tr2_mark){ 0 };
	tr2_watched_keep(table, sight->known, true);
	sight->file = tr2_watched_find_inode(table, (uint64_t)sight->st.st_ino);
}

static bool may_be_same(const struct tr2_sight *sight, uint64_t birth)
{
	const struct tr2_watched *file = sight->file;

	return file->offset <= (uint64_t)sight->st.st_size &&
	       (!birth || !file->birth || birth == file->birth);
}

bool tr2_identity_find(struct tr2_sight *sight, int fd)
{
	uint64_t birth = tr2_birth_find(fd);
	struct tr2_watched *file = sight->file;
	enum tr2_mark_match match = TR2_MARK_SAME;

	if (file->unsure && file->offset)
		match = may_be_same(sight, birth)
				? check_mark(&file->mark, file->offset, fd)
				: TR2_MARK_OTHER;
	if (match == TR2_MARK_UNREADABLE)
		tr2_sight_fail(sight, errno);
	else if (match == TR2_MARK_OTHER)
		begin_anew(sight);
	else if (file->offset && !file->mark.line_count)
		find_mark_lines(&file->mark, file->offset, fd);
	sight->file->birth = birth;
	sight->file->unsure = !tr2_sight_is_quiet(sight, QUIET_KNOWN);
	return match != TR2_MARK_UNREADABLE;
}

void tr2_identity_index(struct tr2_watches *watches,
			const struct tr2_watched_table *table)
{
	struct tr2_map *heads = &watches->heads;
	const struct tr2_watched *file = table->files.items;
	struct tr2_map_slot *slot;
	uint32_t i;

	for (i = 0; i < table->files.count; i++)
		if (file[i].mark.line_count)
			tr2_map_enter(heads, file[i].mark.first | 1)->value =
				i + 1;
	for (i = 0; i < table->files.count; i++) {
		if (!file[i].mark.tail_len)
			continue;
		slot = tr2_map_enter(heads, file[i].mark.head | 1);
		if (!slot->value || !file[slot->value - 1].unseen)
			slot->value = i + 1;
	}
}

/* A copy that somebody is making is no longer than what it is made of. */
static bool may_be_made(const struct tr2_sight *sight,
			const struct tr2_watched *from)
{
	const uint64_t size = (uint64_t)sight->st.st_size;

	return (size <= from->size || size <= from->offset) &&
	       !tr2_sight_is_quiet(sight, QUIET_COPY);
}

/* Is the file the copy of this one, or of its begin? */
static bool is_copy(const struct tr2_sight *sight,
		    const struct tr2_watched *from, int fd)
{
	const struct tr2_mark_begin *begin = &sight->watches->begin;

	return fits_mark(begin, &from->mark, from->offset) &&
	       check_mark(&from->mark, from->offset, fd) == TR2_MARK_SAME;
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
	       holds_begin(&from->mark, begin);
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
		file->ended = from->ended;
		file->skipping = from->skipping;
		file->holed = from->holed;
		file->mark = from->mark;
	} else if (from->cut && is_copy_of_begin(sight, from)) {
		file->offset = (uint64_t)sight->st.st_size;
		file->mark = mark_begin(&sight->watches->begin);
	} else {
		return false;
	}
	file->begin = from->begin;
	file->end = from->end;
	sight->watch->table.cuts -= from->cut;
	from->cut = false; /* it has no other copy */
	tr2_watched_note(&sight->watches->log, sight->watch->path, file);
	tr2_gone_forget(sight, from);
	return true;
}

static bool adopt_cut(const struct tr2_sight *sight, int fd)
{
	const struct tr2_watched_table *table = &sight->watch->table;
	struct tr2_watched *from = table->files.items;
	const struct tr2_watched *end = from + table->files.count;

	for (; from < end; from++)
		if (from->cut && adopt_copy(sight, from, fd))
			return true;
	return false;
}

/*
 * Returns the file that was read and as which the new one begins, or NULL. One
 * that is there no more comes before one that is.
 */
static struct tr2_watched *find_twin(const struct tr2_sight *sight)
{
	const struct tr2_mark_begin *begin = &sight->watches->begin;
	struct tr2_watched *files = sight->watch->table.files.items;
	struct tr2_watched *twin, *found = NULL;
	uint64_t number;
	size_t len;

	for (len = 1; len <= begin->len; len++) {
		number = tr2_map_value(&sight->watches->heads,
				       begin->heads[len] | 1);
		twin = number ? files + number - 1 : NULL;
		if (twin && twin->offset >= COPY_LEAST &&
		    (!found || twin->unseen) &&
		    (fits_mark(begin, &twin->mark, twin->offset) ||
		     holds_begin(&twin->mark, begin)))
			found = twin;
	}
	return found;
}

bool tr2_identity_must_wait(const struct tr2_sight *sight, int fd)
{
	struct tr2_watched *twin;

	if (sight->file->offset)
		return false;
	if (!sight->watches->heads.count) /* as long as others are not known */
		return sight->watch->table.cuts && !sight->watches->last;
	read_mark_begin(&sight->watches->begin, fd);
	if (sight->watch->table.cuts && adopt_cut(sight, fd))
		return false;
	twin = find_twin(sight);
	if (!twin || (twin->unseen && adopt_copy(sight, twin, fd)))
		return false;
	if (!sight->watches->last && may_be_made(sight, twin))
		return true;
	sight->intake->counts.repeats++;
	tr2_sight_report(sight->watch, sight->name,
			 "begins as another file that was read, so events may "
			 "come twice");
	return false;
}
