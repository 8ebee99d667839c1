/* What was read of a file, in a few bytes. */
#include <string.h>
#include <unistd.h>

#include "collect/intake/watched.h"
#include "lib/text/text.h"

#define TIME "00:00:00.000000"
#define FACTOR UINT64_C(0x100000001b3)
#define TAIL ((size_t)4 << 10)
#define TAIL_MOST ((size_t)16 << 10)
#define SOUGHT \
	(UINT64_C(64) << 20) /* bytes, before where the last read ended */

static uint64_t add_byte(uint64_t hash, char byte)
{
	return (hash + (unsigned char)byte + 1) * FACTOR;
}

static uint64_t add_bytes(uint64_t hash, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = add_byte(hash, bytes[i]);
	return hash;
}

static size_t find_head(uint64_t len)
{
	return len < TR2_MARK_HEAD ? (size_t)len : TR2_MARK_HEAD;
}

static void add_head(struct tr2_mark *mark, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		mark->head = add_byte(mark->head, bytes[i]);
		if (bytes[i] == '\n' && mark->line_count < TR2_MARK_LINES)
			mark->lines[mark->line_count++] =
				tr2_mark_shorten(mark->head);
	}
}

static void add_line(uint32_t *last, uint64_t hash)
{
	memmove(last + 1, last, (TR2_MARK_LAST - 1) * sizeof(*last));
	last[0] = tr2_mark_shorten(hash);
}

/* So many of the lines at the end. None is known if one has no end. */
static void add_last(uint32_t *last, const char *bytes, size_t len, int count)
{
	const char *line;

	if (!len || !count)
		return;
	if (bytes[len - 1] != '\n') {
		memset(last, 0, TR2_MARK_LAST * sizeof(*last));
		return;
	}
	line = tr2_text_find_end(bytes, len - 1);
	line = line ? line : bytes;
	add_last(last, bytes, (size_t)(line - bytes), count - 1);
	add_line(last, add_bytes(0, line, len - (size_t)(line - bytes)));
}

void tr2_mark_add(struct tr2_mark *mark, uint64_t at, const char *bytes,
		  size_t len)
{
	size_t skipped = 0;

	add_head(mark, bytes, find_head(at + len) - find_head(at));
	add_last(mark->last, bytes, len, TR2_MARK_LAST);
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

enum tr2_mark_match tr2_mark_check(const struct tr2_mark *mark, uint64_t end,
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

void tr2_mark_find_lines(struct tr2_mark *mark, uint64_t end, int fd)
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
	memcpy(lines.last, mark->last, sizeof(lines.last));
	*mark = lines;
}

/* Has no other process such a line? */
static bool is_unique(const char *bytes, size_t len)
{
	const char *lf = memchr(bytes, '\n', len);
	const size_t line = lf ? (size_t)(lf - bytes) : 0;

	return tr2_text_find(bytes, line, "\"sid\":\"") ||
	       (line > strlen(TIME) &&
		tr2_text_has_form(bytes, strlen(TIME), TIME));
}

void tr2_mark_read_begin(struct tr2_mark_begin *begin, int fd)
{
	char bytes[TR2_MARK_HEAD];
	ssize_t got = pread(fd, bytes, sizeof(bytes), 0);

	begin->len = got > 0 ? (size_t)got : 0;
	begin->lines = 0;
	begin->unique = is_unique(bytes, begin->len);
	begin->heads[0] = 0;
	for (size_t i = 0; i < begin->len; i++) {
		begin->heads[i + 1] = add_byte(begin->heads[i], bytes[i]);
		if (bytes[i] == '\n')
			begin->lines = i + 1;
	}
}

bool tr2_mark_fits(const struct tr2_mark_begin *begin,
		   const struct tr2_mark *mark, uint64_t end)
{
	size_t head = find_head(end);

	return mark->tail_len && head <= begin->len &&
	       begin->heads[head] == mark->head;
}

bool tr2_mark_holds_begin(const struct tr2_mark *mark,
			  const struct tr2_mark_begin *begin)
{
	const uint32_t wanted = tr2_mark_shorten(begin->heads[begin->lines]);

	for (uint32_t i = 0; begin->lines && i < mark->line_count; i++)
		if (mark->lines[i] == wanted)
			return true;
	return false;
}

struct tr2_mark tr2_mark_of_begin(const struct tr2_mark_begin *begin)
{
	const uint64_t hash = begin->heads[begin->len];

	return (struct tr2_mark){ .head = hash,
				  .tail = hash,
				  .tail_len = (uint32_t)begin->len };
}

/* Are these, the last of so many lines, what was read last? */
static bool ends_as(const uint32_t *last, const uint32_t *wanted,
		    unsigned lines, bool unique)
{
	unsigned count = lines > 2 ? lines - 1 : lines; /* half of the first */
	size_t size;

	count = count < TR2_MARK_LAST ? count : TR2_MARK_LAST;
	size = count * sizeof(*last);
	if (memcmp(last, wanted, size) != 0)
		return false;
	return lines == 1 ? unique /* or not all are equal */
			  : memcmp(last, last + 1, size - sizeof(*last)) != 0;
}

uint64_t tr2_mark_find_rest(const struct tr2_mark *mark, uint64_t end,
			    bool unique, int fd, char *room, size_t size)
{
	uint64_t at = end > SOUGHT ? end - SOUGHT : 0, hash = 0;
	uint32_t last[TR2_MARK_LAST] = { 0 };
	unsigned lines = 0;
	ssize_t got, i;

	while (mark->last[0] && (got = pread(fd, room, size, (off_t)at)) > 0)
		for (i = 0; i < got; i++) {
			if (++at > end)
				return 0;
			hash = add_byte(hash, room[i]);
			if (room[i] != '\n')
				continue;
			add_line(last, hash);
			hash = 0;
			if (ends_as(last, mark->last, ++lines, unique))
				return at;
		}
	return 0;
}
