/* The values and keys of an event against what its schema says. */
#include "kit/validate.h"

#include "kit/json.h"
#include "rules/schema.h"

#define BIT(key) (UINT64_C(1) << (key))

static const char *const few[] = { "one", "other", NULL };

static int value_passes(const struct tr2_check *check, const char *value)
{
	char line[128];

	snprintf(line, sizeof(line), "{\"z\":\"\\n\",\"value\":%s}", value);
	read_record(line);
	return tr2_schema_passes(&record, check, &record.value[TR2_KEY_VALUE]);
}

static bool is_ab(const char *bytes, size_t len)
{
	return len == 2 && !memcmp(bytes, "ab", 2);
}

#define NUMBERS (TR2_INTEGER | TR2_FRACTION)

static void test_words(size_t number, const struct tr2_check *check,
		       const char *list, int taken)
{
	char words[128], name[128], *word;

	strcpy(words, list);
	for (word = strtok(words, " "); word; word = strtok(NULL, " ")) {
		snprintf(name, sizeof(name), "check %zu %s %s", number,
			 taken ? "takes" : "refuses", word);
		tap_int(value_passes(check, word), taken, name);
	}
}

static void test_checks(void)
{
	static const struct {
		const char *taken, *refused; /* values, with blanks between */
		struct tr2_check check;
	} rows[] = {
		{ "1 12345678901 1.0 -3e2 9007199254740993.5 1e30",
		  "1.5 -0.25 \"1\" null [] 1e-3",
		  { .kinds = TR2_INTEGER, .test = TR2_TEST_KIND } },
		{ "1.5 2.0 true",
		  "1 {} \"\"",
		  { .kinds = TR2_FRACTION | TR2_BOOLEAN,
		    .test = TR2_TEST_KIND } },
		{ "[] [\"\"] {}",
		  "[1] null 1.0",
		  { .kinds = TR2_STRINGS | TR2_OBJECT,
		    .test = TR2_TEST_KIND } },
		{ "\"a\" 0 0.5",
		  "\"\" null",
		  { .kinds = TR2_STRING | NUMBERS,
		    .test = TR2_TEST_NONEMPTY } },
		{ "2 3 10 2.0 11.5 \"\" null 18446744073709551615",
		  "1 -5 1.5 -20.5 0 true",
		  { .kinds = TR2_STRING | TR2_NULL | NUMBERS,
		    .test = TR2_TEST_MINIMUM,
		    .minimum = 2 } },
		{ "0 -1 5 -1.0",
		  "-2 -3.0 -1.5",
		  { .kinds = TR2_INTEGER,
		    .test = TR2_TEST_MINIMUM,
		    .minimum = -1 } },
		{ "\"ab\" \"\\u0061b\" 1",
		  "\"a\" \"abc\" \"a\\n\"",
		  { .kinds = TR2_STRING | TR2_INTEGER,
		    .test = TR2_TEST_MATCH,
		    .match = is_ab } },
		{ "\"one\" \"other\" \"on\\u0065\" null",
		  "\"\" \"on\" \"ones\" \"two\" \"others\" 1.0",
		  { .kinds = TR2_STRING | TR2_NULL,
		    .test = TR2_TEST_VALUES,
		    .values = few } },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		test_words(i, &rows[i].check, rows[i].taken, 1);
		test_words(i, &rows[i].check, rows[i].refused, 0);
	}
}

/* Which of the checks demands a boolean? */
static uint8_t boolean_check(void)
{
	uint8_t i = 0;

	while (tr2_schema_checks[i].kinds != TR2_BOOLEAN)
		i++;
	return i;
}

/*
 * An event that has `code`, and `line` from the version 2 on; `msg` is
 * demanded where `event` is `one`. Of `line` every plain integer is right.
 */
static struct tr2_schema_event rules = {
	.name = "event",
	.known = BIT(TR2_KEY_EVENT) | BIT(TR2_KEY_LINE) | BIT(TR2_KEY_CODE) |
		 BIT(TR2_KEY_MSG),
	.required = { [1] = BIT(TR2_KEY_CODE),
		      [2] = BIT(TR2_KEY_CODE) | BIT(TR2_KEY_LINE) },
	.plain = { [TR2_STRING] = BIT(TR2_KEY_EVENT) | BIT(TR2_KEY_MSG),
		   [TR2_INTEGER] = BIT(TR2_KEY_LINE),
		   [TR2_FRACTION] = BIT(TR2_KEY_LINE) },
	.when_key = TR2_KEY_EVENT,
	.when_value = "one",
	.when_required = BIT(TR2_KEY_MSG),
};

static int line_conforms(const char *line, uint64_t trusted)
{
	read_record(line);
	return tr2_schema_conforms(&record, &rules, 1, trusted);
}

static void test_conforms(void)
{
	memset(rules.check, boolean_check(), sizeof(rules.check));
	tap_ok(line_conforms("{\"code\":true,\"event\":true,\"line\":false}",
			     0),
	       "values that pass conform");
	tap_ok(!line_conforms("{\"line\":1}", 0), "what lacks a key does not");
	tap_ok(!line_conforms("{\"code\":true,\"event\":1,\"line\":false}",
			      0) &&
		       !line_conforms("{\"code\":1}", 0) &&
		       !line_conforms("{\"code\":\"a\"}", 0),
	       "what does not pass does not");
	tap_ok(line_conforms("{\"code\":true,\"event\":\"a\",\"line\":2}", 0) &&
		       line_conforms("{\"code\":true,\"line\":2.5}", 0),
	       "plain values that are right are not asked about");
	tap_ok(!line_conforms("{\"code\":true,\"event\":\"\"}", 0) &&
		       !line_conforms("{\"code\":true,\"line\":[]}", 0),
	       "nor are they if they are not plain");
	tap_ok(line_conforms("{\"code\":1}", BIT(TR2_KEY_CODE)) &&
		       !line_conforms("{\"code\":1}", BIT(TR2_KEY_LINE)) &&
		       line_conforms("{\"code\":true,\"exe\":1,\"x\":2}", 0),
	       "those that are trusted or not known are not asked about");
}

int main(void)
{
	test_checks();
	test_conforms();
	tr2_record_release(&record);
	return tap_done();
}
