/* What the engine writes, word by word, where time and names stand still. */
#include "trace/session.h"
#include "trace_kit.h"

static struct tr2_host host;
static uint64_t now = 0x100;
static char system_name[600] = "100 (pro(g) S 1 2";

static uint64_t tell_time(void)
{
	return now++;
}

static pid_t tell_pid(void)
{
	return 100;
}

static pid_t tell_thread(char *name, size_t size)
{
	snprintf(name, size, "main");
	return 101;
}

/* Of this process, and of a thread that goes by 102. */
static ssize_t tell_stat(pid_t pid, char *text, size_t size)
{
	if (pid != 100 && pid != 102)
		return -1;
	return snprintf(text, size + 1, "%s", system_name);
}

static char text[8192];

static const char *hex(const uint64_t *words, size_t count)
{
	size_t len = 0, i;

	text[0] = '\0';
	for (i = 0; i < count; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"%s%" PRIx64, i ? " " : "", words[i]);
	return text;
}

/* The words that this thread wrote into its chunk since `before`. */
static const char *written(const uint64_t *before)
{
	return hex(before, (size_t)(tr2_trace_self->at - before));
}

static const uint64_t *durable(void)
{
	return (const uint64_t *)(kit_header() + 1);
}

/* Durable words from that one on. */
static const char *lasting(size_t from)
{
	return hex(durable() + from, kit_header()->durable_data_end / 8 - from);
}

static void start(enum trace_buffering_mode mode)
{
	now = 0x100;
	kit_start(mode, 1 << 16);
}

/*
 * Beginnings
 */

#define SECOND "3b9aca00"

static void test_beginning(void)
{
	const struct trace_buffer_header *header;

	start(TRACE_BUFFERING_MODE_CIRCULAR);
	header = kit_header();
	tap_str(lasting(0), "21 " SECOND " 8005010037 64 67286f7270",
		"a trace begins with its ticks and its process");
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	tap_str(lasting(5),
		"10033 64 65 "
		"700010022 737365636f7270 "
		"18004020057 65 6e69616d 10028 64 "
		"300020022 746163 "
		"400030022 656d616e",
		"then come a thread, its name, and strings");
	tap_str(hex((const uint64_t *)(const void *)header + 16 +
			    header->durable_buffer_size / 8,
		    2),
		hex((const uint64_t[]){ fxt_filler(2),
					(uint64_t)header->nonce << 32 },
		    2),
		"its chunk has a tag");
	tap_str(written(tr2_trace_self->at - 2), "3000201000024 101",
		"and its event is behind that");
}

static void test_oneshot_beginning(void)
{
	const uint64_t *chunk;

	start(TRACE_BUFFERING_MODE_ONESHOT);
	chunk = durable() + 2;
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	tap_str(written(chunk),
		"21 " SECOND " 8005010037 64 67286f7270 "
		"10033 64 65 "
		"700010022 737365636f7270 "
		"18004020057 65 6e69616d 10028 64 "
		"300020022 746163 "
		"400030022 656d616e "
		"3000201000024 101 "
		"3000201000024 102",
		"a oneshot trace has all of that in its chunks");
	tap_ok(*tr2_trace_self->at == fxt_filler(tr2_trace_self->room),
	       "what is left of a chunk is dead space");
}

/*
 * Events
 */

struct event {
	enum fxt_event type;
	uint64_t id;
	size_t count;
	const char *words; /* behind the time */
	struct trace_arg args[2];
};

