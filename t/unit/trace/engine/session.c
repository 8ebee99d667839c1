/* Drops, restarts, threads, blobs of every size, and strings that are known. */
#include <pthread.h>

#include "kit/trace/trace_words.h"

static void trace_name(const char *name)
{
	trace_internal_event(FXT_INSTANT, "cat", name, 0, NULL, 0);
}

/* The thread is not known to the trace any more. */
static void forget_thread(void)
{
	tr2_trace_self->epoch = 0;
	tr2_trace_self->generation--;
}

static void test_drops(void)
{
	static char bytes[FXT_BLOB_BYTES + 1];
	const uint64_t *told;
	int i;

	start_engine(TRACE_BUFFERING_MODE_ONESHOT);
	told = &kit_header()->num_records_dropped;
	trace_internal_blob(1, "name", bytes, sizeof(bytes));
	/* Its count goes on from session to session. */
	tr2_trace_self->dropped = 64;
	trace_internal_blob(1, "name", bytes, sizeof(bytes));
	i = (int)*told;
	trace_internal_blob(1, "name", bytes, sizeof(bytes));
	tap_ok(i == 65 && *told == 65, "the header is told of a 64th drop");
	for (i = 0; i < 62; i++)
		trace_internal_blob(1, "name", bytes, sizeof(bytes));
	tap_int((intmax_t)*told, 65, "and of none in between");
	trace_internal_blob(1, "name", bytes, sizeof(bytes));
	tap_int((intmax_t)*told, 129, "then of the next one");
}

static void trace_content(const char *name)
{
	const struct trace_event event = { .category = "cat", .name = name };

	trace_event_write(&event);
}

static void trace_attachment(const char *name)
{
	trace_internal_attachment("cat", name, "bytes", 5);
}

static void *run_thread(void *(*run)(void *), void *data)
{
	pthread_t thread;

	tap_need(!pthread_create(&thread, NULL, run, data) &&
		 !pthread_join(thread, &data));
	return data;
}

/* On a thread whose writer is a new one. */
static void run_with_pages(void *(*pages)(size_t), void *(*run)(void *))
{
	struct tr2_trace_writer *writer;

	for (writer = tr2_trace_writer_first(); writer; writer = writer->next)
		writer->in_use = 1;
	host.pages = pages;
	run_thread(run, NULL);
	host.pages = tr2_host_system.pages;
}

/*
 * The last string of all, and one more, by a writer after which nothing may
 * be written.
 */
#define BEHIND 64

static char *pages_end;

static void *give_pages(size_t size)
{
	char *pages = aligned_alloc(64, size + BEHIND);

	tap_need(pages);
	memset(pages, 0, size + BEHIND);
	pages_end = pages + size;
	return pages;
}

static uint64_t *last_begin, last_words[2];

static void *trace_last(void *unused)
{
	int i;

	for (i = 0; i < 2; i++) {
		trace_name("name");
		fill_strings();
		last_begin = tr2_trace_self->at;
		trace_name(
			tr2_trace_strings_text(tr2_trace.strings, FXT_STRINGS));
		trace_name("more");
		last_words[i] = (uint64_t)(tr2_trace_self->at - last_begin);
		if (!i) {
			trace_engine_stop(0);
			trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
		}
	}
	return unused;
}

static void test_cuts(void)
{
	tap_ok(tr2_trace_cut("ab", 1, 2) == 1 &&
		       tr2_trace_cut("x\x80", 1, 1) == 1 &&
		       tr2_trace_cut("\x80\x80", 2, 1) == 0 &&
		       tr2_trace_cut("\xc3\x81", 2, 1) == 0 &&
		       tr2_trace_cut("ab", 2, 1) == 1 &&
		       tr2_trace_cut("\xc3\xa9x", 3, 2) == 2,
	       "a text is cut in front of a character");
}

static void test_nothing(void)
{
	struct fxt_text none = fxt_index(1);

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_internal_event(FXT_INSTANT, NULL, NULL, 0, NULL, 0);
	tap_str(written_since(tr2_trace_self->at - 2), "1000024 101",
		"a literal that is none is empty");
	tap_ok(tr2_trace_new_literal(tr2_trace_self, NULL, &none) && !none.ref,
	       "nor does it have a place in the table");
}

static void test_last_string(void)
{
	static const char nothing[BEHIND];

	start_engine(TRACE_BUFFERING_MODE_ONESHOT);
	trace_name("name");
	run_with_pages(give_pages, trace_last);
	tap_bytes(pages_end, BEHIND, nothing, BEHIND,
		  "nothing is written behind a writer");
	tap_ok(last_words[0] == 7 && last_words[1] == 7,
	       "each start forgets all strings, to the last");
}

static int is_dropped(void (*trace_string)(const char *), const char *name)
{
	const uint64_t *before;

	start_engine(TRACE_BUFFERING_MODE_ONESHOT);
	trace_name("name");
	before = tr2_trace_self->at;
	trace_string(name);
	return tr2_trace_self->at == before && trace_engine_dropped() == 1;
}

static void test_long_strings(void)
{
	static char name[FXT_STRING_BYTES + 8];
	const char *lines;

	memset(name, 'x', FXT_STRING_BYTES + 7);
	memcpy(name + FXT_STRING_BYTES - 1, "\303\274", 2);
	kit_start(TRACE_BUFFERING_MODE_CIRCULAR, 1 << 22);
	trace_name(name);
	lines = kit_lines();
	tap_ok(strlen(lines) == strlen("instant cat/") + FXT_STRING_BYTES &&
		       !strchr(lines, '?'),
	       "a name that is too long ends between characters");
	tap_ok(is_dropped(trace_name, name) &&
		       is_dropped(trace_content, name) &&
		       is_dropped(trace_attachment, name),
	       "one that fits into no chunk takes its event with it");
}

