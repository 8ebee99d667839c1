/* What the engine writes of events, word by word. */
#include "kit/trace/trace_words.h"

/*
 * Beginnings
 */

#define SECOND "3b9aca00"

static void test_beginning(void)
{
	const struct trace_buffer_header *header;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	header = kit_header();
	tap_str(durable_from(0), "21 " SECOND " 8005010037 64 67286f7270",
		"a trace begins with its ticks and its process");
	tap_int((intmax_t)stat_room, 511, "half a kilobyte has its name");
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	tap_str(durable_from(5),
		"10033 64 65 "
		"700010022 737365636f7270 "
		"18004020057 65 6e69616d 10028 64 "
		"300020022 746163 "
		"400030022 656d616e",
		"then come a thread, its name, and strings");
	tap_str(hex_of((const uint64_t *)(const void *)header + 16 +
			       header->durable_buffer_size / 8,
		       2),
		hex_of((const uint64_t[]){ fxt_filler(2),
					   (uint64_t)header->nonce << 32 },
		       2),
		"its chunk has a tag");
	tap_str(written_since(tr2_trace_self->at - 2), "3000201000024 101",
		"and its event is behind that");
}

/*
 * Events
 */

struct event {
	enum fxt_event type;
	uint64_t id;
	size_t count;
	const char *words; /* words after the time */
	struct trace_arg args[2];
};

/* Written when its strings are new, and when they are known. */
static int first_wrong(const struct event *rows, int count)
{
	const char *time;
	char want[256];
	const uint64_t *before;
	int i;
	int j;

	for (i = 0; i < count; i++) {
		const struct event *row = &rows[i];

		start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
		TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD, "arg",
			      TA_NULL(), "other", TA_NULL());
		memset(tr2_trace_self->cache, 0, sizeof(tr2_trace_self->cache));
		time = strchr(row->words, 'T');
		for (j = 0; j < 2; j++) {
			before = tr2_trace_self->at;
			snprintf(want, sizeof(want), "%.*s%" PRIx64 "%s",
				 (int)(time - row->words), row->words, now,
				 time + 1);
			trace_internal_event(row->type, "cat", "name", row->id,
					     row->args, row->count);
			if (strcmp(written_since(before), want) != 0)
				break;
		}
		if (j < 2)
			break;
	}
	if (i < count)
		printf("# want %s\n# got  %s\n", want, text);
	return i == count ? -1 : i;
}

static void test_simple_events(void)
{
	const struct event rows[] = {
		{ FXT_INSTANT, 9, 0, "3000201000024 T", { { 0 } } },
		{ FXT_INSTANT, 1, 0, "3000201000034 T 1", { { 0 } } },
		{ FXT_INSTANT,
		  2,
		  1,
		  "3000201100044 T 100040019 2",
		  { { "arg", TA_BOOL(true) } } },
		{ FXT_INSTANT, 3, 0, "3000201000024 T", { { 0 } } },
		{ FXT_DURATION_BEGIN, 1, 0, "3000201020024 T", { { 0 } } },
		{ FXT_COUNTER,
		  9,
		  1,
		  "3000201110054 T 40023 7 9",
		  { { "arg", TA_INT64(7) } } },
		{ FXT_DURATION_BEGIN,
		  9,
		  1,
		  "3000201120034 T 100040019",
		  { { "arg", TA_BOOL(true) } } },
		{ FXT_DURATION_END, 9, 0, "3000201030024 T", { { 0 } } },
		{ FXT_ASYNC_BEGIN,
		  9,
		  1,
		  "3000201150044 T ffffffff00040011 9",
		  { { "arg", TA_INT32(-1) } } },
		{ FXT_ASYNC_INSTANT,
		  9,
		  1,
		  "3000201160054 T 40025 "
		  "3ff8000000000000 9",
		  { { "arg", TA_DOUBLE(1.5) } } },
	};

	tap_int(first_wrong(rows, sizeof(rows) / sizeof(*rows)), -1,
		"events have their words, their strings new or known");
}

static void test_complete(void)
{
	const uint64_t *before;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_internal_complete("cat", "name", 0x50, NULL, 0);
	tap_str(written_since(tr2_trace_self->at - 3), "3000201040034 50 101",
		"a duration lasts until now");
	before = tr2_trace_self->at;
	trace_internal_complete("cat", "name", 0x106, NULL, 0);
	trace_internal_complete("cat", "name", 0x9999, NULL, 0);
	tap_str(written_since(before),
		"3000201040034 106 106 3000201040034 9999 9999",
		"but ends no earlier than it begins");
}