/* Written when its strings are new, and when they are known. */
static void test_events(void)
{
	const struct event rows[] = {
		{ FXT_INSTANT, 9, 0, "3000201000024 T", { { 0 } } },
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
		{ FXT_ASYNC_END,
		  UINT64_MAX,
		  0,
		  "3000201070034 T ffffffffffffffff",
		  { { 0 } } },
		{ FXT_FLOW_BEGIN,
		  9,
		  2,
		  "3000201280074 T 40028 5 50027 6 9",
		  { { "arg", TA_KOID(5) },
		    { "other", TA_POINTER((void *)(uintptr_t)6) } } },
		{ FXT_FLOW_STEP,
		  9,
		  2,
		  "3000201290054 T 40010 600050012 9",
		  { { "arg", TA_NULL() }, { "other", TA_UINT32(6) } } },
		{ FXT_FLOW_END,
		  9,
		  2,
		  "30002012a0074 T 40024 8 800300050026 636261 9",
		  { { "arg", TA_UINT64(8) }, { "other", TA_STRING("abc") } } },
		{ FXT_INSTANT,
		  0,
		  2,
		  "3000201200044 T 50016 700040011",
		  { { "other", TA_STRING("") }, { "arg", TA_INT32(7) } } },
	};
	const char *time;
	char want[256];
	const uint64_t *before;
	size_t i;
	int j;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct event *row = &rows[i];

		start(TRACE_BUFFERING_MODE_CIRCULAR);
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
			if (strcmp(written(before), want) != 0)
				break;
		}
		if (j < 2)
			break;
	}
	if (i < sizeof(rows) / sizeof(*rows))
		printf("# want %s\n# got  %s\n", want, text);
	tap_int((intmax_t)i, sizeof(rows) / sizeof(*rows),
		"events have their words, their strings new or known");
}

