/*
 * Blobs of every size, stops, names of threads, and strings that the engine
 * has looked up.
 */
#include <pthread.h>

#include "kit/trace/trace_words.h"

/*
 * Blobs
 */

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

/*
 * Names
 */

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

static struct tr2_trace_known *get_known(void)
{
	return &tr2_trace_self->known[tr2_trace_known_slot(word)];
}

static void trace_word(void)
{
	trace_internal_event(FXT_INSTANT, word, word, 0, NULL, 0);
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
	tap_run(test_blob_sizes, test_thread_names, test_known, test_forgotten);
	return kit_end_words();
}
