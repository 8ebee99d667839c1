/* Drops, restarts, and threads that are known or find no room. */
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

/* On a thread whose writer is a new one. */
static void run_with_pages(void *(*pages)(size_t), void *(*run)(void *))
{
	struct tr2_trace_writer *writer;
	pthread_t thread;

	for (writer = tr2_trace_writer_first(); writer; writer = writer->next)
		writer->in_use = 1;
	host.pages = pages;
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
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

/*
 * Questions
 */

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
	pthread_t thread;
	uint32_t site = 0;
	void *is_on;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	host.thread = stop_meanwhile;
	pthread_create(&thread, NULL, ask_once, &site);
	pthread_join(thread, &is_on);
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

int main(void)
{
	kit_begin_words();
	tap_run(test_drops, test_last_string, test_long_strings,
		test_stopped_meanwhile, test_retained, test_last_thread,
		test_old_chunk, test_no_writer, test_cuts, test_nothing,
		test_nonces, test_long_name);
	return kit_end_words();
}
