#include "log/glance.h"

#include <string.h>

#include "log/block.h"
#include "common/hash.h"
#include "log/marks.h"
#include "json/match.h"
#include "text/text.h"

static const char beginning[] = "{\"event\":\"";
static const char between[] = "\",\"sid\":\"";

#define BEGINNING (sizeof(beginning) - 1)
#define BETWEEN (sizeof(between) - 1)

unsigned tr2_glance_partition(const char *sid, size_t len)
{
	const char *slash = memchr(sid, '/', len);

	if (slash)
		len = (size_t)(slash - sid);
	return (unsigned)(tr2_hash(sid, len).a >> 32) % TR2_PARTITIONS;
}

/* Are 8 to 16 bytes equal? Without memcmp(), because every line needs it. */
static bool are_same(const char *a, const char *b, size_t len)
{
	uint64_t first[2], last[2];

	memcpy(&first[0], a, sizeof(*first));
	memcpy(&first[1], b, sizeof(*first));
	memcpy(&last[0], a + len - sizeof(*last), sizeof(*last));
	memcpy(&last[1], b + len - sizeof(*last), sizeof(*last));
	return !((first[0] ^ first[1]) | (last[0] ^ last[1]));
}

static bool begins_event(const char *text, size_t len)
{
	return len >= BEGINNING && are_same(text, beginning, BEGINNING);
}

/* Nearly all writers put the SID after a short name; look there first. */
static inline const char *find_usual(const char *text, size_t len)
{
	const char *quote;

	if (len < BEGINNING + TR2_MARKS_NAME + BETWEEN ||
	    !are_same(text, beginning, BEGINNING))
		return NULL;
	quote = text + BEGINNING + tr2_marks_quote(text + BEGINNING);
	return are_same(quote, between, BETWEEN) ? quote + BETWEEN : NULL;
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

/*
 * Find the first `"sid"` of the text, if it is a key of the outermost object
 * and its value is a string.
 */
static const char *find_any(const char *text, size_t len)
{
	static const char key[] = "\"sid\"";
	const char *end = text + len, *at = tr2_text_find(text, len, key);

	if (!at || *text != '{' || at[-1] == '\\' ||
	    memchr(text + 1, '{', (size_t)(at - text)))
		return NULL;
	at = skip_blanks(at + strlen(key), end);
	if (at == end || *at != ':')
		return NULL;
	at = skip_blanks(at + 1, end);
	return at < end && *at == '"' ? at + 1 : NULL;
}

static const char *find_sid(const char *text, size_t len)
{
	const char *sid = find_usual(text, len);

	return sid ? sid : find_any(text, len);
}

/*
 * Not found are: a SID with escapes, which are not decoded here; one after a
 * brace, which may begin the next event of a torn line; and one with bytes
 * that are not UTF-8, which the reader would replace.
 */
const char *tr2_glance_sid(const char *text, size_t len, size_t *sid_len)
{
	const char *sid = find_sid(text, len), *end;

	if (!sid)
		return NULL;
	end = memchr(sid, '"', len - (size_t)(sid - text));
	if (!end)
		return NULL;
	*sid_len = (size_t)(end - sid);
	return tr2_match_plain(sid, *sid_len) ? sid : NULL;
}

bool tr2_glance_may_begin(const char *text, const char *brace, const char *end)
{
	const char *before = brace - 1;

	if (begins_event(brace, (size_t)(end - brace)))
		return true;
	while (before > text && (*before == ' ' || *before == '\t'))
		before--;
	return *before != ':' && *before != ',' && *before != '[';
}

const char *tr2_glance_line(const char *text, size_t len, size_t *sid_len)
{
	const char *sid = tr2_glance_sid(text, len, sid_len);
	const char *end = text + len, *at;

	if (!sid)
		return NULL;
	for (at = sid + *sid_len; (at = memchr(at, '{', (size_t)(end - at)));
	     at++)
		if (tr2_glance_may_begin(text, at, end))
			return NULL;
	return sid;
}

/*
 * ---- All lines of a text
 */

struct seen {
	const char *sid; /* SID of an earlier event, or NULL */
	size_t len;
	uint8_t owner; /* its partition, or 0 */
};

/* Most lines belong to the same process as the line before. */
static inline bool is_again(const char *text, size_t len,
			    const struct seen *seen)
{
	const char *sid = find_usual(text, len);

	return sid && seen->sid && (size_t)(text + len - sid) > seen->len &&
	       sid[seen->len] == '"' && !memcmp(sid, seen->sid, seen->len);
}

static bool see_sid(const char *text, size_t len, struct seen *seen)
{
	seen->sid = tr2_glance_sid(text, len, &seen->len);
	seen->owner = 0;
	if (seen->sid)
		seen->owner =
			(uint8_t)tr2_glance_partition(seen->sid, seen->len);
	return seen->sid;
}

/*
 * The last line of the run is for all checkers: it becomes a run of its own,
 * which is returned.
 */
static struct tr2_block_line *share_last(struct tr2_block_line *run)
{
	struct tr2_block_line *last = run + run->alike;

	last->shared = true;
	if (run->alike)
		run->alike--;
	return last;
}

/* A line for one checker continues the run of its owner. */
static struct tr2_block_line *join_run(struct tr2_block_line *run,
				       struct tr2_block_line *line)
{
	if (run == line || run->shared || line->shared ||
	    run->owner != line->owner)
		return line;
	run->alike++;
	return run;
}

void tr2_glance_at_lines(struct tr2_block *block)
{
	struct tr2_block_line *line = block->lines.items, *run = line;
	struct tr2_block_line *end = line + block->lines.count;
	struct seen seen = { .sid = NULL };
	const char *text;
	bool known;

	for (; line < end; line++) {
		text = block->text + line->at;
		known = is_again(text, line->len, &seen) ||
			see_sid(text, line->len, &seen);
		line->shared = !known || line->begins;
		line->owner = seen.owner;
		if (*text != '{')
			run = share_last(run);
		run = join_run(run, line);
	}
	if (!block->leads_on)
		share_last(run);
}
