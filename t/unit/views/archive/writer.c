/* Records to bytes, as a strict reader reads them. */
#include "views/archive/archive_kit.h"

static struct tr2_fxt_writer writer;
static struct tr2_fxt_thread main_thread;

static struct tr2_fxt_text text_of(const char *bytes)
{
	return tr2_fxt_text(bytes);
}

static void begin_writer(void)
{
	tr2_buf_reset(&archive);
	main_thread = (struct tr2_fxt_thread){ .process = 1, .thread = 2 };
	tr2_fxt_begin(&writer, &archive, "a provider");
	shown_from = 0;
}

static void begin_instant(const char *name)
{
	tr2_fxt_begin_event(&writer, FXT_INSTANT, 5000, &main_thread,
			    text_of("c"), text_of(name));
}

static const char *end_writer(void)
{
	tr2_fxt_release(&writer);
	return show_archive();
}

/* An instant, with what was put after it began. */
static const char *end_instant(void)
{
	tr2_fxt_end_event(&writer, 77);
	return end_writer();
}

/* The archive's first words, from the format's own description. */
static void test_head(void)
{
	uint64_t words[6];

	begin_writer();
	tap_int((intmax_t)archive.len, 48, "a head has six words");
	memcpy(words, archive.bytes, 48);
	tap_ok(words[0] == UINT64_C(0x0016547846040010), "the magic is first");
	tap_ok(words[1] == UINT64_C(0x00a0000000110030),
	       "provider 1 has a name of 10 bytes");
	tap_ok(!memcmp(&words[2], "a provider\0\0\0\0\0", 16), "it follows");
	tap_ok(words[4] == 0x21 && words[5] == 1000000000,
	       "a second has 10^9 ticks");
	tr2_fxt_release(&writer);
}

static void test_integers(void)
{
	begin_writer();
	begin_instant("i");
	tr2_fxt_arg_int(&writer, text_of("a"), 0);
	tr2_fxt_arg_int(&writer, text_of("b"), INT32_MAX);
	tr2_fxt_arg_int(&writer, text_of("c"), INT32_MIN);
	tr2_fxt_arg_int(&writer, text_of("d"), (int64_t)INT32_MAX + 1);
	tr2_fxt_arg_int(&writer, text_of("e"), (int64_t)INT32_MIN - 1);
	tr2_fxt_arg_int(&writer, text_of("f"), INT64_MIN);
	tr2_fxt_arg_uint(&writer, text_of("g"), UINT32_MAX);
	tr2_fxt_arg_uint(&writer, text_of("h"), (uint64_t)UINT32_MAX + 1);
	tr2_fxt_arg_uint(&writer, text_of("i"), UINT64_MAX);
	tap_str(end_instant(),
		"5 1.2 instant c/i a=int32:0 b=int32:2147483647"
		" c=int32:-2147483648 d=int64:2147483648"
		" e=int64:-2147483649 f=int64:-9223372036854775808"
		" g=uint32:4294967295 h=uint64:4294967296"
		" i=uint64:18446744073709551615\n",
		"an integer is as small as it fits");
	tap_int((intmax_t)writer.cut, 0, "and none of them is cut");
}

static void test_others(void)
{
	begin_writer();
	begin_instant("i");
	tr2_fxt_arg_double(&writer, text_of("a"), -0.5);
	tr2_fxt_arg_bool(&writer, text_of("b"), true);
	tr2_fxt_arg_bool(&writer, text_of("c"), false);
	tr2_fxt_arg_null(&writer, text_of("d"));
	tr2_fxt_arg_text(&writer, text_of("e"), text_of("often"), true);
	tr2_fxt_arg_text(&writer, text_of("f"), text_of("once"), false);
	tr2_fxt_arg_text(&writer, text_of("g"), text_of(""), true);
	tr2_fxt_arg_text(&writer, text_of("h"), text_of(""), false);
	tr2_fxt_arg_text(&writer, text_of(""), text_of("x"), false);
	tap_str(end_instant(),
		"5 1.2 instant c/i a=double:-0.5 b=bool:1 c=bool:0 d=null"
		" e=string:often f=string:once g=string: h=string: =string:x\n",
		"each type of argument is read as it was written");
}