static void test_complete(void)
{
	const uint64_t *before;

	start(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_internal_complete("cat", "name", 0x50, NULL, 0);
	tap_str(written(tr2_trace_self->at - 3), "3000201040034 50 101",
		"a duration lasts until now");
	before = tr2_trace_self->at;
	trace_internal_complete("cat", "name", 0x106, NULL, 0);
	trace_internal_complete("cat", "name", 0x9999, NULL, 0);
	tap_str(written(before),
		"3000201040034 106 106 3000201040034 9999 9999",
		"but ends no earlier than it begins");
}

static void test_most_arguments(void)
{
	const uint64_t *before;
	struct trace_arg args[17];
	int i;

	for (i = 0; i < 17; i++)
		args[i] = (struct trace_arg){ "cat", TA_NULL() };
	start(TRACE_BUFFERING_MODE_CIRCULAR);
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

	start(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_event_write(&event);
	before = tr2_trace_self->at;
	trace_event_write(&event);
	tap_str(written(before), "3000201110044 55 100030011 9",
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
	tap_str(written(before),
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
	tap_str(written(before),
		"201110044 55 100000011 9 "
		"1110044 101 100000011 9",
		"they may be empty, or nothing");
}

/*
 * Strings and threads that the tables have no room for
 */

static int define(uint16_t index, const char *bytes, size_t len)
{
	(void)index;
	(void)bytes;
	(void)len;
	return 1;
}

static void fill_strings(void)
{
	char name[16];
	int i;

	for (i = 0; i <= FXT_STRINGS; i++)
		tr2_trace_strings_index(
			tr2_trace.strings, name,
			(size_t)snprintf(name, sizeof(name), "%d", i), define);
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

	start(TRACE_BUFFERING_MODE_CIRCULAR);
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	fill_strings();
	before = tr2_trace_self->at;
	trace_event_write(&event);
	tap_str(written(before),
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
	tap_str(written(before),
		"8002000201100054 102 6e69 180080021 746e656d75677261 "
		"8002000201100054 103 6e69 180080021 746e656d75677261",
		"so does a literal");
}

static void test_inline_thread(void)
{
	start(TRACE_BUFFERING_MODE_CIRCULAR);
	tr2_trace.threads = FXT_THREADS;
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	tap_str(written(tr2_trace_self->at - 4), "3000200000044 101 64 65",
		"a thread that the table has no room for stands there, too");
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	tap_str(written(tr2_trace_self->at - 4), "3000200000044 102 64 65",
		"always");
	start(TRACE_BUFFERING_MODE_CIRCULAR);
	tr2_trace.threads = FXT_THREADS - 1;
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	tap_ok(tr2_trace_self->thread.ref == 255 &&
		       tr2_trace.threads == FXT_THREADS,
	       "the last index is 255");
}

/*
 * Blobs
 */

static void test_blobs(void)
{
	const struct trace_arg arg = { "arg", TA_INT32(1) };
	const uint64_t *before;

	start(TRACE_BUFFERING_MODE_CIRCULAR);
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD, "arg", TA_NULL());
	before = tr2_trace_self->at;
	trace_internal_blob_event("cat", "name", "12345", 5, &arg, 1);
	tap_str(written(before), "6f 1100030002 102 100040011 5 3534333231",
		"an event with a blob has its words");
	before = tr2_trace_self->at;
	trace_internal_attachment("cat", "name", "123456789", 9);
	tap_str(written(before), "1000000005f 30002 9 3837363534333231 39",
		"an attachment has its words");
	before = tr2_trace_self->at;
	trace_internal_blob(3, "name", "12345678", 8);
	trace_internal_blob(1, "name", "", 0);
	tap_str(written(before), "3000800030025 3837363534333231 1000000030015",
		"a blob has its words");
}

static void test_inline_blobs(void)
{
	const struct trace_arg arg = { "y", TA_INT32(1) };
	const uint64_t *before;

	start(TRACE_BUFFERING_MODE_CIRCULAR);
	tr2_trace.threads = FXT_THREADS;
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	fill_strings();
	before = tr2_trace_self->at;
	trace_internal_blob_event("c", "x", "12345", 5, &arg, 1);
	tap_str(written(before),
		"bf 180018001 63 78 102 64 65 180010021 79 5 3534333231",
		"strings and threads stand in the record of a blob, too");
	before = tr2_trace_self->at;
	trace_internal_attachment("c", "x", "", 0);
	tap_str(written(before), "1000000005f 80018001 63 78 0",
		"and in that of an attachment");
	before = tr2_trace_self->at;
	trace_internal_blob(1, "x", "1", 1);
	tap_str(written(before), "1000180010035 78 31", "or of an old blob");
}

static void test_blob_sizes(void)
{
	static char bytes[FXT_BLOB_BYTES + 1];
	uint64_t dropped;

	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
	trace_internal_blob_event("cat", "name", bytes, FXT_BLOB_BYTES, NULL,
				  0);
	trace_internal_attachment("cat", "name", bytes, FXT_BLOB_BYTES);
	trace_internal_blob(1, "name", bytes, FXT_BLOB_BYTES);
	tap_int((intmax_t)trace_engine_dropped(), 0, "a blob has 32000 bytes");
	trace_internal_blob_event("cat", "name", bytes, sizeof(bytes), NULL, 0);
	trace_internal_attachment("cat", "name", bytes, sizeof(bytes));
	dropped = trace_engine_dropped();
	trace_internal_blob(1, "name", bytes, sizeof(bytes));
	tap_ok(dropped == 2 && trace_engine_dropped() == 3,
	       "a blob of more is dropped");
	start(TRACE_BUFFERING_MODE_ONESHOT);
	trace_internal_blob_event("cat", "name", bytes, FXT_BLOB_BYTES, NULL,
				  0);
	trace_internal_attachment("cat", "name", bytes, FXT_BLOB_BYTES);
	trace_internal_blob(1, "name", bytes, FXT_BLOB_BYTES);
	tap_int((intmax_t)trace_engine_dropped(), 3,
		"so is one that fits into no chunk");
}

/* An event that is as long as what is left of its chunk. */
static void test_last_word(void)
{
	static char bytes[FXT_STRING_BYTES + 1];
	uint64_t dropped;

	start(TRACE_BUFFERING_MODE_ONESHOT);
	trace_internal_event(FXT_FLOW_END, "cat", "name", 9, NULL, 0);
	do
		trace_internal_event(FXT_INSTANT, "cat", "name", 9, NULL, 0);
	while (tr2_trace_self->room > 1);
	tap_ok(!tr2_trace_self->room && !*tr2_trace_self->at,
	       "an event takes the last word of its chunk, and no more");
	memset(bytes, 'x', FXT_STRING_BYTES);
	dropped = trace_engine_dropped();
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD, "s", TA_STRING(bytes));
	tap_int((intmax_t)(trace_engine_dropped() - dropped), 1,
		"one that is longer than any chunk is dropped");
}

static void test_stopped(void)
{
	struct trace_arg args[2] = { { "arg", TA_NULL() } };
	const uint64_t *before;

	start(TRACE_BUFFERING_MODE_ONESHOT);
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	trace_engine_stop(0);
	before = tr2_trace_self->at;
	trace_internal_event(FXT_INSTANT, "cat", "name", 9, args, 1);
	trace_internal_complete("cat", "name", 5, args, 1);
	trace_internal_blob_event("cat", "name", "1", 1, args, 1);
	trace_internal_attachment("cat", "name", "1", 1);
	trace_internal_blob(1, "name", "1", 1);
	trace_internal_kernel_object(100, args, 1);
	trace_internal_alert("name");
	tap_ok(tr2_trace_self->at == before && !trace_engine_dropped(),
	       "a stop between the question and the record leaves nothing");
}

/*
 * Names
 */

static void test_names(void)
{
	const struct trace_arg args[15] = { { "arg", TA_INT32(1) } };
	char name[300];

	start(TRACE_BUFFERING_MODE_CIRCULAR);
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD, "arg", TA_NULL());
	trace_name_process("new");
	trace_name_process(NULL);
	trace_name_thread("new");
	trace_name_thread(NULL);
	tap_str(lasting(21),
		"8003010037 64 77656e 10027 64 "
		"18003020057 65 77656e 10028 64 "
		"10000020047 65 10028 64",
		"a process and a thread may be named anew");
	start(TRACE_BUFFERING_MODE_CIRCULAR);
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD, "arg", TA_NULL());
	trace_internal_kernel_object(100, args, 1);
	trace_internal_kernel_object(102, args, 1);
	trace_internal_kernel_object(103, args, 1);
	tap_str(lasting(21),
		"18005010047 64 67286f7270 100040011 "
		"28005020067 66 67286f7270 100040011 10028 64",
		"objects are named as the system names them");
	memset(name, 'x', sizeof(name));
	name[254] = '\303';
	name[255] = '\274';
	name[299] = '\0';
	trace_name_process(name);
	tap_ok(strstr(lasting(31), "80fe010227 64 7878"),
	       "a name is cut to 255 bytes, between characters");
}

static void test_many_arguments(void)
{
	struct trace_arg args[16];
	int i;

	for (i = 0; i < 16; i++)
		args[i] = (struct trace_arg){ "arg", TA_NULL() };
	start(TRACE_BUFFERING_MODE_CIRCULAR);
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD, "arg", TA_NULL());
	trace_internal_kernel_object(102, args, 14);
	tap_ok(strstr(lasting(21), "f8005020137 66 ") == text &&
		       strstr(text, " 10028 64"),
	       "an object has room for what says whose it is");
	start(TRACE_BUFFERING_MODE_CIRCULAR);
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD, "arg", TA_NULL());
	trace_internal_kernel_object(102, args, 15);
	tap_ok(strstr(lasting(21), "f8005020127 66 ") == text &&
		       !strstr(text, "10028 64"),
	       "or not");
	start(TRACE_BUFFERING_MODE_CIRCULAR);
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD, "arg", TA_NULL());
	trace_internal_kernel_object(102, args, 16);
	tap_ok(strstr(lasting(21), "f8005020127 66 ") == text,
	       "what is above fifteen is left out");
}

