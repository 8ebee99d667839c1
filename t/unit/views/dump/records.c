#define _GNU_SOURCE /* pseudo-terminals of kit/command.h */
/* The line of each type of record. */
#include "views/dump/dump_kit.h"

/* An event at 5 ns with the word that its type has. */
static const char *dump_event(enum fxt_event type, uint64_t last)
{
	const size_t has_word = (size_t)fxt_event_has_word(type, last);

	begin_words();
	put_word(fxt_event_header(type, 2 + has_word, 0, 1, 0, 1));
	put_word(5);
	if (has_word)
		put_word(last);
	return dump_words();
}

#define PLACE "process=10 thread=11 category=\"\" name=\"work\""

static void test_spans(void)
{
	static const char *const names[] = { "async_begin", "async_instant",
					     "async_end",   "flow_begin",
					     "flow_step",   "flow_end" };
	char line[128], name[64];
	int i;

	for (i = 0; i < 6; i++) {
		snprintf(line, sizeof(line),
			 "0x50 %s time=5 " PLACE " id=0x7\n", names[i]);
		snprintf(name, sizeof(name), "%s has an id", names[i]);
		tap_str(dump_event((enum fxt_event)(FXT_ASYNC_BEGIN + i), 7),
			line, name);
	}
}

static void test_objects(void)
{
	begin_words();
	put_word(fxt_kernel_object_header(FXT_OBJECT_PROCESS, 2, 0, 1));
	put_word(10);
	put_word(fxt_kernel_object_header(FXT_OBJECT_THREAD, 4, 1, 1));
	put_word(11);
	put_word(fxt_arg_header(FXT_ARG_KOID, 2, 1, 0));
	put_word(10);
	put_word(fxt_kernel_object_header((enum fxt_object)9, 2, 0, 1));
	put_word(12);
	tap_str(dump_words(),
		"0x50 process_name id=10 name=\"work\"\n"
		"0x60 thread_name id=11 name=\"work\" "
		"args={\"work\":\"#10\"}\n"
		"0x80 kernel_object id=12 name=\"work\"\n",
		"kernel objects have names of their kinds");
	begin_words();
	put_word(fxt_userspace_object_header(3, 1, 1, 1));
	put_word(4096);
	put_word(fxt_arg_header(FXT_ARG_UINT32, 1, 1, 7));
	tap_str(dump_words(),
		"0x50 object pointer=0x1000 process=10 name=\"work\" "
		"args={\"work\":7}\n",
		"an object of a program has its pointer");
}

static void test_scheduling(void)
{
	begin_words();
	put_word(fxt_context_switch_header(4, 0, 2, (enum fxt_thread_state)3));
	put_word(5);
	put_word(11);
	put_word(12);
	put_word(fxt_wakeup_header(4, 1, 1));
	put_word(6);
	put_word(12);
	put_word(fxt_arg_header(FXT_ARG_UINT32, 1, 1, 8));
	tap_str(dump_words(),
		"0x50 switch time=5 cpu=2 thread=11 state=3 to=12\n"
		"0x70 wakeup time=6 cpu=1 thread=12 args={\"work\":8}\n",
		"a switch has two threads, a wake-up one");
}

static void test_texts(void)
{
	begin_words();
	put_word(fxt_log_header(3, 1, 4));
	put_word(5);
	put_bytes("a\n\"\x1b", 4);
	tap_str(dump_words(),
		"0x50 log time=5 process=10 thread=11 "
		"message=\"a\\n\\\"\\u001b\"\n",
		"a text cannot leave its line");
	begin_words();
	put_word(fxt_blob_header(FXT_BLOB_DATA, 2, 1, 5));
	put_bytes("12345", 5);
	put_word(fxt_filler(1));
	put_word(fxt_filler(3));
	put_word(0);
	put_word(0);
	put_word(fxt_blob_header((enum fxt_blob)77, 1, 1, 0));
	tap_str(dump_words(),
		"0x50 blob type=1 name=\"work\" bytes=5\n"
		"0x80 blob type=77 name=\"work\" bytes=0\n",
		"dead space has no line, and a blob of any type has");
}

static void test_large(void)
{
	begin_words();
	put_word(fxt_large_blob_header(FXT_LARGE_ATTACHMENT, 4));
	put_word(fxt_format_header(1, 1, 0, 0));
	put_word(3);
	put_bytes("abc", 3);
	put_word(fxt_large_blob_header(FXT_LARGE_EVENT, 5));
	put_word(fxt_format_header(0, 1, 1, 1));
	put_word(9);
	put_word(fxt_arg_header(FXT_ARG_UINT32, 1, 1, 6));
	put_word(0);
	tap_str(dump_words(),
		"0x50 large_blob category=\"work\" name=\"work\" bytes=3\n"
		"0x70 large_event time=9 process=10 thread=11 category=\"\" "
		"name=\"work\" bytes=0 args={\"work\":6}\n",
		"a large event has a time and a thread, a large blob none");
}

/* A record of the profiler with that index, at 5 ns on thread 1. */
static void put_profiler(unsigned kind, size_t size, uint64_t fields)
{
	put_word(fxt_header(FXT_PROFILER, size) | (uint64_t)kind << 16 |
		 UINT64_C(1) << 20 | fields);
	put_word(5);
}

static void test_profiler(void)
{
	begin_words();
	put_profiler(FXT_PROFILER_MODULE, 4,
		     UINT64_C(7) << 28 | UINT64_C(1) << 44 | UINT64_C(2) << 52);
	put_bytes("m", 1);
	put_bytes("id", 2);
	put_profiler(FXT_PROFILER_MMAP, 5,
		     UINT64_C(7) << 28 | UINT64_C(5) << 44);
	put_word(0);
	put_word(0);
	put_word(0);
	put_profiler(FXT_PROFILER_BACKTRACE, 4, UINT64_C(2) << 28);
	put_word(0);
	put_word(0);
	tap_str(dump_words(),
		"0x50 module time=5 process=10 thread=11 index=7 name=\"m\" "
		"bytes=2\n"
		"0x70 mapping time=5 process=10 thread=11 index=7 bytes=24\n"
		"0x98 backtrace time=5 process=10 thread=11 bytes=16\n",
		"only a module has a name, and a backtrace no index");
}

static void test_unknown(void)
{
	begin_words();
	put_word(fxt_header((enum fxt_record)11, 3));
	put_word(1);
	put_word(2);
	put_word(fxt_header(FXT_EVENT, 2) | 15 << 16 | 1 << 24);
	put_word(5);
	put_profiler(15, 2, 0);
	tap_str(dump_words(),
		"0x50 unknown type=11 subtype=0 words=3\n"
		"0x68 unknown type=4 subtype=15 words=2\n"
		"0x78 unknown type=10 subtype=15 words=2\n",
		"what is unknown has its type and size");
	tap_str(kit_said[2], "", "records of unknown types are no error");
}

int main(void)
{
	enter_directory();
	test_spans();
	test_objects();
	test_scheduling();
	test_texts();
	test_large();
	test_profiler();
	test_unknown();
	leave_directory();
	return tap_done();
}