/* The word at the end: of counters, spans and flows, and of no others. */
static void test_types(void)
{
	const enum fxt_event types[] = { FXT_DURATION_BEGIN, FXT_DURATION_END,
					 FXT_ASYNC_BEGIN,    FXT_ASYNC_END,
					 FXT_FLOW_BEGIN,     FXT_FLOW_END,
					 FXT_COUNTER };
	size_t i;

	begin_writer();
	for (i = 0; i < sizeof(types) / sizeof(*types); i++) {
		tr2_fxt_begin_event(&writer, types[i], 1000 * i, &main_thread,
				    text_of("c"), text_of("n"));
		if (types[i] == FXT_COUNTER)
			tr2_fxt_arg_int(&writer, text_of("v"), 3);
		tr2_fxt_end_event(&writer, 77);
	}
	tap_str(end_writer(),
		"0 1.2 begin c/n\n1 1.2 end c/n\n2 1.2 async-begin c/n #77\n"
		"3 1.2 async-end c/n #77\n4 1.2 flow-begin c/n #77\n"
		"5 1.2 flow-end c/n #77\n6 1.2 counter c/n #77 v=int32:3\n",
		"only some types have a word at their end");
}

static void test_names(void)
{
	const struct tr2_fxt_thread other = { .process = 3, .thread = 4 };

	begin_writer();
	tr2_fxt_name_process(&writer, 3, text_of("git status"));
	tr2_fxt_name_thread(&writer, &other, text_of("th01:x"));
	tr2_fxt_name_process(&writer, 5, text_of(""));
	tap_str(end_writer(),
		"3 process /git status\n4 thread /th01:x process=koid:3\n"
		"5 process /\n",
		"processes and threads have names");
}

/* How often does the archive have a record of that type? */
static int count_records(unsigned type)
{
	uint64_t word;
	size_t at = 0;
	int count = 0;

	while (at < archive.len) {
		memcpy(&word, archive.bytes + at, sizeof(word));
		count += (word & 15) == type;
		at += FXT_WORD * fxt_record_words(word);
	}
	return count;
}

static void test_tables(void)
{
	begin_writer();
	begin_instant("n");
	tr2_fxt_arg_text(&writer, text_of("k"), text_of("inline"), false);
	tr2_fxt_end_event(&writer, 0);
	begin_instant("n");
	tr2_fxt_arg_text(&writer, text_of("k"), text_of("often"), true);
	tr2_fxt_end_event(&writer, 0);
	begin_instant("n");
	tr2_fxt_arg_text(&writer, text_of("often"), text_of("c"), true);
	tr2_fxt_end_event(&writer, 0);
	tap_int(count_records(FXT_STRING), 4, "a string is written once");
	tap_int(count_records(FXT_THREAD), 1, "and so is a thread");
	tap_ok(strcmp(end_writer(), "broken"), "before what uses it");
}

static struct tr2_fxt_text make_text(size_t len)
{
	static char bytes[201];

	memset(bytes, 'x', sizeof(bytes));
	return (struct tr2_fxt_text){ bytes, len };
}

/* Which texts have records of their own: not the empty one. */
static void test_strings(void)
{
	begin_writer();
	tr2_fxt_name_process(&writer, 5, text_of(""));
	tap_int(count_records(FXT_STRING), 0, "an empty text is in no table");
	begin_instant("n");
	tap_int(count_records(FXT_STRING), 2, "names are in the table");
	tr2_fxt_arg_text(&writer, text_of("n"), make_text(200), true);
	tap_int(count_records(FXT_STRING), 3,
		"so is a frequent value of 200 bytes");
	tr2_fxt_arg_text(&writer, text_of("c"), make_text(201), true);
	tap_int(count_records(FXT_STRING), 3, "but not a longer one");
	tap_ok(strcmp(end_instant(), "broken"), "all of them can be read");
}

static void put_instant(struct tr2_fxt_thread *thread)
{
	tr2_fxt_begin_event(&writer, FXT_INSTANT, 1, thread, text_of("c"),
			    text_of("n"));
	tr2_fxt_end_event(&writer, 0);
}