static void test_system_names(void)
{
	static const struct {
		const char *stat;
		const char *name;
	} rows[] = {
		{ "7 (a) S", "a" },
		{ "7 (a b)) S", "a b)" },
		{ "7 (() S", "(" },
		{ "7 () S", "" },
		{ "7 )a( S", NULL },
		{ "7 (a S", NULL },
		{ "7 a) S", NULL },
		{ "", NULL },
		{ "7 (long name)", "long name" },
	};
	char stat[14 + 3];
	const char *name;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		strcpy(system_name, rows[i].stat);
		memset(stat, ')', sizeof(stat));
		name = tr2_trace_system_name(102, stat, 14);
		if (!name != !rows[i].name ||
		    (name && strcmp(name, rows[i].name) != 0) ||
		    stat[14] != ')')
			break;
	}
	tap_int((intmax_t)i, sizeof(rows) / sizeof(*rows),
		"the system's name of a thread is what it puts in parentheses");
	tap_ok(!tr2_trace_system_name(103, stat, 14),
	       "who is not there has none");
	strcpy(system_name, "100 (pro(g) S 1 2");
}

int main(void)
{
	host = tr2_host_system;
	host.mono_ns = tell_time;
	host.has_constant_ticks = NULL;
	host.getpid = tell_pid;
	host.thread = tell_thread;
	host.process_stat = tell_stat;
	tr2_host = &host;
	test_beginning();
	test_oneshot_beginning();
	test_events();
	test_complete();
	test_most_arguments();
	test_contents();
	test_inline();
	test_inline_thread();
	test_blobs();
	test_inline_blobs();
	test_blob_sizes();
	test_last_word();
	test_stopped();
	test_names();
	test_many_arguments();
	test_system_names();
	trace_engine_terminate();
	free(kit_buffer);
	return tap_done();
}
