/*
 * Chrome's trace events: what no archive shows. The forms of records and
 * values are in t/commands/convert/records.txt.
 */
#include <string.h>
#include <unistd.h>

#include "kit/tap.h"
#include "trace/chrome/chrome.h"
#include "trace/chrome/values.h"

#define TEXT(literal)                          \
	{                                      \
		(literal), sizeof(literal) - 1 \
	}

static struct tr2_buf out;

/* What is in `out`, which is empty then. */
static const char *take_output(void)
{
	static char text[4096];
	size_t len = out.len < sizeof(text) ? out.len : sizeof(text) - 1;

	memcpy(text, out.bytes, len);
	text[len] = '\0';
	tr2_buf_reset(&out);
	return text;
}

static const struct trace_reader_record sample = {
	.type = FXT_EVENT,
	.thread = { UINT64_C(0x100000005), UINT64_C(0x200000006) },
	.time = 1234567,
	.end = 1236067,
	.id = 31,
	.category = TEXT("c\""),
	.name = TEXT("n\\"),
	.payload = TEXT("abc"),
	.args_count = 2,
	.args = {
		{ .type = FXT_ARG_STRING, .name = TEXT("s"),
		  .text = TEXT("t") },
		{ .type = FXT_ARG_INT32, .name = TEXT("i"),
		  .value.integer = 1 },
	},
};

static const char *text_of(struct trace_reader_record *record)
{
	struct tr2_chrome chrome = { .out = &out };

	tr2_chrome_record(&chrome, record);
	return take_output();
}

static void test_types(void)
{
	struct trace_reader_arg arg = { .text = TEXT("x") };
	unsigned type;

	for (type = 1; type < FXT_ARG_TYPES; type++) {
		arg.type = (enum fxt_arg)type;
		tr2_put_value(&out, &arg);
		if (!strcmp(take_output(), "null"))
			break;
	}
	tap_int((intmax_t)type, FXT_ARG_TYPES, "no type but one is null");
	for (; type < 16; type++) {
		arg.type = (enum fxt_arg)type;
		tr2_put_value(&out, &arg);
		if (strcmp(take_output(), "null"))
			break;
	}
	tap_int((intmax_t)type, 16, "a type that is unknown is null");
}

static void test_left_out(void)
{
	static const enum fxt_record silent[] = { FXT_METADATA, FXT_STRING,
						  FXT_INITIALIZATION,
						  FXT_THREAD };
	struct trace_reader_record record = sample;
	struct tr2_chrome chrome;
	unsigned long sum = 0;

	tr2_chrome_begin(&chrome, &out);
	for (size_t i = 0; i < 4; i++) {
		record.type = silent[i];
		tr2_chrome_record(&chrome, &record);
	}
	for (size_t i = 0; i <= FXT_LARGE; i++)
		sum += chrome.left_out[i];
	tap_int((intmax_t)sum, 0, "definitions are not counted as left out");
	record.type = FXT_BLOB;
	tr2_chrome_record(&chrome, &record);
	record.type = FXT_LARGE;
	record.subtype = FXT_LARGE_ATTACHMENT;
	tr2_chrome_record(&chrome, &record);
	record.type = FXT_EVENT;
	record.unknown = true;
	tr2_chrome_record(&chrome, &record);
	tr2_chrome_record(&chrome, &record);
	tap_ok(chrome.left_out[FXT_BLOB] == 1 &&
		       chrome.left_out[FXT_LARGE] == 1 &&
		       chrome.left_out[FXT_EVENT] == 2,
	       "what has no form is counted by its type");
	tap_str(take_output(), "[\n", "and leaves no trace otherwise");
}

static void test_array(void)
{
	struct trace_reader_record record = sample;
	struct tr2_chrome chrome;
	char want[1024];

	record.type = FXT_KERNEL_OBJECT;
	record.subtype = FXT_OBJECT_THREAD;
	record.args_count = 0;
	tr2_chrome_begin(&chrome, &out);
	tr2_chrome_put_writer(&chrome);
	tr2_chrome_put_name(&chrome, &record, 12);
	tr2_chrome_end(&chrome);
	snprintf(want, sizeof(want),
		 "[\n"
		 "{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"version\","
		 "\"args\":{\"libtrace2\":\"" TRACE2_VERSION "\"}}\n"
		 ",{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,"
		 "\"name\":\"process_sort_index\","
		 "\"args\":{\"sort_index\":0}}\n"
		 ",{\"ph\":\"M\",\"pid\":0,\"tid\":31,"
		 "\"name\":\"thread_name\",\"args\":{\"name\":\"n\\\\\"}}\n"
		 ",{\"ph\":\"M\",\"pid\":%d,\"tid\":31,"
		 "\"name\":\"thread_sort_index\","
		 "\"args\":{\"sort_index\":12}}\n"
		 "]\n",
		 getpid(), getpid(), getpid(), getpid(), getpid());
	tap_str(take_output(), want,
		"commas stand before all events but the first");
}

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

	record.category = make_word("__metadata");
	record.subtype = FXT_INSTANT;
	record.id = FXT_SCOPE_PROCESS;
	record.args_count = count;
	for (unsigned i = 0; i < count; i++) {
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
	tap_run(test_types, test_left_out, test_array, test_scopes,
		test_metadata);
	tr2_buf_release(&out);
	return tap_done();
}