static void test_turns(void)
{
	struct tr2_fxt_thread three[] = {
		{ .process = 1, .thread = 2 },
		{ .process = 1, .thread = 3 },
		{ .process = 1, .thread = 4 },
	};
	const unsigned order[] = { 0, 1, 0, 2, 1, 2, 0 };
	size_t i;

	begin_writer();
	for (i = 0; i < sizeof(order) / sizeof(*order); i++)
		put_instant(&three[order[i]]);
	tap_int(count_records(FXT_THREAD), 3,
		"threads that take turns keep their indices");
	tr2_fxt_release(&writer);
}

/*
 * 256 threads take turns, twice: each has lost its index when it comes again,
 * except the first one, whose index was not yet needed.
 */
static void test_threads(void)
{
	static struct tr2_fxt_thread threads[256];
	unsigned turn, wrong = 0;
	uint32_t i;
	const char *at;
	char want[32];

	begin_writer();
	for (turn = 0; turn < 2; turn++)
		for (i = 0; i < 256; i++) {
			threads[i].process = 1;
			threads[i].thread = 1000 + i;
			tr2_fxt_begin_event(&writer, FXT_INSTANT, turn,
					    &threads[i], text_of("c"),
					    text_of("n"));
			tr2_fxt_end_event(&writer, 0);
		}
	tap_int(count_records(FXT_THREAD), 512, "a lost index is given anew");
	at = end_writer();
	for (turn = 0; turn < 2; turn++)
		for (i = 0; i < 256; i++, at = strchr(at, '\n') + 1) {
			snprintf(want, sizeof(want), " 1.%u instant", 1000 + i);
			wrong += !strstr(at, want) ||
				 strstr(at, want) > strchr(at, '\n');
		}
	tap_int(wrong, 0, "each event is on its own thread");
}

static void test_last_index(void)
{
	static struct tr2_fxt_thread threads[255];
	uint32_t i, turn;

	begin_writer();
	for (turn = 0; turn < 2; turn++)
		for (i = 0; i < 255; i++) {
			threads[i].thread = 1000 + i;
			tr2_fxt_begin_event(&writer, FXT_INSTANT, turn,
					    &threads[i], text_of("c"),
					    text_of("n"));
			tr2_fxt_end_event(&writer, 0);
		}
	tap_int(count_records(FXT_THREAD), 255, "255 threads have an index");
	tr2_fxt_release(&writer);
}

static unsigned events_read, events_wrong;

static void check_event(void *context, const struct trace_reader_record *one)
{
	char name[16];

	(void)context;
	if (one->type != FXT_EVENT)
		return;
	snprintf(name, sizeof(name), "n%u", events_read++);
	events_wrong += one->name.len != strlen(name) ||
			memcmp(one->name.bytes, name, one->name.len) ||
			one->category.len != 1 || *one->category.bytes != 'c' ||
			one->args[0].name.len != 1 ||
			*one->args[0].name.bytes != 'k';
}

/*
 * Each event has a name of its own, and a category and key that all share.
 * When the table is full, names take the indices of the oldest strings.
 */
static void test_full_table(void)
{
	struct kit_archive words = { NULL, 0, 0 };
	const unsigned count = 2 * FXT_STRINGS;
	unsigned i;
	char name[16];

	begin_writer();
	for (i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		begin_instant(name);
		tr2_fxt_arg_int(&writer, text_of("k"), 1);
		tr2_fxt_end_event(&writer, 0);
	}
	words.words = (uint64_t *)(void *)archive.bytes;
	words.count = archive.len / FXT_WORD;
	tap_int(kit_read(&words, check_event, NULL), 0,
		"an archive with more strings than indices is sound");
	tap_int(events_read, count, "it has all events");
	tap_int(events_wrong, 0, "and each has its own strings");
	tr2_fxt_release(&writer);
}

int main(void)
{
	test_head();
	test_integers();
	test_others();
	test_types();
	test_names();
	test_tables();
	test_strings();
	test_turns();
	test_threads();
	test_last_index();
	test_full_table();
	return tap_done();
}
