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

int main(void)
{
	enter_directory();
	test_spans();
	test_texts();
	leave_directory();
	return tap_done();
}
