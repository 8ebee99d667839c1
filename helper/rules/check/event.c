#include "rules/check/checker.h"

#include "rules/consumer/consumer.h"
#include "read/json/duplicate.h"
#include "rules/alone.h"
#include "rules/form.h"
#include "lib/text/text.h"

#define SHOWN 40 /* bytes of a value that a message shows */

static const char *key_name(int key)
{
	return tr2_names_keys.name[key];
}

/* Returns how many bytes of a text a message shows. */
static int shown_len(const char *text, size_t len)
{
	return (int)tr2_text_cut(text, len, SHOWN);
}

/*
 * Returns the EVENT version that a `version` event declares, or 0 if it is
 * unknown.
 */
static unsigned declared_evt(struct tr2_record *record)
{
	size_t len = 0;
	const char *evt;

	if (record->is != TR2_IS_VERSION)
		return 0;
	evt = tr2_record_text(record, TR2_KEY_EVT, &len);
	if (len != 1 || *evt < '1' || *evt > '0' + TR2_EVT_MAX)
		return 0;
	return (unsigned)(*evt - '0');
}

/* Returns the session of the event, or NULL if the event has none. */
static struct tr2_map_slot *enter_session(struct tr2_checker *checker)
{
	struct tr2_record *record = &checker->events.record;
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_SID, &len);
	unsigned evt = declared_evt(record);
	struct tr2_map_slot *sid;

	if (!text)
		return NULL;
	sid = tr2_sids_enter(&checker->stream.sids, text, len);
	if (evt)
		tr2_sid_declare(sid, evt);
	return sid;
}

/* Returns the EVENT version against which the event is checked. */
static unsigned evt_of(const struct tr2_checker *checker,
		       const struct tr2_map_slot *sid)
{
	if (checker->evt)
		return checker->evt;
	return sid && tr2_sid_evt(sid) ? tr2_sid_evt(sid) : TR2_EVT_MAX;
}

static void report_unknown_event(struct tr2_checker *checker, unsigned evt)
{
	struct tr2_record *record = &checker->events.record;
	const struct tr2_value *value = &record->value[TR2_KEY_EVENT];
	size_t len;
	const char *name = tr2_record_text(record, TR2_KEY_EVENT, &len);
	struct tr2_what what = tr2_what_at(TR2_INFO, tr2_schema_unknown_event,
					   value->start,
					   value->end - value->start);

	if (!name || !len)
		return;
	if (tr2_map_add(&checker->log->told, tr2_hash(name, len).a))
		tr2_sink_report(&checker->sink, &what,
				"%.*s is not an event of EVENT version %u",
				shown_len(name, len), name, evt);
}

static void report_unknown_key(struct tr2_checker *checker,
			       const struct tr2_schema_event *rules,
			       const struct tr2_value *key)
{
	struct tr2_record *record = &checker->events.record;
	size_t len;
	const char *name =
		tr2_parse_text(&record->parse, key, &record->scratch, &len);
	struct tr2_what what = tr2_what_at(TR2_INFO, tr2_schema_unknown_key,
					   key->start, key->end - key->start);

	if (tr2_map_add(&checker->log->told,
			tr2_hash(name, len).a + (uint64_t)record->is + 1))
		tr2_sink_report(&checker->sink, &what, "%s has no key %.*s",
				rules->name, shown_len(name, len), name);
}

static void report_missing(struct tr2_checker *checker,
			   const struct tr2_schema_event *rules, unsigned evt)
{
	struct tr2_record *record = &checker->events.record;
	uint64_t missing = tr2_schema_missing(record, rules, evt);
	struct tr2_what what = tr2_what_at(TR2_ERROR, NULL,
					   tr2_parse_at(&record->parse, 0), 1);
	int key;

	for (; missing; missing &= missing - 1) {
		key = __builtin_ctzll(missing);
		what.id = rules->id[key];
		tr2_sink_report(&checker->sink, &what, "%s without %s",
				rules->name ? rules->name : "event",
				key_name(key));
	}
}

/* Returns the first element of the array that is not a string. */
static struct tr2_value first_other(struct tr2_parse *parse,
				    const struct tr2_value *array)
{
	struct tr2_value element;
	size_t token = array->token + 1;

	do
		token = tr2_parse_value(parse, token, &element) + 1;
	while (element.kind == TR2_STRING);
	return element;
}

static void report_bad_value(struct tr2_checker *checker,
			     const struct tr2_schema_event *rules, int key,
			     const struct tr2_value *value)
{
	const struct tr2_check *check = &tr2_schema_checks[rules->check[key]];
	struct tr2_value bad = *value;
	const char *seen;
	struct tr2_what what;

	if (tr2_schema_passes(&checker->events.record, check, value))
		return;
	if (check->kinds == TR2_STRINGS && value->kind == TR2_ARRAY)
		bad = first_other(&checker->events.record.parse, value);
	what = tr2_what_at(TR2_ERROR, rules->id[key], bad.start,
			   bad.end - bad.start);
	what.expected = check->expected;
	seen = checker->sink.text + what.at;
	tr2_sink_report(&checker->sink, &what, "%s: expected %s, found %.*s%s",
			key_name(key), check->expected,
			shown_len(seen, what.len), seen,
			what.len > SHOWN ? "..." : "");
}

/* The slow way: report everything that is wrong, in the order of the line. */
static void explain_event(struct tr2_checker *checker,
			  const struct tr2_schema_event *rules, unsigned evt)
{
	struct tr2_record *record = &checker->events.record;
	struct tr2_value key, value;
	size_t token = 1;
	int number;

	report_missing(checker, rules, evt);
	if (!rules->name)
		report_unknown_event(checker, evt);
	while (tr2_parse_byte(&record->parse, token) != '}') {
		token = tr2_parse_key(&record->parse, token, &key);
		token = tr2_parse_value(&record->parse, token, &value);
		token += tr2_parse_byte(&record->parse, token) == ',';
		number = tr2_record_key(record, &key);
		if (tr2_schema_knows(rules, number))
			report_bad_value(checker, rules, number, &value);
		else if (rules->name)
			report_unknown_key(checker, rules, &key);
	}
}

