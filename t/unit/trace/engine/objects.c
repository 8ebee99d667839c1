/*
 * What the engine writes of blobs and names, word by word; and what it keeps
 * of strings that it has looked up.
 */
#include <pthread.h>

#include "kit/trace/trace_words.h"

/*
 * Blobs
 */

static void test_blobs(void)
{
	const struct trace_arg arg = { "arg", TA_INT32(1) };
	const uint64_t *before;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD, "arg", TA_NULL());
	before = tr2_trace_self->at;
	trace_internal_blob_event("cat", "name", "12345", 5, &arg, 1);
	tap_str(written_since(before),
		"6f 1100030002 102 100040011 5 3534333231",
		"an event with a blob has its words");
	before = tr2_trace_self->at;
	trace_internal_attachment("cat", "name", "123456789", 9);
	tap_str(written_since(before),
		"1000000005f 30002 9 3837363534333231 39",
		"an attachment has its words");
	before = tr2_trace_self->at;
	trace_internal_blob(3, "name", "12345678", 8);
	trace_internal_blob(1, "name", "", 0);
	tap_str(written_since(before),
		"3000800030025 3837363534333231 1000000030015",
		"a blob has its words");
}

static void test_inline_blobs(void)
{
	const struct trace_arg arg = { "y", TA_INT32(1) };
	const uint64_t *before;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	tr2_trace.threads = FXT_THREADS;
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	fill_strings();
	before = tr2_trace_self->at;
	trace_internal_blob_event("c", "x", "12345", 5, &arg, 1);
	tap_str(written_since(before),
		"bf 180018001 63 78 102 64 65 180010021 79 5 3534333231",
		"strings and threads stand in the record of a blob, too");
	before = tr2_trace_self->at;
	trace_internal_attachment("c", "x", "", 0);
	tap_str(written_since(before), "1000000005f 80018001 63 78 0",
		"and in that of an attachment");
	before = tr2_trace_self->at;
	trace_internal_blob(1, "x", "1", 1);
	tap_str(written_since(before), "1000180010035 78 31",
		"or of an old blob");
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
	start_engine(TRACE_BUFFERING_MODE_ONESHOT);
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
	const struct trace_arg arg = { bytes, TA_NULL() };
	uint64_t dropped;

	start_engine(TRACE_BUFFERING_MODE_ONESHOT);
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
	trace_internal_kernel_object(100, &arg, 1);
	tap_int((intmax_t)(trace_engine_dropped() - dropped), 2,
		"so is an object");
}

static void test_stopped(void)
{
	struct trace_arg args[2] = { { "arg", TA_NULL() } };
	const uint64_t *before;

	start_engine(TRACE_BUFFERING_MODE_ONESHOT);
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
	trace_name_process("name");
	trace_name_thread("name");
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

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD, "arg", TA_NULL());
	trace_name_process("new");
	trace_name_process(NULL);
	trace_name_thread("new");
	trace_name_thread(NULL);
	tap_str(durable_from(21),
		"8003010037 64 77656e 10027 64 "
		"18003020057 65 77656e 10028 64 "
		"10000020047 65 10028 64",
		"a process and a thread may be named anew");
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD, "arg", TA_NULL());
	trace_internal_kernel_object(100, args, 1);
	trace_internal_kernel_object(102, args, 1);
	trace_internal_kernel_object(103, args, 1);
	tap_str(durable_from(21),
		"18005010047 64 67286f7270 100040011 "
		"28005020067 66 67286f7270 100040011 10028 64",
		"objects are named as the system names them");
	memset(name, 'x', sizeof(name));
	name[254] = '\303';
	name[255] = '\274';
	name[299] = '\0';
	trace_name_process(name);
	tap_ok(strstr(durable_from(31), "80fe010227 64 7878"),
	       "a name is cut to 255 bytes, between characters");
	name[254] = 'x';
	name[255] = 'x';
	trace_name_process(name);
	tap_ok(strstr(durable_from(65), "80ff010227 64 7878") == text,
	       "where one ends there, to no less");
}

