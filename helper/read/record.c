#include "read/record.h"

#include "lib/common/memory.h"
#include "read/value.h"

const uint64_t tr2_names_masks[] = {
	0,
	UINT64_MAX >> 56,
	UINT64_MAX >> 48,
	UINT64_MAX >> 40,
	UINT64_MAX >> 32,
	UINT64_MAX >> 24,
	UINT64_MAX >> 16,
	UINT64_MAX >> 8,
	UINT64_MAX,
};

void tr2_record_release(struct tr2_record *record)
{
	tr2_parse_release(&record->parse);
	tr2_buf_release(&record->scratch);
	tr2_buf_release(&record->word);
}

/*
 * Read plain members: a known key without escapes and a plain value, without
 * blanks. Nearly all members are like this. The token before them is the
 * brace or a comma; returns the token after them.
 */
static size_t read_plain(struct tr2_record *record, size_t token)
{
	const struct tr2_parse *parse = &record->parse;
	const char *base = parse->base, *key, *colon, *text, *end;
	const uint32_t *at = parse->at + token;
	uint64_t present = record->present, repeated = record->repeated, bit;
	struct tr2_value *value;
	enum tr2_kind kind;
	int number;

	do {
		key = base + at[1];
		colon = base + at[2];
		if (*colon != ':' || colon[-1] != '"')
			break;
		text = base + at[3];
		end = base + at[4];
		number = tr2_names_find(&tr2_names_keys, key + 1,
					(size_t)(colon - key) - 2);
		kind = tr2_parse_plain_kind(text, (size_t)(end - text));
		if (number < 0 || !kind)
			break;
		bit = UINT64_C(1) << number;
		repeated |= present & bit;
		present |= bit;
		record->plain[kind] |= bit;
		value = &record->value[number];
		value->kind = kind;
		value->start = at[3] - parse->origin;
		value->end = at[4] - parse->origin;
		at += 4;
	} while (*end == ',');
	record->present = present;
	record->repeated = repeated;
	return (size_t)(at - parse->at);
}

/* Returns where the value of this key is stored. */
static struct tr2_value *note_key(struct tr2_record *record, const char *text,
				  size_t len)
{
	int number = tr2_names_find(&tr2_names_keys, text, len);

	if (number < 0) {
		record->unknown++;
		return &record->other;
	}
	record->repeated |= record->present & UINT64_C(1) << number;
	record->present |= UINT64_C(1) << number;
	return &record->value[number];
}

/* Read any member. Returns 0 if it is not JSON. */
static size_t read_other(struct tr2_record *record, size_t token)
{
	struct tr2_parse *parse = &record->parse;
	struct tr2_value key;
	const char *text;
	size_t len;

	token = tr2_parse_key(parse, token, &key);
	if (!token)
		return 0;
	text = tr2_parse_text(parse, &key, &record->scratch, &len);
	return tr2_parse_value(parse, token, note_key(record, text, len));
}

/*
 * Read the members after the `{`. Returns the token of the `}`, or 0. A read
 * that fails returns token 0, which is the `{` and so not a comma.
 */
static size_t read_members(struct tr2_record *record)
{
	struct tr2_parse *parse = &record->parse;
	size_t token = 0;

	if (tr2_parse_byte(parse, 1) == '}')
		return 1;
	do {
		if (!parse->escapes)
			token = read_plain(record, token);
		if (!token || tr2_parse_byte(parse, token) == ',')
			token = read_other(record, token + 1);
	} while (tr2_parse_byte(parse, token) == ',');
	return tr2_parse_byte(parse, token) == '}' ? token : 0;
}

static enum tr2_is which_event(struct tr2_record *record)
{
	size_t len;
	const char *name = tr2_record_text(record, TR2_KEY_EVENT, &len);
	int is;

	if (!name)
		return TR2_IS_OTHER;
	is = tr2_names_find(&tr2_names_events, name, len);
	return is < 0 ? TR2_IS_OTHER : (enum tr2_is)is;
}

static void empty_record(struct tr2_record *record)
{
	record->present = record->repeated = 0;
	record->unknown = 0;
	record->time = 0;
	memset(record->plain, 0, sizeof(record->plain));
}

/* Read a text whose tokens are known. */
static enum tr2_record_result read_text(struct tr2_record *record)
{
	struct tr2_parse *parse = &record->parse;
	struct tr2_value value;
	size_t last;

	empty_record(record);
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
	const enum tr2_tokens_result result =
		tr2_parse_begin(&record->parse, text, len);

	if (result == TR2_TOKENS_NO_MEMORY)
		tr2_memory_out();
	return result == TR2_TOKENS_OK ? read_text(record) : TR2_RECORD_REFUSED;
}

enum tr2_record_result tr2_record_read_among(struct tr2_record *record,
					     const struct tr2_tokens *tokens,
					     const char *text, size_t len,
					     bool escapes)
{
	tr2_parse_begin_among(&record->parse, tokens, text, len, escapes);
	return read_text(record);
}

void tr2_record_take(struct tr2_record *record, const struct tr2_made *made)
{
	uint64_t bit;

	empty_record(record);
	tr2_parse_begin_among(&record->parse, &made->tokens, made->tokens.text,
			      made->tokens.len, made->escapes);
	for (size_t i = 0; i < made->count; i++) {
		bit = UINT64_C(1) << made->key[i];
		record->repeated |= record->present & bit;
		record->present |= bit;
		record->value[made->key[i]] = made->value[i];
	}
	record->is = made->is;
	if (made->clock >= 0)
		record->time = TR2_TIME_1970 + made->clock;
}
