#include "validate/record.h"

#include <stdlib.h>

#include "validate/memory.h"

void tr2_record_release(struct tr2_record *record)
{
	tr2_parse_release(&record->parse);
	tr2_buf_release(&record->scratch);
}

/* The text of the key at the token, or NULL if no key is there. */
static const char *read_key(struct tr2_record *record, size_t token,
			    size_t *len)
{
	struct tr2_parse *parse = &record->parse;
	const uint32_t *at = parse->at + token;
	struct tr2_value key;

	if (tr2_parse_byte(parse, token) != '"' ||
	    tr2_parse_byte(parse, token + 1) != ':')
		return NULL;
	if (tr2_parse_is_plain(parse, token)) {
		*len = at[1] - at[0] - 2;
		return parse->base + at[0] + 1;
	}
	if (!tr2_parse_other(parse, token, &key))
		return NULL;
	return tr2_parse_text(parse, &key, &record->scratch, len);
}

/* Where the value of that key belongs. */
static struct tr2_value *note_key(struct tr2_record *record, const char *text,
				  size_t len)
{
	int number = tr2_names_find(&tr2_schema_keys, text, len);

	if (number < 0) {
		record->unknown++;
		return &record->other;
	}
	record->repeated |= record->present >> number & 1;
	record->present |= UINT64_C(1) << number;
	return &record->value[number];
}

/* Read what stands behind the `{`. Gives the token of the `}`, or 0. */
static size_t read_members(struct tr2_record *record)
{
	struct tr2_parse *parse = &record->parse;
	size_t token = 1, len;
	const char *key;

	if (tr2_parse_byte(parse, token) == '}')
		return token;
	do {
		key = read_key(record, token, &len);
		if (!key)
			return 0;
		token = tr2_parse_value(parse, token + 2,
					note_key(record, key, len));
		if (!token)
			return 0;
	} while (tr2_parse_byte(parse, token++) == ',');
	return tr2_parse_byte(parse, token - 1) == '}' ? token - 1 : 0;
}

static enum tr2_is which_event(struct tr2_record *record)
{
	size_t len;
	const char *name = tr2_record_text(record, TR2_KEY_EVENT, &len);
	int is = name ? tr2_names_find(&tr2_schema_events, name, len) : -1;

	return is < 0 ? TR2_IS_OTHER : (enum tr2_is)is;
}

/* Read the text whose tokens are known. */
static enum tr2_record_result read_text(struct tr2_record *record)
{
	struct tr2_parse *parse = &record->parse;
	struct tr2_value value;
	size_t last;

	record->present = 0;
	record->unknown = 0;
	record->repeated = false;
	if (tr2_parse_byte(parse, 0) != '{')
		return tr2_parse_is_end(parse,
					tr2_parse_value(parse, 0, &value))
			       ? TR2_RECORD_NOT_OBJECT
			       : TR2_RECORD_REFUSED;
	parse->depth = 1;
	last = read_members(record);
	if (!last || !tr2_parse_is_end(parse, last + 1))
		return TR2_RECORD_REFUSED;
	record->is = which_event(record);
	parse->next += last + 1;
	return TR2_RECORD_OK;
}

enum tr2_record_result tr2_record_read(struct tr2_record *record,
				       const char *text, size_t len)
{
	switch (tr2_parse_begin(&record->parse, text, len)) {
	case TR2_TOKENS_OK:
		return read_text(record);
	case TR2_TOKENS_REFUSED:
		return TR2_RECORD_REFUSED;
	case TR2_TOKENS_NO_MEMORY:
		break;
	}
	tr2_memory_out();
}

enum tr2_record_result tr2_record_read_among(struct tr2_record *record,
					     const struct tr2_tokens *tokens,
					     const char *text, size_t len)
{
	tr2_parse_begin_among(&record->parse, tokens, text, len);
	return read_text(record);
}

const char *tr2_record_text(struct tr2_record *record, enum tr2_key key,
			    size_t *len)
{
	const struct tr2_value *value = &record->value[key];

	if (!tr2_record_has(record, key) || value->kind != TR2_STRING)
		return NULL;
	return tr2_parse_text(&record->parse, value, &record->scratch, len);
}

static bool is_one_of(const char *const *values, const char *text, size_t len)
{
	for (; *values; values++)
		if (strlen(*values) == len && !memcmp(*values, text, len))
			return true;
	return false;
}

uint64_t tr2_record_missing(struct tr2_record *record,
			    const struct tr2_schema_event *rules, unsigned evt)
{
	uint64_t required = rules->required[evt];
	const char *const when[] = { rules->when_value, NULL };
	const char *text;
	size_t len;

	if (rules->when_value) {
		text = tr2_record_text(record, rules->when_key, &len);
		if (text && is_one_of(when, text, len))
			required |= rules->when_required;
	}
	return required & ~record->present;
}

/* Doubles from here on have no fraction; below, int64_t holds them. */
#define NO_FRACTION 9007199254740992.0

/* 1.0 is an integer, as JSON Schema has it. */
static bool is_whole(const char *number)
{
	double value = strtod(number, NULL);

	return value >= NO_FRACTION || value <= -NO_FRACTION ||
	       value == (double)(int64_t)value;
}

static bool is_at_least(const char *number, enum tr2_kind kind, int64_t minimum)
{
	if (minimum <= 0 && *number != '-')
		return true;
	if (kind == TR2_INTEGER)
		return strtoll(number, NULL, 10) >= minimum;
	return strtod(number, NULL) >= (double)minimum;
}

static bool is_kind(const struct tr2_check *check, enum tr2_kind kind,
		    const char *text)
{
	if (check->kinds & kind)
		return true;
	return kind == TR2_FRACTION && check->kinds & TR2_INTEGER &&
	       is_whole(text);
}

bool tr2_record_passes(struct tr2_record *record, const struct tr2_check *check,
		       const struct tr2_value *value)
{
	const char *text = record->parse.text + value->start;
	size_t len;

	if (!is_kind(check, value->kind, text))
		return false;
	switch (check->test) {
	case TR2_TEST_KIND:
		return true;
	case TR2_TEST_NONEMPTY:
		return value->kind != TR2_STRING ||
		       value->end - value->start > 2;
	case TR2_TEST_MINIMUM:
		return !(value->kind & (TR2_INTEGER | TR2_FRACTION)) ||
		       is_at_least(text, value->kind, check->minimum);
	default:
		break;
	}
	if (value->kind != TR2_STRING)
		return true;
	text = tr2_parse_text(&record->parse, value, &record->scratch, &len);
	return check->test == TR2_TEST_MATCH
		       ? check->match(text, len)
		       : is_one_of(check->values, text, len);
}

bool tr2_record_conforms(struct tr2_record *record,
			 const struct tr2_schema_event *rules, unsigned evt,
			 uint64_t trusted)
{
	uint64_t left = record->present & rules->known & ~trusted;
	int key;

	if (tr2_record_missing(record, rules, evt))
		return false;
	for (; left; left &= left - 1) {
		key = __builtin_ctzll(left);
		if (!tr2_record_passes(record,
				       &tr2_schema_checks[rules->check[key]],
				       &record->value[key]))
			return false;
	}
	return true;
}
