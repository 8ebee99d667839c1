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

static bool begins(const char *text, size_t len)
{
	return len >= BEGINNING && !memcmp(text, beginning, BEGINNING);
}

/* As nearly all writers have it: the SID right behind the name. */
static const char *find_usual(const char *text, size_t len)
{
	const char *quote, *end = text + len;

	if (!begins(text, len))
		return NULL;
	quote = memchr(text + BEGINNING, '"', len - BEGINNING);
	if (!quote || (size_t)(end - quote) < BETWEEN ||
	    memcmp(quote, between, BETWEEN))
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

/*
 * May an object begin at the brace that is no part of the one before? There
 * is a quote before it: that of the SID.
 */
static bool may_begin(const char *brace, const char *end)
{
	const char *before = brace - 1;

	if (begins(brace, (size_t)(end - brace)))
		return true;
	while (*before == ' ' || *before == '\t')
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

bool tr2_glance_line(const char *text, size_t len, struct tr2_glance *glance)
{
	const char *at, *end = text + len, *sid = find_sid(text, len);

	if (sid && is_same(sid, end, glance)) {
		glance->sid = sid;
	} else {
		glance->sid = tr2_glance_sid(text, len, &glance->len);
		glance->owner = 0;
		if (!glance->sid)
			return false;
		glance->owner =
			(uint8_t)tr2_glance_partition(glance->sid, glance->len);
	}
	at = glance->sid + glance->len;
	for (; (at = memchr(at, '{', (size_t)(end - at))); at++)
		if (may_begin(at, end))
			return false;
	return true;
}
