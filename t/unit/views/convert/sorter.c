#define _GNU_SOURCE /* mkdtemp */
/* Chrome's events, thread by thread. */
#include "views/convert/convert_part.h"

#include "kit/directory.h"
#include "kit/tap.h"

static struct tr2_output output;
static struct tr2_sorter sorter;

static void begin_sorter(void)
{
	memset(&output, 0, sizeof(output));
	memset(&sorter, 0, sizeof(sorter));
	tr2_output_begin(&output, "convert", "out");
	tr2_output_open(&output);
	tr2_sorter_begin(&sorter, &output);
}

static void put_event(uint64_t process, uint64_t thread, const char *name)
{
	struct trace_reader_record record = {
		.type = FXT_EVENT,
		.subtype = FXT_INSTANT,
		.thread = { process, thread },
		.name = { name, strlen(name) },
	};

	tr2_sorter_put(&sorter, &record);
}

static void put_object(enum fxt_object kind, uint64_t id, const char *name,
		       uint64_t process)
{
	struct trace_reader_record record = {
		.type = FXT_KERNEL_OBJECT,
		.subtype = kind,
		.id = id,
		.name = { name, strlen(name) },
	};

	if (kind == FXT_OBJECT_THREAD) {
		record.args_count = 1;
		record.args[0].type = FXT_ARG_KOID;
		record.args[0].name.bytes = "process";
		record.args[0].name.len = strlen("process");
		record.args[0].value.word = process;
	}
	tr2_sorter_put(&sorter, &record);
}

static char end[4096]; /* of the output */

static void read_end(void)
{
	FILE *file = fopen("out", "r");
	size_t len;

	tap_need(file);
	if (fseek(file, -(long)sizeof(end) + 1, SEEK_END))
		rewind(file);
	len = fread(end, 1, sizeof(end) - 1, file);
	end[len] = '\0';
	fclose(file);
}

/*
 * The names at the end of the output that are one capital letter; valid until
 * the next call.
 */
static const char *end_sorter(void)
{
	static char names[64];
	const char *at = end;
	size_t count = 0;

	tr2_sorter_end(&sorter);
	tr2_sorter_release(&sorter);
	tap_need(!tr2_output_close(&output));
	read_end();
	while ((at = strstr(at, "\"name\":\"")) && count < sizeof(names) - 1) {
		at += strlen("\"name\":\"");
		if (*at >= 'A' && *at <= 'Z' && at[1] == '"')
			names[count++] = *at;
	}
	names[count] = '\0';
	return names;
}

static void test_threads(void)
{
	begin_sorter();
	put_event(1, 1, "A");
	put_event(1, 2, "B");
	put_event(2, 1, "C");
	put_event(1, 1, "D");
	put_event(2, 1, "E");
	put_event(1, 2, "F");
	put_event(1, 1, "G");
	tap_str(end_sorter(), "ADGBFCE",
		"events of a thread come together, in their order");
	tap_ok(end[0] == '[' && strchr(end, ']')[1] == '\n',
	       "all events are in one array");
}

static void test_names_of_threads(void)
{
	begin_sorter();
	put_event(1, 2, "A");
	put_event(3, 3, "B");
	put_event(2, 2, "C");
	put_object(FXT_OBJECT_THREAD, 2, "D", 1);
	put_object(FXT_OBJECT_PROCESS, 3, "E", 0);
	put_object(FXT_OBJECT_THREAD, 2, "F", 2);
	put_event(1, 2, "G");
	tap_str(end_sorter(), "ADGBECF",
		"a name comes with the thread that it names");
}

/* A process may have arguments, and a thread none. */
static void test_odd_names(void)
{
	struct trace_reader_record record = {
		.type = FXT_KERNEL_OBJECT,
		.subtype = FXT_OBJECT_THREAD,
		.id = 2,
		.name = { "C", 1 },
	};

	begin_sorter();
	put_event(2, 2, "A");
	put_event(7, 2, "B");
	record.args[0].value.word = 7;
	tr2_sorter_put(&sorter, &record);
	record.subtype = FXT_OBJECT_PROCESS;
	record.args_count = 1;
	record.args[0].type = FXT_ARG_UINT64;
	record.args[0].name.bytes = "a";
	record.args[0].name.len = 1;
	record.name.bytes = "D";
	tr2_sorter_put(&sorter, &record);
	tap_str(end_sorter(), "ACDB", "an argument of another kind names none");
}

static void test_large_ids(void)
{
	begin_sorter();
	put_event(1, 1, "A");
	put_event(1, UINT64_C(1) << 56 | 1, "B");
	put_event(UINT64_C(1) << 56 | 1, 1, "C");
	put_event(1, 1, "D");
	tap_str(end_sorter(), "ADBC",
		"all bits of a number tell threads apart");
}

static void test_nothing(void)
{
	struct trace_reader_record record = { .type = FXT_STRING };

	begin_sorter();
	tr2_sorter_put(&sorter, &record);
	put_event(1, 1, "A");
	tr2_sorter_put(&sorter, &record);
	put_event(1, 1, "B");
	tap_str(end_sorter(), "AB", "a record without a form changes no other");
	begin_sorter();
	record.thread.process = record.thread.thread = 5;
	tr2_sorter_put(&sorter, &record);
	put_event(1, 1, "A");
	put_event(5, 5, "B");
	tap_str(end_sorter(), "AB", "nor the order of threads");
	begin_sorter();
	tap_str(end_sorter(), "", "without events there is an empty array");
	tap_ok(end[0] == '[' && strchr(end, ']') != NULL,
	       "an array without events is complete");
}

/* Fill the text that is held, and return how many events that took. */
static int fill_text(void)
{
	static char name[32001];
	int count = 0;

	memset(name, 'x', sizeof(name) - 1);
	do {
		put_event(7, 7, name);
		count++;
	} while (sorter.text.len);
	return count;
}

static void test_limit(void)
{
	int count;

	begin_sorter();
	put_event(1, 1, "A");
	count = fill_text();
	tap_ok(count > 2000 && count < 2200,
	       "what is held is written when it is 64 MiB");
	put_event(1, 1, "B");
	put_event(7, 7, "C");
	put_event(1, 1, "D");
	tap_str(end_sorter(), "BDC",
		"then the threads begin anew, and nothing comes twice");
}

int main(void)
{
	enter_directory();
	tap_run(test_threads, test_names_of_threads, test_odd_names,
		test_large_ids, test_nothing, test_limit);
	leave_directory();
	return tap_done();
}
