#include "validate/glance.h"

#include <string.h>

#include "validate/hash.h"
#include "validate/text.h"

static const char *const beginning = "{\"event\":\"";

unsigned tr2_glance_partition(const char *sid, size_t len)
{
	const char *slash = memchr(sid, '/', len);

	if (slash)
		len = (size_t)(slash - sid);
	return (unsigned)(tr2_hash(sid, len).a >> 32) % TR2_PARTITIONS;
}

/* As nearly all writers have it: the SID right behind the name. */
static const char *find_usual(const char *text, size_t len)
{
	static const char between[] = "\",\"sid\":\"";
	const char *quote;

	if (!tr2_text_starts(text, len, beginning))
		return NULL;
	quote = memchr(text + strlen(beginning), '"', len - strlen(beginning));
	if (!quote ||
	    !tr2_text_starts(quote, (size_t)(text + len - quote), between))
		return NULL;
	return quote + strlen(between);
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
	    memchr(text + 1, '{', (size_t)(at - text) - 1))
		return NULL;
	at = skip_blanks(at + strlen(key), end);
	if (at == end || *at != ':')
		return NULL;
	at = skip_blanks(at + 1, end);
	return at < end && *at == '"' ? at + 1 : NULL;
}

/*
 * Escapes are not read here, a brace begins a torn line's next event, and
 * what is not UTF-8 becomes another text.
 */
static bool is_plain(const char *sid, size_t len)
{
	unsigned char high = 0;
	size_t i;

	for (i = 0; i < len; i++)
		high |= (unsigned char)sid[i];
	return !(high & 0x80) && !memchr(sid, '\\', len) &&
	       !memchr(sid, '{', len);
}

const char *tr2_glance_sid(const char *text, size_t len, size_t *sid_len)
{
	const char *sid = find_usual(text, len), *end;

	if (!sid && len)
		sid = find_any(text, len);
	if (!sid)
		return NULL;
	end = memchr(sid, '"', len - (size_t)(sid - text));
	if (!end)
		return NULL;
	*sid_len = (size_t)(end - sid);
	return is_plain(sid, *sid_len) ? sid : NULL;
}

/* May an object begin at the brace that is no part of the one before? */
static bool may_begin(const char *text, const char *brace, const char *end)
{
	const char *before = brace - 1;

	if (tr2_text_starts(brace, (size_t)(end - brace), beginning))
		return true;
	while (before > text && (*before == ' ' || *before == '\t'))
		before--;
	return *before != ':' && *before != ',' && *before != '[';
}

bool tr2_glance_line(const char *text, size_t len, uint8_t *owner)
{
	size_t sid_len;
	const char *sid = tr2_glance_sid(text, len, &sid_len);
	const char *at, *end = text + len;

	*owner = 0;
	if (!sid)
		return false;
	*owner = (uint8_t)tr2_glance_partition(sid, sid_len);
	for (at = sid + sid_len; (at = memchr(at, '{', (size_t)(end - at)));
	     at++)
		if (may_begin(text, at, end))
			return false;
	return true;
}
