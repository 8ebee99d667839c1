#include <string.h>

#include "lib/text/text.h"
#include "redact/redactor/redactor.h"
#include "redact/secret/needles.h"

/* A quick test: most lines have neither a URL nor an escape. */
bool tr2_redactor_may_have_password(const struct tr2_line *line)
{
	return line->escapes || tr2_text_find(line->text, line->len, "://");
}

/*
 * `USER:PASSWORD@HOST`: each password without a name is between the two, or at the
 * end of a URL that was cut.
 */
static bool has_login(const char *text, size_t len)
{
	const char *colon = memchr(text, ':', len), *url;
	const char *end = text + len;

	if (!colon || memchr(colon, '@', (size_t)(end - colon)))
		return colon;
	url = tr2_text_find(colon, (size_t)(end - colon), "://");
	return url && memchr(url + 1, ':', (size_t)(end - url - 1));
}

static bool has_any(const struct tr2_redactor *redactor, const char *text,
		    size_t len)
{
	return tr2_needles_find(redactor->needles, text, len) ||
	       has_login(text, len) || tr2_view_differs(text, len);
}

/* No secret has the form of a time. */
static bool is_time(const char *text, size_t len)
{
	return tr2_text_has_form(text, len, "\"0000-00-00T00:00:00.000000Z\"");
}

#define BIT(key) (UINT64_C(1) << (key))

/* The texts of a line that have to be looked at, as bits. */
static uint64_t find_texts(const struct tr2_record *record,
			   const struct tr2_line *line)
{
	const struct tr2_value *time = &record->value[TR2_KEY_TIME];
	uint64_t left = record->present;

	if (tr2_record_has(record, TR2_KEY_TIME) &&
	    is_time(line->text + time->start, time->end - time->start))
		left &= ~BIT(TR2_KEY_TIME);
	if (record->is != TR2_IS_OTHER)
		left &= ~BIT(TR2_KEY_EVENT);
	return left &
	       ~(record->plain[TR2_INTEGER] | record->plain[TR2_FRACTION]);
}

/*
 * Has a text of an event a sign of a secret? Numbers have none, nor have events
 * and the names of members that the schema knows.
 */
static bool has_text(const struct tr2_redactor *redactor,
		     const struct tr2_line *line)
{
	const struct tr2_record *record = &redactor->record;
	const struct tr2_value *value = record->value, *text;
	uint64_t left = find_texts(record, line);

	for (; left; left &= left - 1) {
		text = value + __builtin_ctzll(left);
		if (has_any(redactor, line->text + text->start,
			    text->end - text->start))
			return true;
	}
	return false;
}

/* A letter of a name or token may be an escape. */
static bool may_have_escape(const struct tr2_line *line)
{
	return line->escapes && tr2_text_find(line->text, line->len, "\\u");
}

bool tr2_redactor_may_have_secret(const struct tr2_redactor *redactor,
				  const struct tr2_line *line)
{
	return redactor->key.left || may_have_escape(line) ||
	       has_any(redactor, line->text, line->len);
}

bool tr2_redactor_is_plain(const struct tr2_redactor *redactor,
			   const struct tr2_line *line)
{
	const struct tr2_record *record = &redactor->record;

	return !redactor->key.left && !line->escapes && !record->unknown &&
	       !record->repeated && !has_text(redactor, line);
}
