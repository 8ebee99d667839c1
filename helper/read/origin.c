#include "read/origin.h"

#include <string.h>

#include "lib/text/text.h"
#include "read/json/match.h"

#define KEY "attributes"

const char *tr2_origin_host(const char *sid, size_t len, size_t *host_len)
{
	const char *slash = memchr(sid, '/', len), *found, *end;

	if (slash)
		len = (size_t)(slash - sid);
	found = tr2_text_find(sid, len, "-H");
	if (!found)
		return NULL;
	found++;
	len -= (size_t)(found - sid);
	end = memchr(found, '-', len);
	*host_len = end ? (size_t)(end - found) : len;
	return found;
}

void tr2_origin_put(struct tr2_buf *out, const char *start, size_t len,
		    const char *object)
{
	while (len && start[len - 1] != '}')
		len--;
	tr2_buf_add(out, start, len ? len - 1 : 0);
	tr2_buf_str(out, ",\"" KEY "\":");
	tr2_buf_str(out, object);
	tr2_buf_byte(out, '}');
}

/* Of the keys that are in no schema, a record has the last one. */
const struct tr2_value *tr2_origin_of(struct tr2_record *record)
{
	const struct tr2_value *value = &record->other;
	struct tr2_value key;
	const char *text;
	size_t len;

	if (record->is != TR2_IS_START || !record->unknown ||
	    value->kind != TR2_OBJECT || value->token < 2 ||
	    !tr2_parse_key(&record->parse, value->token - 2, &key))
		return NULL;
	text = tr2_parse_text(&record->parse, &key, &record->scratch, &len);
	return tr2_text_is(text, len, KEY) ? value : NULL;
}

bool tr2_origin_next(struct tr2_record *record, size_t *token,
		     struct tr2_value *name, struct tr2_value *value)
{
	struct tr2_parse *parse = &record->parse;
	size_t at = *token;

	if (!at)
		at = record->other.token;
	do {
		if (tr2_parse_byte(parse, at) == '}' ||
		    tr2_parse_byte(parse, at + 1) == '}')
			return false;
		at = tr2_parse_key(parse, at + 1, name);
		at = at ? tr2_parse_value(parse, at, value) : 0;
	} while (at && value->kind != TR2_STRING);
	*token = at;
	return at;
}

const char *tr2_origin_find(struct tr2_record *record, const char *name,
			    size_t *len)
{
	struct tr2_value key, value;
	size_t token = 0;
	const char *text;

	if (!tr2_origin_of(record))
		return NULL;
	while (tr2_origin_next(record, &token, &key, &value)) {
		text = tr2_parse_text(&record->parse, &key, &record->scratch,
				      len);
		if (tr2_text_is(text, *len, name))
			return tr2_parse_text(&record->parse, &value,
					      &record->scratch, len);
	}
	return NULL;
}

const char *tr2_origin_user(struct tr2_record *record, size_t *len)
{
	static const char *const names[] = { "USER", "LOGNAME", "USERNAME",
					     NULL };
	const char *text;

	if (record->is != TR2_IS_DEF_PARAM)
		return tr2_origin_find(record, "user.name", len);
	text = tr2_record_text(record, TR2_KEY_PARAM, len);
	return text && tr2_text_is_one(text, *len, names)
		       ? tr2_record_text(record, TR2_KEY_VALUE, len)
		       : NULL;
}

/* ---- Without reading the line */

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
