/* The table of fields: each text of each event has a row. */
#include "kit/tap.h"

#include "redact/redactor/fields.h"
#include "rules/schema.h"

#define TEXTS (TR2_STRING | TR2_STRINGS | TR2_ARRAY | TR2_OBJECT)

/* A schema says nothing of the value of data_json, so it may be a text. */
static int may_be_text(const struct tr2_schema_event *rules, int key)
{
	unsigned kinds = tr2_schema_checks[rules->check[key]].kinds;

	return !kinds || kinds & TEXTS;
}

static void test_rows(void)
{
	const struct tr2_schema_event *rules;
	int event, key, missing = 0, known = 0, needless = 0;

	for (event = 0; event < TR2_IS_OTHER; event++)
		for (key = 0; key < TR2_KEYS; key++) {
			int has = tr2_field_is_known((enum tr2_is)event,
						     (enum tr2_key)key);

			rules = &tr2_schema_rules[event];
			if (!tr2_schema_knows(rules, key)) {
				needless += has;
			} else if (may_be_text(rules, key)) {
				known++;
				missing += !has;
				if (!has)
					printf("# %s: key %d has no row\n",
					       rules->name, key);
			}
		}
	tap_ok(known > 150, "the schemas have many texts");
	tap_int(missing, 0,
		"helper/redact/redactor/fields.c has each text of a schema");
	tap_int(needless, 0, "it has no field that is in no schema");
}

static void test_others(void)
{
	tap_int(tr2_field_of(TR2_IS_OTHER, TR2_KEY_SID), TR2_FIELD_SID,
		"an unknown event has a SID");
	tap_int(tr2_field_of(TR2_IS_OTHER, TR2_KEY_CATEGORY), TR2_FIELD_TEXT,
		"any other field of an unknown event may hold anything");
	tap_int(tr2_field_of(TR2_IS_EXIT, TR2_KEY_CATEGORY), TR2_FIELD_TEXT,
		"so may a field that the event should not have");
}

int main(void)
{
	test_rows();
	test_others();
	return tap_done();
}
