#include "rules/schema.h"

#include <math.h>
#include <stdlib.h>

#include "lib/text/text.h"

uint64_t tr2_schema_missing(struct tr2_record *record,
			    const struct tr2_schema_event *rules, unsigned evt)
{
	uint64_t required = rules->required[evt];
	size_t len = 0;
	const char *text = tr2_record_text(record, rules->when_key, &len);

	if (text && rules->when_value &&
	    tr2_text_is(text, len, rules->when_value))
		required |= rules->when_required;
	return required & ~record->present;
}

/* 1.0 is an integer in JSON Schema. */
static bool is_whole(const char *number)
{
	double value = strtod(number, NULL);

	return floor(value) == value;
}

static bool is_kind(const struct tr2_check *check, enum tr2_kind kind,
		    const char *text)
{
	if (check->kinds & kind)
		return true;
	return kind == TR2_FRACTION && check->kinds & TR2_INTEGER &&
	       is_whole(text);
}

bool tr2_schema_passes(struct tr2_record *record, const struct tr2_check *check,
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
		       strtod(text, NULL) >= (double)check->minimum;
	case TR2_TEST_MATCH:
	case TR2_TEST_VALUES:;
	}
	if (value->kind != TR2_STRING)
		return true;
	text = tr2_parse_text(&record->parse, value, &record->scratch, &len);
	return check->test == TR2_TEST_MATCH
		       ? check->match(text, len)
		       : tr2_text_is_one(text, len, check->values);
}

bool tr2_schema_conforms(struct tr2_record *record,
			 const struct tr2_schema_event *rules, unsigned evt,
			 uint64_t trusted)
{
	uint64_t left = record->present & rules->known & ~trusted;
	int key;

	if (tr2_schema_missing(record, rules, evt))
		return false;
	for (enum tr2_kind kind = TR2_STRING; kind < TR2_PLAIN_KINDS; kind *= 2)
		left &= ~(record->plain[kind] & rules->plain[kind]);
	for (; left; left &= left - 1) {
		key = __builtin_ctzll(left);
		if (!tr2_schema_passes(record,
				       &tr2_schema_checks[rules->check[key]],
				       &record->value[key]))
			return false;
	}
	return true;
}
