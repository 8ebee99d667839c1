#include "validate/checker.h"

#define SHOWN 40 /* bytes of a value in a message */

static const struct tr2_check *check_of(const struct tr2_schema_event *rules,
					int key)
{
	return &tr2_schema_checks[rules->check[key]];
}

static const char *key_name(int key)
{
	return tr2_schema_keys.name[key].text;
}

/* The version that a `version` event declares, or 0 if we know no such. */
static unsigned declared_evt(const struct tr2_record *record)
{
	size_t len;
	const char *evt;

	if (record->is != TR2_IS_VERSION)
		return 0;
	evt = tr2_record_text(record, TR2_KEY_EVT, &len);
	if (!evt || len != 1 || *evt < '1' || *evt > '0' + TR2_EVT_MAX)
		return 0;
	return (unsigned)(*evt - '0');
}

/* Enter the event in its session; gives the EVENT version that it is in. */
static unsigned enter_session(struct tr2_checker *checker)
{
	const struct tr2_record *record = &checker->record;
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_SID, &len);
	unsigned evt = declared_evt(record);
	struct tr2_sid *sid;

	if (text) {
		sid = tr2_sids_enter(&checker->sids, text, len);
		if (evt)
			tr2_sid_declare(sid, evt);
		evt = tr2_sid_evt(sid);
	}
	if (checker->evt)
		return checker->evt;
	return evt ? evt : TR2_EVT_MAX;
}

/* Is this the first time in this file that the name is unknown? */
static bool is_new(struct tr2_checker *checker, struct tr2_hash name)
{
	unsigned i;

	for (i = 0; i < checker->told_count; i++)
		if (checker->told[i].a == name.a &&
		    checker->told[i].b == name.b)
			return false;
	if (checker->told_count < TR2_TOLD)
		checker->told[checker->told_count++] = name;
	return true;
}

static void find_unknown_event(struct tr2_checker *checker, unsigned evt)
{
	const struct tr2_record *record = &checker->record;
	size_t len;
	const char *name = tr2_record_text(record, TR2_KEY_EVENT, &len);
	struct tr2_what what = {
		.level = TR2_INFO,
		.id = tr2_schema_unknown_event,
	};

	if (!name || !len || !is_new(checker, tr2_hash(name, len)))
		return;
	what.span = tr2_where_span(&checker->where, record->at[TR2_KEY_EVENT]);
	tr2_checker_find(checker, &what,
			 "%.*s is not an event of EVENT version %u",
			 (int)(len < SHOWN ? len : SHOWN), name, evt);
}

static void find_unknown_key(struct tr2_checker *checker,
			     const struct tr2_schema_event *rules, size_t at)
{
	size_t len;
	const char *name = tr2_doc_text(checker->record.doc, at, &len);
	struct tr2_hash hash = tr2_hash(name, len);
	struct tr2_what what = {
		.level = TR2_INFO,
		.id = tr2_schema_unknown_key,
		.span = tr2_where_span(&checker->where, at),
	};

	hash.a += (uint64_t)checker->record.is;
	if (is_new(checker, hash))
		tr2_checker_find(checker, &what, "%s has no key %.*s",
				 rules->name, (int)(len < SHOWN ? len : SHOWN),
				 name);
}

static void find_missing(struct tr2_checker *checker,
			 const struct tr2_schema_event *rules, unsigned evt)
{
	uint64_t missing = tr2_record_missing(&checker->record, rules, evt);
	struct tr2_what what = { .level = TR2_ERROR };
	int key;

	what.span.at = tr2_where_span(&checker->where, TR2_DOC_ROOT).at;
	what.span.len = 1;
	for (; missing; missing &= missing - 1) {
		key = __builtin_ctzll(missing);
		what.id = rules->id[key];
		tr2_checker_find(checker, &what, "%s without %s",
				 rules->name ? rules->name : "event",
				 key_name(key));
	}
}

static void find_bad_value(struct tr2_checker *checker,
			   const struct tr2_schema_event *rules, int key,
			   size_t at)
{
	const struct tr2_check *check = check_of(rules, key);
	struct tr2_span span;
	struct tr2_what what = {
		.level = TR2_ERROR,
		.id = rules->id[key],
		.expected = check->expected,
	};

	at = tr2_check_value(check, checker->record.doc, at);
	if (!at)
		return;
	span = what.span = tr2_where_span(&checker->where, at);
	tr2_checker_find(checker, &what, "%s: expected %s, found %.*s%s",
			 key_name(key), check->expected,
			 (int)(span.len < SHOWN ? span.len : SHOWN),
			 checker->text + span.at,
			 span.len < SHOWN ? "" : "...");
}

/* The slow way: all that is wrong, in the order of the line. */
static void explain(struct tr2_checker *checker,
		    const struct tr2_schema_event *rules, unsigned evt)
{
	const struct tr2_doc *doc = &checker->doc;
	size_t end = tr2_doc_end(doc, TR2_DOC_ROOT) - 1, at, len;
	const char *text;
	int key;

	tr2_where_fill(&checker->where, doc, checker->text, checker->text_len);
	find_missing(checker, rules, evt);
	if (!rules->name)
		find_unknown_event(checker, evt);
	for (at = TR2_DOC_ROOT + 1; at < end; at = tr2_doc_next(doc, at + 1)) {
		text = tr2_doc_text(doc, at, &len);
		key = tr2_names_find(&tr2_schema_keys, text, len);
		if (key >= 0 && rules->known >> key & 1)
			find_bad_value(checker, rules, key, at + 1);
		else if (rules->name)
			find_unknown_key(checker, rules, at);
	}
}

/* Objects with the same key twice: JSON leaves open which one holds. */
static bool has_duplicate(struct tr2_checker *checker, bool quietly)
{
	const struct tr2_record *record = &checker->record;
	struct tr2_span span;
	size_t at;

	if (!record->repeated && !record->nested && record->unknown < 2)
		return false;
	at = tr2_duplicates_find(&checker->duplicates, record->doc);
	if (at && !quietly) {
		tr2_where_fill(&checker->where, record->doc, checker->text,
			       checker->text_len);
		span = tr2_where_span(&checker->where, at);
		tr2_checker_find_input(checker, TR2_INPUT_DUPLICATE_KEY,
				       span.at, span.len,
				       "the object has this key already");
	}
	return at;
}

void tr2_checker_event(struct tr2_checker *checker, bool quietly)
{
	struct tr2_record *record = &checker->record;
	const struct tr2_schema_event *rules;
	bool known;
	unsigned evt;

	if (!tr2_record_read(record, &checker->doc)) {
		if (!quietly)
			tr2_checker_find_input(checker, TR2_INPUT_NOT_OBJECT, 0,
					       checker->text_len,
					       "not a JSON object");
		return;
	}
	checker->totals->events[record->is]++;
	evt = enter_session(checker);
	if (has_duplicate(checker, quietly) || quietly)
		return;
	rules = &tr2_schema_rules[record->is];
	if (!rules->required[evt])
		rules = &tr2_schema_rules[TR2_IS_OTHER];
	known = rules->name && !record->unknown &&
		!(record->present & ~rules->known);
	if (!known || !tr2_record_conforms(record, rules, evt))
		explain(checker, rules, evt);
}
