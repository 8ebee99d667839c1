#include "read/text/pieces.h"

#include <string.h>

#include "base/json.h"
#include "lib/text/text.h"
#include "perf_forms_rows.h"
#include "read/text/form.h"

#define CATEGORY_CUT ((size_t)12)
#define FORMS 4 /* most forms of a payload */

#define K(name) TR2_KEY_##name,
#define FORM(is, number, form, keys) [TR2_IS_##is][number] = { form, { keys } },

static const struct tr2_form forms[TR2_IS_OTHER + 1][FORMS] = { PERF_FORMS_ROWS(
	FORM) };

bool tr2_perf_divide(struct tr2_plain_event *event, const char *text,
		     size_t len)
{
	struct tr2_bad_column ignored;
	const struct tr2_columns *columns = &event->columns;

	if (!memchr(text, '|', len) && !memchr(text, '\t', len))
		return false;
	if (!tr2_columns_read(&event->columns, text, len, true, &ignored) &&
	    !tr2_columns_read_loose(&event->columns, text, len))
		return false;
	event->format = TR2_LOG_PERF;
	event->is = event->named = columns->is;
	event->text = text;
	event->len = len;
	event->payload = columns->payload;
	event->has_clock = columns->has_clock;
	event->source = columns->source;
	return true;
}

/* Skip the dots of open regions, which `start` and `version` do not have. */
static size_t skip_dots(const struct tr2_plain_event *event)
{
	size_t at = event->payload;

	if (event->is == TR2_IS_START || event->is == TR2_IS_VERSION)
		return at;
	while (at + 1 < event->len && event->text[at] == '.' &&
	       event->text[at + 1] == '.')
		at += 2;
	return at;
}

/*
 * A label is one word, and a message may follow it. In these categories of
 * git labels are titles, and there is no message.
 */
static bool has_titles(const char *category, size_t len)
{
	return tr2_text_is(category, len, "progress") ||
	       tr2_text_is(category, len, "diff") ||
	       tr2_text_is(category, len, "merge");
}

static void find_region(const struct tr2_plain_event *event, size_t at,
			struct tr2_parts *parts)
{
	const struct tr2_span *category = &event->columns.category;
	const char *text = event->text, *blank = NULL;
	size_t end = event->len, stop;

	if (tr2_text_starts(text + at, end - at, "label:")) {
		at += strlen("label:");
		while (end > at && text[end - 1] == ' ')
			end--;
		if (!has_titles(text + category->at, category->len))
			blank = memchr(text + at, ' ', end - at);
		stop = blank ? (size_t)(blank - text) : end;
		tr2_parts_add(parts, TR2_KEY_LABEL, 't', at, stop - at);
		at = stop;
	}
	if (end > at + 1)
		tr2_parts_add(parts, TR2_KEY_MSG, 't', at + 1, end - at - 1);
}

/*
 * The key of git's configuration may have a URL in it. Since 2.38 the scope is
 * in the column of the category.
 */
static void find_param(const struct tr2_plain_event *event, size_t at,
		       struct tr2_parts *parts)
{
	const struct tr2_span *scope = &event->columns.category;
	const char *text = event->text + at, *end = event->text + event->len;
	const char *colon = text;

	if (scope->len > strlen("scope:"))
		tr2_parts_add(parts, TR2_KEY_SCOPE, 't',
			      scope->at + strlen("scope:"),
			      scope->len - strlen("scope:"));
	while ((colon = memchr(colon, ':', (size_t)(end - colon))) &&
	       tr2_text_starts(colon, (size_t)(end - colon), "://"))
		colon++;
	if (!colon)
		colon = end;
	tr2_parts_add(parts, TR2_KEY_PARAM, 't', at, (size_t)(colon - text));
	if (colon < end)
		tr2_parts_add(parts, TR2_KEY_VALUE, 't',
			      (size_t)(colon + 1 - event->text),
			      (size_t)(end - colon) - 1);
}

/* A value that is no JSON is a text. */
static void find_json(const struct tr2_plain_event *event, size_t at,
		      struct tr2_buf *value, struct tr2_parts *parts)
{
	const char *text = event->text + at;
	const char *colon = memchr(text, ':', event->len - at);
	size_t len;

	if (!colon)
		return;
	len = (size_t)(colon - text);
	tr2_parts_add(parts, TR2_KEY_KEY, 't', at, len);
	at += len + 1;
	len = event->len - at;
	tr2_buf_reset(value);
	tr2_buf_add(value, event->text + at, len);
	tr2_buf_byte(value, '\0');
	tr2_parts_add(parts, TR2_KEY_VALUE,
		      !value->failed && tr2_json_is_value(value->bytes) ? 'j'
									: 't',
		      at, len);
}

void tr2_perf_parts(const struct tr2_plain_event *event, struct tr2_buf *value,
		    struct tr2_parts *parts)
{
	const size_t at = skip_dots(event);
	const struct tr2_form *form = forms[event->is];

	parts->count = 0;
	if (event->is == TR2_IS_REGION_ENTER ||
	    event->is == TR2_IS_REGION_LEAVE)
		find_region(event, at, parts);
	else if (event->is == TR2_IS_DATA_JSON)
		find_json(event, at, value, parts);
	else if (event->is == TR2_IS_DEF_PARAM)
		find_param(event, at, parts);
	for (int i = 0; i < FORMS && form[i].text; i++)
		if (tr2_form_find(&form[i], event->text, at, event->len, parts))
			return;
}

/*
 * PERF cuts a category after 12 bytes. These of git begin like no other one;
 * `negotiation_` is left, as two do.
 */
static void put_category(const char *text, size_t len, struct tr2_made *made)
{
	static const char *const whole[] = {
		"pack-bitmap-write", "paint_down_to_common", "read_directory",
		"transport_push",    "traverse_trees",
	};

	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		if (len == CATEGORY_CUT && !memcmp(text, whole[i], len)) {
			text = whole[i];
			len = strlen(text);
			break;
		}
	tr2_made_text(made, TR2_KEY_CATEGORY, text, len);
}

static bool has_nesting(enum tr2_is is)
{
	return is == TR2_IS_REGION_ENTER || is == TR2_IS_REGION_LEAVE ||
	       is == TR2_IS_DATA || is == TR2_IS_DATA_JSON;
}

void tr2_perf_put(const struct tr2_plain_event *event, struct tr2_made *made)
{
	const struct tr2_columns *columns = &event->columns;
	const char *text = event->text;

	if (columns->repo.len > 1 && !made->sourceless)
		tr2_made_number(made, TR2_KEY_REPO, TR2_INTEGER,
				text + columns->repo.at + 1,
				columns->repo.len - 1);
	if (columns->us_abs >= 0)
		tr2_made_number(made, TR2_KEY_T_ABS, TR2_FRACTION,
				text + columns->t_abs.at, columns->t_abs.len);
	if (columns->us_rel >= 0)
		tr2_made_number(made, TR2_KEY_T_REL, TR2_FRACTION,
				text + columns->t_rel.at, columns->t_rel.len);
	if (columns->category.len && event->is != TR2_IS_DEF_PARAM)
		put_category(text + columns->category.at, columns->category.len,
			     made);
	if (!has_nesting(event->is))
		return;
	tr2_made_key(made, TR2_KEY_NESTING);
	tr2_buf_uint(&made->text, (skip_dots(event) - event->payload) / 2 + 1);
	tr2_made_value(made, TR2_INTEGER);
}
