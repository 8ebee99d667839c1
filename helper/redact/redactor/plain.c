
#include "lib/common/memory.h"
#include "redact/redactor/redactor.h"
#include "redact/secret/secret.h"

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

static enum tr2_secret_value name_text(struct tr2_record *record,
				       enum tr2_key key)
{
	size_t len;
	const char *text = tr2_record_text(record, key, &len);

	return text ? tr2_secret_name(text, len, false) : TR2_SECRET_NONE;
}

static enum tr2_secret_value name_value(struct tr2_record *record)
{
	enum tr2_secret_value value = name_text(record, TR2_KEY_PARAM);

	return value != TR2_SECRET_NONE ? value
					: name_text(record, TR2_KEY_KEY);
}

/* With `words`, the string is the next word of a command line. */
static size_t put_string(struct tr2_redactor *redactor, size_t token,
			 enum tr2_secret_value name,
			 struct tr2_secret_words *words)
{
	struct tr2_value value;
	const char *text;
	size_t len;

	token = tr2_parse_value(&redactor->record.parse, token, &value);
	text = tr2_redactor_read(redactor, &value, &len);
	if (tr2_redactor_hide_key(redactor, redactor->owner, &redactor->shown,
				  text, len))
		;
	else if (words && name == TR2_SECRET_NONE)
		tr2_secret_hide_word(words, &redactor->shown, text, len);
	else
		tr2_secret_hide_value(&redactor->shown, name, text, len);
	tr2_redactor_show(redactor, &value, text, len);
	return token;
}

static size_t put_value(struct tr2_redactor *redactor, size_t token,
			enum tr2_secret_value name);

/* Returns the token after the `]`. Any array may be a command line. */
static size_t put_array(struct tr2_redactor *redactor, size_t token,
			enum tr2_secret_value name)
{
	const struct tr2_parse *parse = &redactor->record.parse;
	struct tr2_secret_words words = { 0 };

	if (tr2_parse_byte(parse, token + 1) == ']')
		return token + 2;
	do {
		if (tr2_parse_byte(parse, ++token) == '"')
			token = put_string(redactor, token, name, &words);
		else
			token = put_value(redactor, token, name);
	} while (tr2_parse_byte(parse, token) == ',');
	return token + 1;
}

/* `{"name": NAME, "value": VALUE}`: `named` is what the NAME says of it. */
static enum tr2_secret_value name_member(struct tr2_redactor *redactor,
					 const struct tr2_value *key,
					 size_t token,
					 enum tr2_secret_value *named)
{
	const enum tr2_secret_value own = name_key(redactor, key);
	struct tr2_value value;
	const char *text;
	size_t len;

	text = tr2_redactor_read(redactor, key, &len);
	if (own == TR2_SECRET_NONE && tr2_secret_is_value(text, len))
		return *named;
	if (tr2_secret_names_other(text, len) &&
	    tr2_parse_byte(&redactor->record.parse, token) == '"') {
		tr2_parse_value(&redactor->record.parse, token, &value);
		text = tr2_redactor_read(redactor, &value, &len);
		*named = tr2_secret_name(text, len, false);
	}
	return own;
}

static size_t put_object(struct tr2_redactor *redactor, size_t token,
			 enum tr2_secret_value name)
{
	struct tr2_parse *parse = &redactor->record.parse;
	enum tr2_secret_value own, named = TR2_SECRET_NONE;
	struct tr2_value key;

	if (tr2_parse_byte(parse, token + 1) == '}')
		return token + 2;
	do {
		token = tr2_parse_key(parse, token + 1, &key);
		own = name_member(redactor, &key, token, &named);
		token = put_value(redactor, token,
				  own != TR2_SECRET_NONE ? own : name);
	} while (tr2_parse_byte(parse, token) == ',');
	return token + 1;
}

/* Returns the token after the value, which is JSON. */
static size_t put_value(struct tr2_redactor *redactor, size_t token,
			enum tr2_secret_value name)
{
	struct tr2_parse *parse = &redactor->record.parse;
	struct tr2_value value;

	switch (tr2_parse_byte(parse, token)) {
	case '"':
		return put_string(redactor, token, name, NULL);
	case '[':
		return put_array(redactor, token, name);
	case '{':
		return put_object(redactor, token, name);
	default:
		return tr2_parse_value(parse, token, &value);
	}
}

static uint64_t number_value(const struct tr2_record *record, uint64_t number,
			     enum tr2_key key)
{
	const struct tr2_value *value = &record->value[key];

	if (!tr2_record_has(record, key))
		return number;
	return tr2_redactor_number(number, record->parse.text + value->start,
				   value->end - value->start);
}

/* The lines of a key come from one thread, in one field of one event. */
static uint64_t number_owner(const struct tr2_record *record)
{
	uint64_t number = number_value(record, 1, TR2_KEY_SID);

	number = number_value(record, number, TR2_KEY_THREAD);
	return number_value(record, number, TR2_KEY_EVENT);
}

static bool is_value(struct tr2_record *record, const struct tr2_value *key)
{
	return tr2_record_key(record, key) == TR2_KEY_VALUE;
}

void tr2_redactor_put_plain(struct tr2_redactor *redactor, size_t len)
{
	struct tr2_record *record = &redactor->record;
	enum tr2_secret_value of_value = name_value(record), name;
	enum tr2_secret_value named = TR2_SECRET_NONE;
	const uint64_t owner = number_owner(record);
	struct tr2_value key;
	size_t token = 0;

	redactor->done = 0;
	if (tr2_parse_byte(&record->parse, 1) != '}')
		do {
			token = tr2_parse_key(&record->parse, token + 1, &key);
			redactor->owner = tr2_redactor_number(
				owner, record->parse.text + key.start,
				key.end - key.start);
			name = name_member(redactor, &key, token, &named);
			if (of_value && is_value(record, &key))
				name = of_value;
			token = put_value(redactor, token, name);
		} while (tr2_parse_byte(&record->parse, token) == ',');
	tr2_redactor_copy(redactor, len);
}