/* An object with a repeated key: JSON does not define which value is valid. */
static bool has_duplicate(struct tr2_checker *checker, bool quietly)
{
	struct tr2_record *record = &checker->events.record;
	bool differ = !record->repeated && record->unknown < 2;
	struct tr2_value key;

	if (differ && !record->parse.objects)
		return false;
	if (!tr2_duplicate_find(&record->parse, differ, &key))
		return false;
	if (!quietly)
		tr2_sink_report_input(&checker->sink, TR2_INPUT_DUPLICATE_KEY,
				      key.start, key.end - key.start,
				      "the object has this key already");
	return true;
}

static void lose_event(struct tr2_checker *checker)
{
	const struct tr2_parse *parse = &checker->events.record.parse;

	tr2_stream_lose(&checker->stream, &checker->sink, parse->text,
			parse->len);
}

/* The text of a SID is checked only once. */
static uint64_t trusted_keys(const struct tr2_map_slot *sid)
{
	return tr2_sid_has(sid, TR2_SID_RIGHT) ? UINT64_C(1) << TR2_KEY_SID : 0;
}

/* The fast way: is everything valid and known? */
static bool is_fine(struct tr2_checker *checker,
		    const struct tr2_schema_event *rules, unsigned evt,
		    struct tr2_map_slot *sid)
{
	struct tr2_record *record = &checker->events.record;

	if (!sid || !rules->name || record->unknown ||
	    record->present & ~rules->known)
		return false;
	if (!tr2_schema_conforms(record, rules, evt, trusted_keys(sid)))
		return false;
	tr2_sid_set(sid, TR2_SID_RIGHT);
	return true;
}

/* Note the event's writer, for --statistics. */
static void note_writer(struct tr2_checker *checker,
			const struct tr2_map_slot *sid)
{
	struct tr2_statistics *statistics = checker->totals->statistics;
	char name[TR2_WRITER_NAME];
	size_t len;
	const char *exe = NULL;

	if (checker->events.record.is == TR2_IS_VERSION)
		exe = tr2_record_text(&checker->events.record, TR2_KEY_EXE,
				      &len);
	if (!exe) {
		tr2_statistics_session(statistics, sid->hash);
		return;
	}
	snprintf(name, sizeof(name), "%.*s",
		 (int)tr2_text_cut(exe, len, sizeof(name) - 1), exe);
	tr2_statistics_writer(statistics, sid->hash, name);
}

/* Check the contents of an event against the rules of its kind. */
static void check_alone(struct tr2_checker *checker, struct tr2_map_slot *sid)
{
	const struct tr2_schema_event *rules =
		&tr2_schema_rules[checker->events.record.is];
	unsigned evt = evt_of(checker, sid);

	if (!rules->required[evt])
		rules = &tr2_schema_rules[TR2_IS_OTHER];
	if (!is_fine(checker, rules, evt, sid))
		explain_event(checker, rules, evt);
}

/* The first event with a UUID tells more than the UUID itself. */
static enum tr2_writer writer_of(struct tr2_checker *checker,
				 struct tr2_map_slot *sid)
{
	enum tr2_writer writer = (enum tr2_writer)tr2_sid_writer(sid);
	struct tr2_record *record = &checker->events.record;
	size_t len;
	const char *text;

	if (writer != TR2_WRITER_UUID)
		return writer;
	text = tr2_record_text(record, TR2_KEY_SID, &len);
	writer = tr2_writer_of_uuid(text, len, record->is == TR2_IS_VERSION);
	tr2_sid_set_writer(sid, writer);
	return writer;
}

static void check_form(struct tr2_checker *checker, bool broken)
{
	struct tr2_record *record = &checker->events.record;

	if (!broken)
		tr2_alone_check(record, &checker->sink);
	if (checker->formed)
		tr2_form_check(record, &checker->sink, &checker->log->told);
}

static void take_event(struct tr2_checker *checker, bool quietly)
{
	const unsigned long *errors = &checker->totals->findings[TR2_ERROR];
	unsigned long before;
	struct tr2_map_slot *sid;

	checker->sink.event_len = checker->events.record.parse.len;
	checker->totals->events[checker->events.record.is]++;
	if (checker->consumers)
		tr2_consumers_event(checker->consumers);
	before = *errors;
	if (has_duplicate(checker, quietly)) {
		lose_event(checker);
		return;
	}
	sid = enter_session(checker);
	if (checker->totals->statistics && sid)
		note_writer(checker, sid);
	checker->session = sid ? sid->hash : 0;
	checker->sink.writer = sid ? writer_of(checker, sid) : TR2_WRITER_OTHER;
	if (!quietly)
		check_alone(checker, sid);
	if (!sid)
		lose_event(checker);
	else if (!checker->alone)
		tr2_stream_event(&checker->stream, &checker->sink,
				 &checker->events.record, sid, quietly,
				 *errors > before);
	if (!quietly)
		check_form(checker, *errors > before);
	checker->sink.writer = TR2_WRITER_OTHER;
}

void tr2_checker_event(void *context, struct tr2_record *record)
{
	struct tr2_checker *checker = context;

	(void)record;
	checker->sink.text = checker->events.text;
	checker->sink.part = checker->events.part;
	take_event(checker, checker->events.mending);
	checker->session = 0;
	checker->sink.event_len = 0;
}
