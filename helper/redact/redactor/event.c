#include <string.h>

#include "lib/common/memory.h"
#include "read/json/match.h"
#include "redact/redactor/redactor.h"
#include "redact/secret/secret.h"
#include "lib/text/text.h"
#include "fields_rows.h"

#define NAME_MOST 64   /* a longer key of a JSON object is no name */
#define MEMBERS_MOST 8 /* after a value, which may have its name */

enum tr2_field tr2_field_of(enum tr2_is event, enum tr2_key key)
{
#define FIELD(event, key, field) \
	[TR2_IS_##event][TR2_KEY_##key] = TR2_FIELD_##field,
	static const unsigned char table[TR2_IS_OTHER + 1][TR2_KEYS] = {
		FIELDS_ROWS(FIELD)
	};

	if (!table[TR2_IS_OTHER][key])
		return (enum tr2_field)table[event][key];
	return (enum tr2_field)table[TR2_IS_OTHER][key];
}

/* Is it a time of any writer? Some write it with an offset. */
static bool is_time(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!memchr("0123456789-:.+TZ", text[i], 16))
			return false;
	return true;
}

/* Is it a file below the source of the program, and no other text? */
static bool is_source(const char *text, size_t len)
{
	return tr2_text_count_word(text, len, "._/\\+-") == len &&
	       (!len || !memchr("/\\", *text, 2));
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

static void hide_field(struct tr2_redactor *redactor, enum tr2_field field,
		       const char *text, size_t len)
{
	/* What is not here is hidden by its shape. */
	static tr2_hide_fn *const by_field[TR2_FIELD_SETTING + 1] = {
		[TR2_FIELD_SID] = tr2_hide_sid,
		[TR2_FIELD_PATH] = tr2_hide_path,
		[TR2_FIELD_PROCESS] = tr2_hide_process,
		[TR2_FIELD_FORMAT] = tr2_hide_format,
		[TR2_FIELD_PARAM] = tr2_hide_param,
	};
	struct tr2_buf *shown = &redactor->shown;
	struct tr2_hide_argv argv = { 0 };

	if (field == TR2_FIELD_PROGRAM)
		tr2_hide_word(&redactor->hider, &argv, shown, text, len);
	else if (field == TR2_FIELD_SETTING)
		tr2_hide_setting(&redactor->hider, shown, redactor->param.bytes,
				 redactor->param.len, text, len);
	else
		(by_field[field] ? by_field[field] : tr2_hide_text)(
			&redactor->hider, shown, text, len);
}

bool tr2_redactor_hide(struct tr2_redactor *redactor, enum tr2_field field,
		       const char *text, size_t len)
{
	tr2_buf_reset(&redactor->shown);
	if (is_kept(field, text, len))
		return false;
	hide_field(redactor, field, text, len);
	tr2_must_hold(&redactor->shown);
	return true;
}

/* ---- Strings */

/* What a value may be: its kind, or where secrets are sought, its name's. */
struct member {
	enum tr2_field field;
	enum tr2_secret_value name;
	struct tr2_hide_argv *argv;	/* of a command line, or NULL */
	struct tr2_secret_words *words; /* of any array without a name */
};

static void hide_secret(struct tr2_redactor *redactor,
			const struct member *member, const char *text,
			size_t len)
{
	struct tr2_buf *shown = &redactor->shown;

	if (tr2_redactor_hide_key(redactor, redactor->owner, shown, text,
				  len)) {
		if (member->words)
			member->words->next++;
	} else if (member->words) {
		tr2_secret_hide_word(member->words, shown, text, len);
	} else {
		tr2_secret_hide_value(shown, member->name, text, len);
	}
}

/* Returns the token after the string. */
static size_t put_string(struct tr2_redactor *redactor, size_t token,
			 const struct member *member)
{
	struct tr2_value value;
	const char *text;
	size_t len;

	token = tr2_parse_value(&redactor->record.parse, token, &value);
	if (!redactor->secrets && member->field == TR2_FIELD_KEPT)
		return token;
	text = tr2_redactor_read(redactor, &value, &len);
	if (redactor->secrets)
		hide_secret(redactor, member, text, len);
	else if (member->argv)
		tr2_hide_word(&redactor->hider, member->argv, &redactor->shown,
			      text, len);
	else if (!tr2_redactor_hide(redactor, member->field, text, len))
		return token;
	tr2_redactor_show(redactor, &value, text, len);
	return token;
}

static bool is_name(const char *text, size_t len)
{
	return len <= NAME_MOST && tr2_text_count_word(text, len, "-_") == len;
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

/* ---- Names of secrets */

/*
 * What a string may be depends on its name: that of the setting or of the data
 * in a `value`, and otherwise its key.
 */
static enum tr2_secret_value name_key(struct tr2_redactor *redactor,
				      const struct tr2_value *key)
{
	size_t len;
	const char *text = tr2_redactor_read(redactor, key, &len);

	tr2_secret_hide(&redactor->shown, text, len);
	tr2_redactor_show(redactor, key, text, len);
	return tr2_secret_name(text, len, false);
}

/* What the string here says of another value; any other value says `other`. */
static enum tr2_secret_value name_string(struct tr2_redactor *redactor,
					 size_t token,
					 enum tr2_secret_value other)
{
	struct tr2_value value;
	const char *text;
	size_t len;

	if (tr2_parse_byte(&redactor->record.parse, token) != '"')
		return other;
	tr2_parse_value(&redactor->record.parse, token, &value);
	text = tr2_redactor_read(redactor, &value, &len);
	return tr2_secret_name(text, len, false);
}

/* What does the NAME say that comes after the value? Only few are looked at. */
static enum tr2_secret_value name_after(struct tr2_redactor *redactor,
					size_t token)
{
	struct tr2_parse *parse = &redactor->record.parse;
	enum tr2_secret_value named = TR2_SECRET_NONE;
	struct tr2_value value;
	unsigned members = 0;
	const char *text;
	size_t len;

	while (named == TR2_SECRET_NONE && members++ < MEMBERS_MOST &&
	       !memchr("[{", tr2_parse_byte(parse, token), 2)) {
		token = tr2_parse_value(parse, token, &value);
		if (tr2_parse_byte(parse, token) != ',')
			break;
		token = tr2_parse_key(parse, token + 1, &value);
		text = tr2_redactor_read(redactor, &value, &len);
		if (tr2_secret_names_other(text, len))
			named = name_string(redactor, token, named);
	}
	return named;
}

/* `{"name": NAME, "value": VALUE}`: `named` is what the NAME says of it. */
static enum tr2_secret_value name_member(struct tr2_redactor *redactor,
					 const struct tr2_value *key,
					 size_t token,
					 enum tr2_secret_value *named)
{
	const enum tr2_secret_value own = name_key(redactor, key);
	const char *text;
	size_t len;

	text = tr2_redactor_read(redactor, key, &len);
	if (own == TR2_SECRET_NONE && tr2_secret_is_value(text, len))
		return *named != TR2_SECRET_NONE ? *named
						 : name_after(redactor, token);
	if (tr2_secret_names_other(text, len))
		*named = name_string(redactor, token, *named);
	return own;
}

/* ---- Values */

static size_t put_value(struct tr2_redactor *redactor, size_t token,
			const struct member *member);

/* What the elements of an array of this member are. */
static struct member find_elements(const struct member *member,
				   struct tr2_hide_argv *argv)
{
	const bool command = member->field == TR2_FIELD_ARGV ||
			     member->field == TR2_FIELD_ALIAS;

	tr2_hide_begin_argv(argv, member->field == TR2_FIELD_ALIAS);
	return (struct member){ member->field == TR2_FIELD_PROCESS
					? member->field
					: TR2_FIELD_TEXT,
				member->name, command ? argv : NULL, NULL };
}

/* Any array may be a command line, of which the strings are the words. */
static void add_words(struct tr2_redactor *redactor, size_t token,
		      struct tr2_secret_words *words)
{
	struct tr2_parse *parse = &redactor->record.parse;
	struct tr2_value value;
	const char *text;
	size_t len;

	do {
		token = tr2_parse_value(parse, token + 1, &value);
		if (value.kind != TR2_STRING)
			continue;
		text = tr2_redactor_read(redactor, &value, &len);
		tr2_secret_add_word(words, text, len);
	} while (tr2_parse_byte(parse, token) == ',');
	tr2_secret_find_in_words(words);
}

/* Returns the token after the `]`. */
static size_t put_array(struct tr2_redactor *redactor, size_t token,
			const struct member *member)
{
	const struct tr2_parse *parse = &redactor->record.parse;
	const struct member other = { TR2_FIELD_TEXT, member->name, NULL,
				      NULL };
	struct tr2_secret_words words = { 0 };
	struct tr2_hide_argv argv;
	struct member each = find_elements(member, &argv);

	if (tr2_parse_byte(parse, token + 1) == ']')
		return token + 2;
	if (redactor->secrets && member->name == TR2_SECRET_NONE) {
		each.words = &words;
		add_words(redactor, token, &words);
	}
	do {
		if (tr2_parse_byte(parse, ++token) == '"')
			token = put_string(redactor, token, &each);
		else
			token = put_value(redactor, token, &other);
	} while (tr2_parse_byte(parse, token) == ',');
	tr2_secret_end_words(&words);
	return token + 1;
}

static size_t put_object(struct tr2_redactor *redactor, size_t token,
			 enum tr2_secret_value name, bool event);

/* Returns the token after the value, which is JSON. */
static size_t put_value(struct tr2_redactor *redactor, size_t token,
			const struct member *member)
{
	struct tr2_parse *parse = &redactor->record.parse;
	struct tr2_value value;

	switch (tr2_parse_byte(parse, token)) {
	case '"':
		return put_string(redactor, token, member);
	case '[':
		return put_array(redactor, token, member);
	case '{':
		return put_object(redactor, token, member->name, false);
	default:
		return tr2_parse_value(parse, token, &value);
	}
}

/* ---- Events */

void tr2_redactor_keep_param(struct tr2_redactor *redactor, const char *text,
			     size_t len)
{
	tr2_buf_reset(&redactor->param);
	tr2_buf_add(&redactor->param, text, len);
	tr2_must_hold(&redactor->param);
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
 * What the member may be, of which the token is the value, and `number` the
 * number of its key if it is one of the event.
 */
static struct member find_member(struct tr2_redactor *redactor,
				 const struct tr2_value *key, size_t token,
				 int number, enum tr2_secret_value *named)
{
	struct tr2_record *record = &redactor->record;
	struct member member = { .field = TR2_FIELD_TEXT };

	if (redactor->secrets) {
		member.name = name_member(redactor, key, token, named);
		return member;
	}
	/*
	 * Where a key is repeated, programs differ in which one they believe,
	 * so no field but the common ones is trusted to be what it says.
	 */
	if (number < 0)
		put_key(redactor, key);
	member.field = find_field(
		record, record->repeated ? TR2_IS_OTHER : record->is, number);
	return member;
}

/* Returns the token after the `}`. A value without a name has that around it. */
static size_t put_object(struct tr2_redactor *redactor, size_t token,
			 enum tr2_secret_value name, bool event)
{
	struct tr2_record *record = &redactor->record;
	enum tr2_secret_value named = TR2_SECRET_NONE;
	struct member member;
	struct tr2_value key;

	if (tr2_parse_byte(&record->parse, token + 1) == '}')
		return token + 2;
	do {
		token = tr2_parse_key(&record->parse, token + 1, &key);
		if (event)
			redactor->owner = tr2_redactor_number(
				1, record->parse.text + key.start,
				key.end - key.start);
		member = find_member(redactor, &key, token,
				     event ? tr2_record_key(record, &key) : -1,
				     &named);
		if (member.name == TR2_SECRET_NONE)
			member.name = name;
		token = put_value(redactor, token, &member);
	} while (tr2_parse_byte(&record->parse, token) == ',');
	return token + 1;
}

void tr2_redactor_put(struct tr2_redactor *redactor, size_t len, bool secrets)
{
	redactor->done = 0;
	redactor->secrets = secrets;
	keep_param(redactor);
	put_object(redactor, 0, TR2_SECRET_NONE, true);
	tr2_redactor_copy(redactor, len);
}
