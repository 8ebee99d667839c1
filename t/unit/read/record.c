/* An event of a line, alone or among others. */
#include "kit/validate.h"

#include "kit/json.h"
#include "rules/schema.h"

static struct tr2_tokens block;

/*
 * The same with what follows: LFs part the texts. A text that may have
 * escapes and has none is read no other way.
 */
static enum tr2_record_result read_line(int number)
{
	static bool escapes;
	const char *line = text;
	size_t len;

	for (; number; number--)
		line = strchr(line, '\n') + 1;
	len = strcspn(line, "\n");
	escapes = !escapes || memchr(line, '\\', len);
	return tr2_record_read_among(&record, &block, line, len, escapes);
}

static void begin_block(const char *lines)
{
	size_t len = strlen(lines);

	tr2_tokens_find(&block, pad_json(lines, len), len);
}

/* The number that is the record's value of `line`, of two digits. */
static int line_of_record(void)
{
	const struct tr2_value *value = &record.value[TR2_KEY_LINE];

	return value->end - value->start == 2
		       ? atoi(record.parse.text + value->start)
		       : -1;
}

static void test_among(void)
{
	static const char lines[] = "{\"line\":10}\n"
				    "{\"line\":11,\"argv\":[1,2,3]}\n"
				    "{\n"
				    "\"line\":13}\n"
				    "{ \"line\" : 14 }\n"
				    "[15]\n{\"line\":16}";
	static const int order[] = { 0, 1, 4, 6, 1, 6, 0, 4, 0 };
	int i, round, wrong = 0;

	for (round = 0; round < 40; round++)
		for (begin_block(lines), i = 0; i < 9; i++)
			wrong += read_line(order[i]) != TR2_RECORD_OK ||
				 line_of_record() != 10 + order[i];
	tap_int(wrong, 0, "texts are read in any order");
	tap_int((intmax_t)record.parse.next, 5, "the next one's token is kept");
	read_line(1);
	tap_int(record.value[TR2_KEY_ARGV].token, 7,
		"the first token of a list is known");
	tap_ok(read_line(2) == TR2_RECORD_REFUSED &&
		       read_line(2) == TR2_RECORD_REFUSED &&
		       read_line(5) == TR2_RECORD_NOT_OBJECT,
	       "a text ends where it ends");
}

/* A list, or a string of the same length, followed by an event. */
static const char *long_line(char first, char last, const char *event)
{
	static char lines[256];
	size_t i;

	for (i = 0; i < 121; i++)
		lines[i] = i % 2 ? '1' : ',';
	lines[0] = first;
	lines[120] = last;
	sprintf(lines + 121, "\n%s", event);
	return lines;
}

/* Tokens of the list are left where the other text has none. */
static int mixes_blocks(int blocks)
{
	tr2_tokens_release(&block);
	while (blocks--)
		begin_block(long_line('[', ']', "{ \"line\" : 12 }"));
	record.parse.next = 121;
	begin_block(long_line('"', '"', "{\"line\":34}"));
	return read_line(1) != TR2_RECORD_OK || line_of_record() != 34;
}

static void test_left_over(void)
{
	tap_ok(!mixes_blocks(1) && !mixes_blocks(200),
	       "tokens of a text that is gone are not taken");
}

/*
 * ---- Events
 */

#define BIT(key) (UINT64_C(1) << (key))

static void test_keys(void)
{
	const char *name;
	char line[128];
	int key, wrong = 0, slow = 0;

	for (key = 0; key < TR2_KEYS; key++) {
		name = tr2_names_keys.name[key];
		sprintf(line, "{\"%s\":1.5,\"%s\" :2}", name, name);
		wrong += read_record(line) != TR2_RECORD_OK || record.unknown;
		wrong += record.present != BIT(key);
		wrong += record.repeated != BIT(key);
		wrong += record.plain[TR2_FRACTION] != BIT(key);
		wrong += (record.plain[TR2_STRING] |
			  record.plain[TR2_INTEGER]) != 0;
		wrong += record.value[key].kind != TR2_INTEGER;
		sprintf(line, "{\"%s\":\"\\n\",\"\\u00%02x%s\":1,\"\":2}", name,
			(unsigned)*name, name + 1);
		slow += read_record(line) != TR2_RECORD_OK ||
			record.unknown != 1;
		slow += record.present != BIT(key);
		slow += record.repeated != BIT(key);
		slow += (record.plain[TR2_STRING] | record.plain[TR2_FRACTION] |
			 record.plain[TR2_INTEGER]) != 0;
	}
	tap_int(wrong, 0, "each key of the schemas is seen");
	tap_int(slow, 0, "each key is seen behind escapes");
}

