#include <string.h>

#include "base/ascii.h"
#include "base/json.h"
#include "lib/common/memory.h"
#include "read/json/match.h"
#include "redact/redactor/fields.h"
#include "redact/redactor/redactor.h"
#include "lib/text/text.h"

#define NAME_MOST 64 /* a longer key of a JSON object is no name */

/* Is it a time of any writer? Some write it with an offset. */
static bool is_time(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!memchr("0123456789-:.+TZ", text[i], 16))
			return false;
	return true;
}

/* Is it a file below the source of the program, and no other text? */
static bool is_source(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!tr2_ascii_alpha(text[i]) && !tr2_text_is_digit(text[i]) &&
		    !memchr("._/\\+-", text[i], 6))
			return false;
	return !len || !memchr("/\\", *text, 2);
}

/* May a value of this field be shown as it is? */
static bool is_kept(enum tr2_field field, const char *text, size_t len)
{
	if (field == TR2_FIELD_TIME)
		return is_time(text, len);
	if (field == TR2_FIELD_DIGITS)
		return tr2_match_digits(text, len);
	if (field == TR2_FIELD_SOURCE)
		return is_source(text, len);
	return field == TR2_FIELD_KEPT || !len;
}

static void hide_program(struct tr2_redactor *redactor, const char *text,
			 size_t len)
{
	struct tr2_hide_argv argv;

	tr2_hide_begin_argv(&argv, false);
	tr2_hide_word(&redactor->hider, &argv, &redactor->shown, text, len);
}

/* What is not here is hidden by its shape, or needs more than its text. */
static tr2_hide_fn *const by_field[] = {
	[TR2_FIELD_SID] = tr2_hide_sid,
	[TR2_FIELD_PATH] = tr2_hide_path,
	[TR2_FIELD_PROCESS] = tr2_hide_process,
	[TR2_FIELD_FORMAT] = tr2_hide_format,
	[TR2_FIELD_PARAM] = tr2_hide_param,
	[TR2_FIELD_SETTING] = NULL,
};

static void hide_field(struct tr2_redactor *redactor, enum tr2_field field,
		       const char *text, size_t len)
{
	const struct tr2_hider *hider = &redactor->hider;
	const struct tr2_buf *param = &redactor->param;

	if (by_field[field])
		by_field[field](hider, &redactor->shown, text, len);
	else if (field == TR2_FIELD_PROGRAM)
		hide_program(redactor, text, len);
	else if (field == TR2_FIELD_SETTING)
		tr2_hide_setting(hider, &redactor->shown, param->bytes,
				 param->len, text, len);
	else
		tr2_hide_text(hider, &redactor->shown, text, len);
}

bool tr2_redactor_hide(struct tr2_redactor *redactor, enum tr2_field field,
		       const char *text, size_t len)
{
	tr2_buf_reset(&redactor->shown);
	if (is_kept(field, text, len))
		return false;
	hide_field(redactor, field, text, len);
	if (redactor->shown.failed)
		tr2_memory_out();
	return true;
}

/* Returns the token after the string. */
static size_t put_string(struct tr2_redactor *redactor, size_t token,
			 enum tr2_field field)
{
	struct tr2_value value;
	const char *text;
	size_t len;

	token = tr2_parse_value(&redactor->record.parse, token, &value);
	if (field == TR2_FIELD_KEPT)
		return token;
	text = tr2_redactor_read(redactor, &value, &len);
	if (tr2_redactor_hide(redactor, field, text, len))
		tr2_redactor_show(redactor, &value, text, len);
	return token;
}

static size_t put_word(struct tr2_redactor *redactor, size_t token,
		       struct tr2_hide_argv *argv)
{
	struct tr2_value value;
	const char *text;
	size_t len;

	token = tr2_parse_value(&redactor->record.parse, token, &value);
	text = tr2_redactor_read(redactor, &value, &len);
	tr2_hide_word(&redactor->hider, argv, &redactor->shown, text, len);
	tr2_redactor_show(redactor, &value, text, len);
	return token;
}

/*
 * ---- Values
 */

static size_t put_value(struct tr2_redactor *redactor, size_t token,
			enum tr2_field field);

static bool is_name(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!memchr("-_", text[i], 2) && !tr2_text_is_digit(text[i]) &&
		    !((text[i] | 32) >= 'a' && (text[i] | 32) <= 'z'))
			return false;
	return len <= NAME_MOST;
}

/* Keys that differ must stay different, so the whole key is hidden. */
static void put_key(struct tr2_redactor *redactor, const struct tr2_value *key)
{
	size_t len;
	const char *text = tr2_redactor_read(redactor, key, &len);

	if (is_name(text, len))
		return;
	tr2_hide_other(&redactor->hider, &redactor->shown, text, len);
	tr2_redactor_show(redactor, key, text, len);
}