/*
 * Strings and threads that the tables have no room for
 */

static void test_most_arguments(void)
{
	const uint64_t *before;
	struct trace_arg args[17];
	int i;

	for (i = 0; i < 17; i++)
		args[i] = (struct trace_arg){ "cat", TA_NULL() };
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	before = tr2_trace_self->at;
	trace_internal_event(FXT_INSTANT, "cat", "name", 0, args, 15);
	tap_ok((*before & 0xffffff) == 0xf00114 &&
		       tr2_trace_self->at == before + 17,
	       "an event has fifteen arguments");
	before = tr2_trace_self->at;
	trace_internal_event(FXT_COUNTER, "cat", "name", 5, args, 17);
	tap_ok((*before & 0xffffff) == 0xf10124 &&
		       tr2_trace_self->at == before + 18 && before[17] == 5,
	       "what is above is left out");
}

/* By content, of strings that are no literals. */
static void test_contents(void)
{
	char cat[] = "cat", name[] = "name";
	struct trace_arg arg = { name, TA_INT32(1) };
	struct trace_event event = {
		.type = FXT_COUNTER,
		.id = 9,
		.time = 0x55,
		.category = cat,
		.name = name,
		.args = &arg,
		.arg_count = 1,
	};
	const uint64_t *before;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_event_write(&event);
	before = tr2_trace_self->at;
	trace_event_write(&event);
	tap_str(written_since(before), "3000201110044 55 100030011 9",
		"strings are found by what they hold");
	tap_ok(tr2_trace_self->known[tr2_trace_known_slot(name)].address ==
			       name &&
		       tr2_trace_self->known[tr2_trace_known_slot(name)].ref ==
			       3,
	       "and are looked up once");
	name[0] = 'f';
	before = tr2_trace_self->at;
	trace_event_write(&event);
	trace_event_write(&event);
	tap_str(written_since(before),
		"4000201110044 55 100040011 9 4000201110044 55 100040011 9",
		"they may hold something else later");
	name[0] = '\0';
	memset(tr2_trace_self->known, 0, sizeof(tr2_trace_self->known));
	before = tr2_trace_self->at;
	trace_event_write(&event);
	tap_ok(tr2_trace_self->known[tr2_trace_known_slot(name)].address !=
		       name,
	       "the empty string needs no looking up");
	event.category = event.name = NULL;
	arg.name = NULL;
	event.time = 0;
	trace_event_write(&event);
	tap_str(written_since(before),
		"201110044 55 100000011 9 "
		"1110044 101 100000011 9",
		"they may be empty, or nothing");
}

static void test_inline(void)
{
	struct trace_arg args[] = { { "argument", TA_INT32(1) },
				    { "b", TA_STRING("caf\xe9") } };
	struct trace_event event = { .type = FXT_COUNTER,
				     .id = 9,
				     .time = 0x55,
				     .category = "a\xff",
				     .name = "in",
				     .args = args,
				     .arg_count = 2 };
	const uint64_t *before;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	fill_strings();
	before = tr2_trace_self->at;
	trace_event_write(&event);
	tap_str(written_since(before),
		"80028002012100a4 55 3f61 6e69 "
		"180080021 746e656d75677261 "
		"800480010036 62 3f666163 9",
		"a string that the table has no room for stands in the record");
	tap_ok(tr2_trace_self->known[tr2_trace_known_slot(event.name)]
			       .address != event.name,
	       "and is not looked for again");
	before = tr2_trace_self->at;
	trace_internal_event(FXT_INSTANT, "cat", "in", 0, args, 1);
	trace_internal_event(FXT_INSTANT, "cat", "in", 0, args, 1);
	tap_str(written_since(before),
		"8002000201100054 102 6e69 180080021 746e656d75677261 "
		"8002000201100054 103 6e69 180080021 746e656d75677261",
		"so does a literal");
	start_engine(TRACE_BUFFERING_MODE_ONESHOT);
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	fill_strings();
	before = tr2_trace_self->at;
	trace_internal_event(FXT_INSTANT, "cat", "in", 0, NULL, 0);
	tap_str(written_since(before), "8002000201000034 102 6e69",
		"which no chunk defines");
}

int main(void)
{
	kit_begin_words();
	tap_run(test_beginning, test_simple_events, test_complete,
		test_most_arguments, test_contents, test_inline);
	return kit_end_words();
}
