#include "validate/record.h"

/*
 * May there be an object in the array at `at`? No, if it has as many words
 * as elements: then each is a string, true, false or null.
 */
static bool is_flat(const struct tr2_doc *doc, size_t at)
{
	return tr2_doc_end(doc, at) - at == tr2_doc_count(doc, at) + 2;
}

static void note_member(struct tr2_record *record, size_t key_at)
{
	const struct tr2_doc *doc = record->doc;
	size_t len, value = key_at + 1;
	const char *text = tr2_doc_text(doc, key_at, &len);
	char tag = tr2_doc_tag(doc, value);
	int key = tr2_names_find(&tr2_schema_keys, text, len);

	if (tag == '{' || (tag == '[' && !is_flat(doc, value)))
		record->nested = true;
	if (key < 0) {
		record->unknown++;
		return;
	}
	if (record->present >> key & 1)
		record->repeated = true;
	record->present |= UINT64_C(1) << key;
	record->at[key] = (uint32_t)value;
}

static enum tr2_is which_event(const struct tr2_record *record)
{
	size_t len;
	const char *name = tr2_record_text(record, TR2_KEY_EVENT, &len);
	int is = name ? tr2_names_find(&tr2_schema_events, name, len) : -1;

	return is < 0 ? TR2_IS_OTHER : (enum tr2_is)is;
}

bool tr2_record_read(struct tr2_record *record, const struct tr2_doc *doc)
{
	size_t at, end;

	if (tr2_doc_tag(doc, TR2_DOC_ROOT) != '{')
		return false;
	record->doc = doc;
	record->present = 0;
	record->unknown = 0;
	record->repeated = record->nested = false;
	end = tr2_doc_end(doc, TR2_DOC_ROOT) - 1;
	for (at = TR2_DOC_ROOT + 1; at < end; at = tr2_doc_next(doc, at + 1))
		note_member(record, at);
	record->is = which_event(record);
	return true;
}

const char *tr2_record_text(const struct tr2_record *record, enum tr2_key key,
			    size_t *len)
{
	if (!tr2_record_has(record, key) ||
	    tr2_doc_tag(record->doc, record->at[key]) != '"')
		return NULL;
	return tr2_doc_text(record->doc, record->at[key], len);
}

uint64_t tr2_record_missing(const struct tr2_record *record,
			    const struct tr2_schema_event *rules, unsigned evt)
{
	uint64_t required = rules->required[evt];
	const char *text;
	size_t len;

	if (rules->when_value) {
		text = tr2_record_text(record, rules->when_key, &len);
		if (text && len == strlen(rules->when_value) &&
		    !memcmp(text, rules->when_value, len))
			required |= rules->when_required;
	}
	return required & ~record->present;
}

/* Doubles from here on have no fraction; below, int64_t holds them. */
#define NO_FRACTION 9007199254740992.0

static unsigned kind_of_double(double value)
{
	if (value >= NO_FRACTION || value <= -NO_FRACTION)
		return TR2_INTEGER;
	return value == (double)(int64_t)value ? TR2_INTEGER : TR2_FRACTION;
}

static double double_at(const struct tr2_doc *doc, size_t at)
{
	double value;

	memcpy(&value, &doc->tape[at + 1], sizeof(value));
	return value;
}

static unsigned kind_at(const struct tr2_doc *doc, size_t at)
{
	switch (tr2_doc_tag(doc, at)) {
	case '"':
		return TR2_STRING;
	case 'l':
	case 'u':
		return TR2_INTEGER;
	case 'd':
		return kind_of_double(double_at(doc, at));
	case '[':
		return TR2_ARRAY;
	case '{':
		return TR2_OBJECT;
	case 'n':
		return TR2_NULL;
	default:
		return TR2_BOOLEAN;
	}
}

static bool is_at_least(const struct tr2_doc *doc, size_t at, int64_t minimum)
{
	switch (tr2_doc_tag(doc, at)) {
	case 'l':
		return (int64_t)doc->tape[at + 1] >= minimum;
	case 'd':
		return double_at(doc, at) >= (double)minimum;
	default: /* 'u' is beyond every int64_t; others have no order */
		return true;
	}
}

static bool is_one_of(const char *const *values, const char *text, size_t len)
{
	for (; *values; values++)
		if (strlen(*values) == len && !memcmp(*values, text, len))
			return true;
	return false;
}

static bool is_text(const struct tr2_check *check, const struct tr2_doc *doc,
		    size_t at)
{
	size_t len;
	const char *text = tr2_doc_text(doc, at, &len);

	if (check->nonempty && !len)
		return false;
	if (check->match && !check->match(text, len))
		return false;
	return !check->values || is_one_of(check->values, text, len);
}

static size_t first_not_string(const struct tr2_doc *doc, size_t at)
{
	size_t end = tr2_doc_end(doc, at) - 1;

	for (at++; at < end; at++)
		if (tr2_doc_tag(doc, at) != '"')
			return at;
	return 0;
}

size_t tr2_check_value(const struct tr2_check *check, const struct tr2_doc *doc,
		       size_t at)
{
	unsigned kind = kind_at(doc, at);

	if (!(check->kinds & kind))
		return at;
	if (check->plain)
		return 0;
	if (kind == TR2_ARRAY && check->strings)
		return first_not_string(doc, at);
	if (kind == TR2_STRING)
		return is_text(check, doc, at) ? 0 : at;
	if (check->has_minimum && !is_at_least(doc, at, check->minimum))
		return at;
	return 0;
}

bool tr2_record_conforms(const struct tr2_record *record,
			 const struct tr2_schema_event *rules, unsigned evt)
{
	uint64_t left = record->present & rules->known;
	const struct tr2_check *check;

	if (tr2_record_missing(record, rules, evt))
		return false;
	for (; left; left &= left - 1) {
		int key = __builtin_ctzll(left);

		check = &tr2_schema_checks[rules->check[key]];
		if (tr2_check_value(check, record->doc, record->at[key]))
			return false;
	}
	return true;
}
