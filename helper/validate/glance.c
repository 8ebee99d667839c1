#include "validate/glance.h"

#include <string.h>

#include "validate/hash.h"
#include "validate/match.h"
#include "validate/text.h"

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

/* Are 8 to 16 bytes the same? That is asked of every line, so no memcmp(). */
static bool are_same(const char *a, const char *b, size_t len)
{
	uint64_t first[2], last[2];

	memcpy(&first[0], a, sizeof(*first));
	memcpy(&first[1], b, sizeof(*first));
	memcpy(&last[0], a + len - sizeof(*last), sizeof(*last));
	memcpy(&last[1], b + len - sizeof(*last), sizeof(*last));
	return first[0] == first[1] && last[0] == last[1];
}

static bool begins(const char *text, size_t len)
{
	return len >= BEGINNING && are_same(text, beginning, BEGINNING);
}

/* The first quote, or NULL; in the last bytes, less than 8, none is found. */
static const char *find_quote(const char *text, size_t len)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t word;

	for (; len >= sizeof(word); text += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, text, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		word = __builtin_bswap64(word);
#endif
		word ^= each * '"';
		word = (word - each) & ~word & each * 0x80;
		if (word)
			return text + __builtin_ctzll(word) / 8;
	}
	return NULL;
}

/* As nearly all writers have it: the SID right behind the name. */
static const char *find_usual(const char *text, size_t len)
{
	const char *quote, *end = text + len;

	if (!begins(text, len))
		return NULL;
	quote = find_quote(text + BEGINNING, len - BEGINNING);
	if (!quote || (size_t)(end - quote) < BETWEEN ||
	    !are_same(quote, between, BETWEEN))
		return NULL;
	return quote + BETWEEN;
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

/*
 * The first `"sid"` of the text, if it is a key of the outermost object
 * and has a string.
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
 * Escapes are not read here, a brace begins a torn line's next event, and
 * what is not UTF-8 becomes another text.
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

	if (begins(brace, (size_t)(end - brace)))
		return true;
	while (before > text && (*before == ' ' || *before == '\t'))
		before--;
	return *before != ':' && *before != ',' && *before != '[';
}

static bool is_same(const char *sid, const char *end,
		    const struct tr2_glance *glance)
{
	return glance->sid && (size_t)(end - sid) > glance->len &&
	       sid[glance->len] == '"' &&
	       !memcmp(sid, glance->sid, glance->len);
}

bool tr2_glance_owner(const char *text, size_t len, struct tr2_glance *glance)
{
	const char *sid = find_sid(text, len);

	if (sid && is_same(sid, text + len, glance)) {
		glance->sid = sid;
		return true;
	}
	glance->sid = tr2_glance_sid(text, len, &glance->len);
	glance->owner = 0;
	if (glance->sid)
		glance->owner =
			(uint8_t)tr2_glance_partition(glance->sid, glance->len);
	return glance->sid;
}

bool tr2_glance_line(const char *text, size_t len, struct tr2_glance *glance)
{
	const char *at, *end = text + len;

	if (!tr2_glance_owner(text, len, glance))
		return false;
	at = glance->sid + glance->len;
	for (; (at = memchr(at, '{', (size_t)(end - at))); at++)
		if (tr2_glance_may_begin(text, at, end))
			return false;
	return true;
}
