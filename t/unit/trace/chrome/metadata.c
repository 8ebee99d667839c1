/* Scopes of instants, and metadata events, as Chrome's trace events. */
#include "trace/chrome/record_kit.h"

static void test_scopes(void)
{
	struct trace_reader_record record = sample;

	record.args_count = 0;
	record.subtype = FXT_INSTANT;
	record.id = FXT_SCOPE_PROCESS;
	tap_ok(strstr(text_of(&record), ",\"s\":\"p\"}\n") != NULL,
	       "an instant may be one of its process");
	record.id = FXT_SCOPE_GLOBAL;
	tap_ok(strstr(text_of(&record), ",\"s\":\"g\"}\n") != NULL,
	       "or one of the whole system");
	record.id = FXT_SCOPE_THREAD;
	tap_ok(strstr(text_of(&record), ",\"s\":\"t\"}\n") != NULL,
	       "and otherwise it is one of its thread");
}

static struct trace_reader_text make_word(const char *text)
{
	return (struct trace_reader_text){ text, strlen(text) };
}

/* The arguments of metadata with these names, whose values count. */
static const char *tree_of(const char *const *names, unsigned count)
{
	struct trace_reader_record record = sample;
	unsigned i;

	record.category = make_word("__metadata");
	record.subtype = FXT_INSTANT;
	record.id = FXT_SCOPE_PROCESS;
	record.args_count = count;
	for (i = 0; i < count; i++) {
		record.args[i].type = FXT_ARG_UINT32;
		record.args[i].name = make_word(names[i]);
		record.args[i].value.word = i;
	}
	return strstr(text_of(&record), "\"args\":");
}

static void test_metadata(void)
{
	static const char *const shorter[] = { "a.b.c", "a.b" };
	static const char *const names[] = {
		"a.b.c", "a.b.dd", "a.be", "x", "a.b", "y.", ".z", "y",
	};
	struct trace_reader_record record = sample;

	record.category = make_word("__metadata");
	record.subtype = FXT_INSTANT;
	record.id = FXT_SCOPE_PROCESS;
	tap_str(text_of(&record),
		"{\"ph\":\"M\",\"pid\":5,\"tid\":6,\"ts\":1234.567,"
		"\"cat\":\"__metadata\",\"name\":\"n\\\\\",\"args\":"
		"{\"s\":\"t\",\"i\":1}}\n",
		"an event that describes its process is metadata");
	tap_str(tree_of(names, 0), "\"args\":{}}\n", "which may be empty");
	tap_str(tree_of(names, 8),
		"\"args\":{\"a\":{\"b\":{\"c\":0,\"dd\":1},\"be\":2},\"x\":3,"
		"\"a\":{\"b\":4},\"y\":{\"\":5},\"\":{\"z\":6},\"y\":7}}\n",
		"a dot in a name makes an object");
	tap_str(tree_of(shorter, 2),
		"\"args\":{\"a\":{\"b\":{\"c\":0},\"b\":1}}}\n",
		"a name may be the beginning of another one");
	record.id = FXT_SCOPE_GLOBAL;
	tap_ok(!strstr(text_of(&record), "\"ph\":\"M\""),
	       "an instant of another scope is none");
	record.id = FXT_SCOPE_PROCESS;
	record.subtype = FXT_COUNTER;
	tap_ok(!strstr(text_of(&record), "\"ph\":\"M\""),
	       "nor is another event");
	record.subtype = FXT_INSTANT;
	record.category = make_word("__metadate");
	tap_ok(!strstr(text_of(&record), "\"ph\":\"M\""),
	       "nor one of another category");
	record.category = make_word("__metadatum");
	tap_ok(!strstr(text_of(&record), "\"ph\":\"M\""), "or a longer one");
	record.category = make_word("__metadat");
	tap_ok(!strstr(text_of(&record), "\"ph\":\"M\""), "or of a part of it");
	record.category = make_word("__metadata");
	record.type = FXT_LOG;
	tap_ok(!strstr(text_of(&record), "\"ph\":\"M\""), "nor another record");
}

int main(void)
{
	test_scopes();
	test_metadata();
	tr2_buf_release(&out);
	return tap_done();
}