static pid_t stop_meanwhile(char *name, size_t size)
{
	trace_engine_stop(0);
	return tell_thread(name, size);
}

static void *ask_once(void *site)
{
	return trace_internal_ask(site, "cat") ? site : NULL;
}

static void test_stopped_meanwhile(void)
{
	uint32_t site = 0;
	void *is_on;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	host.thread = stop_meanwhile;
	is_on = run_thread(ask_once, &site);
	host.thread = tell_thread;
	tap_ok(!is_on && site == trace_internal_epoch,
	       "nothing is on that is stopped while it is asked for");
}

static void test_retained(void)
{
	uint64_t end;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_name("name");
	end = kit_header()->durable_data_end;
	trace_engine_stop(0);
	trace_engine_start(TRACE_START_RETAIN_BUFFER);
	trace_name("name");
	tap_ok(kit_header()->durable_data_end == end && tr2_trace.threads == 1,
	       "a thread that is known is not introduced again");
	start_engine(TRACE_BUFFERING_MODE_ONESHOT);
	trace_name("name");
	trace_engine_stop(0);
	trace_engine_start(TRACE_START_RETAIN_BUFFER);
	trace_name("name");
	tap_ok(tr2_trace.threads == 1 &&
		       strstr(written_since(tr2_trace_self->at - 16),
			      "10033 64 65 700010022 ") == text,
	       "but in its own chunk, if there is no other place");
}

static void test_last_thread(void)
{
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	tr2_trace.threads = FXT_THREADS;
	trace_name("name");
	forget_thread();
	trace_name("name");
	tap_ok(!tr2_trace_self->thread.ref && tr2_trace.threads == FXT_THREADS,
	       "no index comes twice");
}

static void test_old_chunk(void)
{
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	do
		trace_name("name");
	while (tr2_trace_self->chunk.index < 2);
	tr2_trace.space.place = UINT64_C(1) << 32 | 1;
	tr2_trace_self->epoch = 0;
	trace_name("name");
	tap_int(tr2_trace_self->chunk.wrapped, 0,
		"a chunk of the last pass is written to");
	tr2_trace.space.place = UINT64_C(2) << 32 | 1;
	trace_internal_blob(1, "", "", 0);
	tap_ok(tr2_trace_self->chunk.wrapped == 2 &&
		       tr2_trace_self->chunk.index == 1,
	       "one of the pass before that is left");
}

static void *no_pages(size_t size)
{
	(void)size;
	return NULL;
}

static void *trace_once(void *unused)
{
	trace_name("name");
	return unused;
}

static void test_no_writer(void)
{
	uint64_t dropped;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_name("name");
	dropped = trace_engine_dropped();
	run_with_pages(no_pages, trace_once);
	tap_int((intmax_t)(trace_engine_dropped() - dropped), 1,
		"what a thread without memory traces is counted");
	trace_engine_stop(0);
	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	tap_int((intmax_t)trace_engine_dropped(), 0,
		"a trace that begins again has dropped nothing");
}

static void test_nonces(void)
{
	static const struct {
		uint64_t now, last;
		uint32_t nonce;
	} rows[] = {
		{ 5, 0, 5 },
		{ 5, 5, 6 },
		{ 0, 0, 1 },
		{ UINT32_MAX, UINT32_MAX, 1 },
		{ UINT64_C(7) << 32 | 9, 8, 9 },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
		trace_engine_stop(0);
		kit_header()->nonce = (uint32_t)rows[i].last;
		now = rows[i].now;
		trace_engine_start(TRACE_START_CLEAR_NONDURABLE_BUFFER);
		if (kit_header()->nonce != rows[i].nonce ||
		    tr2_trace.space.nonce != rows[i].nonce)
			break;
	}
	tap_int((intmax_t)i, sizeof(rows) / sizeof(*rows),
		"a session's number is not 0, and not the last one's");
}

static void test_long_name(void)
{
	char name[sizeof(system_name)];

	strcpy(name, system_name);
	memset(system_name, 'x', 300);
	memcpy(system_name, "1 (", 3);
	strcpy(system_name + 300, ") S");
	kit_start(TRACE_BUFFERING_MODE_CIRCULAR, 4096);
	tap_str(durable_from(0), "21 3b9aca00",
		"a long name leaves the durable part to what must be there");
	tap_int((intmax_t)trace_engine_dropped(), 0, "and is not lost");
	strcpy(system_name, "1 S");
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	tap_str(durable_from(0), "21 3b9aca00 10027 64",
		"one without a name has none");
	strcpy(system_name, name);
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
	int has_writer = 1;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_engine_stop(0);
	run_thread(name_thread, &has_writer);
	tap_int(has_writer, 0, "a name that nobody traces takes no memory");
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	run_thread(name_thread, &has_writer);
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
	tap_run(test_drops, test_last_string, test_long_strings,
		test_stopped_meanwhile, test_retained, test_last_thread,
		test_old_chunk, test_no_writer, test_cuts, test_nothing,
		test_nonces, test_long_name, test_blob_sizes, test_thread_names,
		test_known, test_forgotten);
	return kit_end_words();
}