/* Returns the token after the `}`. */
static size_t put_object(struct tr2_redactor *redactor, size_t token)
{
	struct tr2_parse *parse = &redactor->record.parse;
	struct tr2_value key;

	if (tr2_parse_byte(parse, token + 1) == '}')
		return token + 2;
	do {
		token = tr2_parse_key(parse, token + 1, &key);
		put_key(redactor, &key);
		token = put_value(redactor, token, TR2_FIELD_TEXT);
	} while (tr2_parse_byte(parse, token) == ',');
	return token + 1;
}

static size_t put_element(struct tr2_redactor *redactor, size_t token,
			  enum tr2_field field, struct tr2_hide_argv *argv)
{
	const struct tr2_parse *parse = &redactor->record.parse;

	if (tr2_parse_byte(parse, token) != '"')
		return put_value(redactor, token, TR2_FIELD_TEXT);
	if (field == TR2_FIELD_ARGV || field == TR2_FIELD_ALIAS)
		return put_word(redactor, token, argv);
	return put_string(redactor, token,
			  field == TR2_FIELD_PROCESS ? field : TR2_FIELD_TEXT);
}

/* Returns the token after the `]`. */
static size_t put_array(struct tr2_redactor *redactor, size_t token,
			enum tr2_field field)
{
	const struct tr2_parse *parse = &redactor->record.parse;
	struct tr2_hide_argv argv;

	tr2_hide_begin_argv(&argv, field == TR2_FIELD_ALIAS);
	if (tr2_parse_byte(parse, token + 1) == ']')
		return token + 2;
	do {
		token = put_element(redactor, token + 1, field, &argv);
	} while (tr2_parse_byte(parse, token) == ',');
	return token + 1;
}

/* Returns the token after the value, which is JSON. */
static size_t put_value(struct tr2_redactor *redactor, size_t token,
			enum tr2_field field)
{
	struct tr2_parse *parse = &redactor->record.parse;
	struct tr2_value value;

	switch (tr2_parse_byte(parse, token)) {
	case '"':
		return put_string(redactor, token, field);
	case '[':
		return put_array(redactor, token, field);
	case '{':
		return put_object(redactor, token);
	default:
		return tr2_parse_value(parse, token, &value);
	}
}

void tr2_redactor_keep_param(struct tr2_redactor *redactor, const char *text,
			     size_t len)
{
	tr2_buf_reset(&redactor->param);
	tr2_buf_add(&redactor->param, text, len);
	if (redactor->param.failed)
		tr2_memory_out();
}

static void keep_param(struct tr2_redactor *redactor)
{
	size_t len = 0;
	const char *text =
		tr2_record_text(&redactor->record, TR2_KEY_PARAM, &len);

	tr2_redactor_keep_param(redactor, text ? text : "", len);
}

/* The value of git's `windows/ancestry` is that of cmd_ancestry. */
static bool is_ancestry(struct tr2_record *record, enum tr2_is is, int key)
{
	const char *name;
	size_t len;

	if (is != TR2_IS_DATA_JSON || key != TR2_KEY_VALUE)
		return false;
	name = tr2_record_text(record, TR2_KEY_KEY, &len);
	return name && tr2_text_is(name, len, "windows/ancestry");
}

static enum tr2_field find_field(struct tr2_record *record, enum tr2_is is,
				 int key)
{
	if (is_ancestry(record, is, key))
		return TR2_FIELD_PROCESS;
	return key < 0 ? TR2_FIELD_TEXT : tr2_field_of(is, (enum tr2_key)key);
}

/*
 * Where a key is repeated, programs differ in which one they believe, so no
 * field but the common ones is trusted to be what its name says.
 */
void tr2_redactor_put(struct tr2_redactor *redactor, size_t len)
{
	struct tr2_record *record = &redactor->record;
	enum tr2_is is = record->repeated ? TR2_IS_OTHER : record->is;
	struct tr2_value key;
	size_t token = 0;
	int number;

	redactor->done = 0;
	keep_param(redactor);
	if (tr2_parse_byte(&record->parse, 1) != '}')
		do {
			token = tr2_parse_key(&record->parse, token + 1, &key);
			number = tr2_record_key(record, &key);
			if (number < 0)
				put_key(redactor, &key);
			token = put_value(redactor, token,
					  find_field(record, is, number));
		} while (tr2_parse_byte(&record->parse, token) == ',');
	tr2_redactor_copy(redactor, len);
}