static void *name_thread(void *has_writer)
{
	const struct trace_event event = { .type = FXT_INSTANT };

	trace_event_write(&event);
	trace_name_thread("name");
	*(int *)has_writer = tr2_trace_self != NULL;
	return NULL;
}

static void test_thread_names(void)
{
	pthread_t thread;
	int has_writer = 1;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_engine_stop(0);
	pthread_create(&thread, NULL, name_thread, &has_writer);
	pthread_join(thread, NULL);
	tap_int(has_writer, 0, "a name that nobody traces takes no memory");
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	pthread_create(&thread, NULL, name_thread, &has_writer);
	pthread_join(thread, NULL);
	tap_str(durable_from(15), "18004020057 65 656d616e 10028 64",
		"the first that a thread writes may be its name");
}

/*
 * What was looked up once
 */

static const char word[] = "word";

static uint64_t *get_cached(void)
{
	return &tr2_trace_self->cache[tr2_trace_cache_slot(word)];
}

static struct tr2_trace_known *get_known(void)
{
	return &tr2_trace_self->known[tr2_trace_known_slot(word)];
}

static void trace_word(void)
{
	trace_internal_event(FXT_INSTANT, word, word, 0, NULL, 0);
}

/* Code that follows such a reference finds no string, but a large length. */
static void test_one_pass(void)
{
	struct trace_arg args[FXT_ARGS];
	const uint64_t *before;
	size_t i;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_word();
	*get_cached() |= 0xffff;
	before = tr2_trace_self->at;
	tr2_trace_self->room = 33;
	trace_word();
	tap_str(written_since(before), "ffffffff01000024 102",
		"what is known is written in one pass, if there is room");
	for (i = 0; i < FXT_ARGS; i++)
		args[i] = (struct trace_arg){ word, TA_INT32(5) };
	args[1].value = TA_UINT64(6);
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_word();
	*get_cached() |= 0xffff;
	before = tr2_trace_self->at;
	trace_internal_event(FXT_INSTANT, word, word, 0, args, 2);
	tap_str(written_since(before),
		"ffffffff01200054 102 5ffff0011 ffff0024 6",
		"so is what has arguments");
	before = tr2_trace_self->at;
	trace_internal_event(FXT_INSTANT, word, word, 0, args, FXT_ARGS);
	tap_int(tr2_trace_self->at - before, 2 + FXT_ARGS + 1,
		"as many as there can be");
}

/* One event of each kind; one with a string is slower. */
static void test_known(void)
{
	const struct trace_arg arg = { word, TA_STRING("text") };
	struct trace_event event = { .type = FXT_INSTANT,
				     .category = word,
				     .name = word };
	const uint64_t *before;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_event_write(&event);
	tap_ok(get_known()->address == word && get_known()->ref == 2,
	       "a string is kept by where it is, too");
	get_known()->ref = 1;
	before = tr2_trace_self->at;
	trace_event_write(&event);
	tap_str(written_since(before), "1000101000024 102",
		"while it says the same it is not looked up again");
	event.args = &arg;
	event.arg_count = 1;
	before = tr2_trace_self->at;
	trace_event_write(&event);
	tap_str(written_since(before),
		"1000101100044 103 800400010026 74786574",
		"nor where a string comes with it");
}

static void test_forgotten(void)
{
	size_t i, kept = 0;

	memset(tr2_trace_self->cache, 0xff, sizeof(tr2_trace_self->cache));
	memset(tr2_trace_self->known, 0xff, sizeof(tr2_trace_self->known));
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_word();
	for (i = 0; i < TR2_TRACE_CACHE; i++)
		kept += tr2_trace_self->cache[i] != 0;
	for (i = 0; i < TR2_TRACE_KNOWN; i++)
		kept += tr2_trace_self->known[i].address != NULL ||
			tr2_trace_self->known[i].ref != 0;
	tap_ok(kept == 1 || kept == 2, "a start forgets all of it");
}

int main(void)
{
	kit_begin_words();
	tap_run(test_blobs, test_inline_blobs, test_blob_sizes, test_last_word,
		test_stopped, test_names, test_thread_names, test_one_pass,
		test_known, test_forgotten);
	return kit_end_words();
}
