#include "rules/consumer/part.h"

#include "lib/text/text.h"

#define DATE "0000-00-00T00:00:00"

uint64_t tr2_reading_hash(const struct tr2_reading *reading, enum tr2_key key)
{
	size_t len;
	const char *text = tr2_record_raw(reading->record, key, &len);

	return text ? tr2_hash(text, len).a : 0;
}

uint64_t tr2_reading_who(const struct tr2_reading *reading, enum tr2_key key)
{
	return tr2_hash_mix(tr2_reading_hash(reading, TR2_KEY_SID) + key,
			    tr2_reading_hash(reading, key),
			    UINT64_C(0x9e3779b97f4a7c15));
}

bool tr2_reading_is(const struct tr2_reading *reading, enum tr2_key key,
		    const char *text)
{
	size_t len = 0;
	const char *value = tr2_record_text(reading->record, key, &len);

	return tr2_text_is(value, len, text);
}

void tr2_reading_open(struct tr2_reading *reading, uint64_t who)
{
	TR2_VEC_PUT(&reading->stack, struct tr2_opened, who,
		    reading->sink->line.number);
}

bool tr2_reading_close(struct tr2_reading *reading, uint64_t who, unsigned tree)
{
	const struct tr2_opened *opened = reading->stack.items;

	if (!reading->stack.count)
		return false;
	opened += --reading->stack.count;
	if (opened->who != who)
		tr2_reading_miss(reading, tree, TR2_KEY_EVENT,
				 "it ends what line %lu began", opened->line);
	return true;
}

/*
 * Returns the first key that the event does not have as needed, or NULL;
 * `missing`: the key is not there at all.
 */
static const struct tr2_asked *find_bad(const struct tr2_reading *reading,
					const struct tr2_asked *asked,
					bool *missing)
{
	const struct tr2_record *record = reading->record;

	for (; asked->kinds; asked++) {
		if (asked->is != TR2_ANY_EVENT && asked->is != record->is)
			continue;
		if (asked->text &&
		    !tr2_reading_is(reading, asked->when, asked->text))
			continue;
		*missing = !tr2_record_has(record, asked->key);
		if (*missing ? !asked->optional
			     : !(record->value[asked->key].kind & asked->kinds))
			return asked;
	}
	return NULL;
}

static const char *words_of(const struct tr2_asked *asked)
{
	static const struct {
		unsigned kinds;
		const char *words;
	} names[] = {
		{ TR2_STRING, "a string" },
		{ TR2_INTEGER, "an integer" },
		{ TR2_KIND_NUMBER, "a number" },
		{ TR2_BOOLEAN, "true or false" },
		{ TR2_STRINGS, "a list of strings" },
		{ TR2_KIND_LIST, "a list" },
		{ TR2_STRING | TR2_KIND_NUMBER, "a string or a number" },
		{ 0, "a value" },
	};
	unsigned kinds = asked->kinds & ~(unsigned)TR2_NULL;
	size_t i = 0;

	while (names[i].kinds && names[i].kinds != kinds)
		i++;
	return names[i].words;
}

bool tr2_reading_needs(struct tr2_reading *reading,
		       const struct tr2_asked *asked, unsigned missing,
		       unsigned type)
{
	bool absent;
	const struct tr2_asked *bad = find_bad(reading, asked, &absent);
	const char *key;

	if (!bad)
		return true;
	key = tr2_names_keys.name[bad->key];
	if (absent)
		tr2_reading_miss(reading, missing, bad->key, "there is no %s",
				 key);
	else
		tr2_reading_miss(reading, type, bad->key, "%s is not %s", key,
				 words_of(bad));
	return false;
}

void tr2_reading_take_needs(struct tr2_reading *reading)
{
	const struct tr2_consumer_part *part = reading->part;

	tr2_reading_needs(reading, part->asked, part->missing, part->type);
}

static enum tr2_zone zone_of(const char *text, size_t len)
{
	if (len == 1 && *text == 'Z')
		return TR2_ZONE_Z;
	return len == strlen("+00:00") &&
			       (tr2_text_has_form(text, len, "+00:00") ||
				tr2_text_has_form(text, len, "-00:00"))
		       ? TR2_ZONE_OFFSET
		       : TR2_ZONE_BAD;
}

enum tr2_zone tr2_reading_time(const struct tr2_reading *reading,
			       size_t *decimals)
{
	size_t len, at = strlen(DATE);
	const char *text = tr2_record_text(reading->record, TR2_KEY_TIME, &len);

	*decimals = 0;
	if (!text || !tr2_text_has_form(text, len, DATE))
		return TR2_ZONE_BAD;
	if (text[at] == '.') {
		at++;
		*decimals = tr2_text_count_digits(text + at, len - at);
		if (!*decimals)
			return TR2_ZONE_BAD;
	}
	at += *decimals;
	return zone_of(text + at, len - at);
}
