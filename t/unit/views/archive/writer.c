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
	test_tables();
	test_strings();
	test_turns();
	test_threads();
	test_last_index();
	test_full_table();
	return tap_done();
}