static void test_many_keys(void)
{
	const uint64_t strings = BIT(TR2_KEY_EVENT) | BIT(TR2_KEY_MSG);
	const uint64_t numbers = BIT(TR2_KEY_LINE) | BIT(TR2_KEY_CODE);
	const char *const base = text;

	read_record(
		"{\"event\":\"error\",\"line\":7,\"msg\":\"a\",\"code\":8,"
		"\"argv\":[],\"t_abs\":0.5,\"x\":1,\"y\" :\"\",\"exe\":\"\"}");
	tap_ok(record.present == (strings | numbers | BIT(TR2_KEY_ARGV) |
				  BIT(TR2_KEY_T_ABS) | BIT(TR2_KEY_EXE)) &&
		       !record.repeated && record.unknown == 2,
	       "an event's keys are seen");
	tap_ok(record.plain[TR2_STRING] == strings &&
		       record.plain[TR2_INTEGER] == numbers &&
		       record.plain[TR2_FRACTION] == BIT(TR2_KEY_T_ABS),
	       "plain values are told from others");
	tap_ok(!memcmp(base + record.value[TR2_KEY_MSG].start, "\"a\",", 4) &&
		       record.value[TR2_KEY_MSG].end -
				       record.value[TR2_KEY_MSG].start ==
			       3,
	       "the values of an event are where they are");
	read_record("{\"line\":1,\"x\":2,\"code\":3,\"code\":4}");
	tap_ok(record.repeated == BIT(TR2_KEY_CODE) && record.unknown == 1 &&
		       record.is == TR2_IS_OTHER,
	       "what one event has is not another's");
}

static void test_events(void)
{
	char line[128];
	int is, wrong = 0;

	for (is = 0; is < TR2_IS_OTHER; is++) {
		sprintf(line, "{\"event\":\"%s\"}", tr2_schema_rules[is].name);
		wrong += read_record(line) != TR2_RECORD_OK ||
			 record.is != (enum tr2_is)is;
	}
	tap_int(wrong, 0, "each event is known by its name");
	read_record("{\"event\":\"starts\"}");
	tap_int(record.is, TR2_IS_OTHER, "another name is no event's");
	read_record("{\"event\":1}");
	tap_int(record.is, TR2_IS_OTHER, "and a number is no name");
}

static void test_results(void)
{
	static const struct {
		const char *text;
		enum tr2_record_result result;
	} rows[] = {
		{ "{}", TR2_RECORD_OK },
		{ " { } ", TR2_RECORD_OK },
		{ "{]", TR2_RECORD_REFUSED },
		{ "{\"a\":1]", TR2_RECORD_REFUSED },
		{ "{\"line\":1]", TR2_RECORD_REFUSED },
		{ "{\"line\":1,}", TR2_RECORD_REFUSED },
		{ "{\"line\":}", TR2_RECORD_REFUSED },
		{ "{\"line\"}", TR2_RECORD_REFUSED },
		{ "{\"line\" 1}", TR2_RECORD_REFUSED },
		{ "{line:1}", TR2_RECORD_REFUSED },
		{ "{_line_:1}", TR2_RECORD_REFUSED },
		{ "{}{}", TR2_RECORD_REFUSED },
		{ "{} 1", TR2_RECORD_REFUSED },
		{ "[1]", TR2_RECORD_NOT_OBJECT },
		{ "1", TR2_RECORD_NOT_OBJECT },
		{ "\"{}\"", TR2_RECORD_NOT_OBJECT },
		{ "[1", TR2_RECORD_REFUSED },
		{ "1 2", TR2_RECORD_REFUSED },
		{ "\xff", TR2_RECORD_REFUSED },
	};
	char name[80];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(name, sizeof(name), "line %zu is judged", i);
		tap_int(read_record(rows[i].text), rows[i].result, name);
	}
}

/*
 * ---- Memory
 */

/* No tokens are looked for in a text for which there is no memory. */
static void read_too_long(void)
{
	tr2_record_read(&record, "\\", (size_t)1 << 40);
}

int main(void)
{
	test_among();
	test_left_over();
	test_keys();
	test_many_keys();
	test_events();
	test_results();
	tap_ok(kit_runs_out(read_too_long),
	       "a line needs memory for its tokens");
	tr2_tokens_release(&block);
	tr2_record_release(&record);
	return tap_done();
}
