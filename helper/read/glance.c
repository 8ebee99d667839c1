#include "read/glance.h"

#include <string.h>

#include "read/json/match.h"
#include "lib/text/text.h"

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
static const char *find_sid(const char *text, size_t len)
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

/*
 * May an event begin at this brace, or an object that is not part of the one
 * before? The brace is not the first byte of the text.
 */
static bool may_begin_event(const char *text, const char *brace,
			    const char *end)
{
	const char *before = brace - 1;

	if (tr2_text_starts(brace, (size_t)(end - brace), "{\"event\":\""))
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
		if (may_begin_event(text, at, end))
			return NULL;
	return sid;
}
