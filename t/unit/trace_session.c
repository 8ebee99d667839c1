/* Drops, restarts, and threads that are known or find no room. */
#include <pthread.h>

#include "trace_words.h"

static void trace_name(const char *name)
{
	trace_internal_event(FXT_INSTANT, "cat", name, 0, NULL, 0);
}

/* Nobody has told it yet that it is known. */
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

	start(TRACE_BUFFERING_MODE_ONESHOT);
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
	start(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_internal_event(FXT_INSTANT, NULL, NULL, 0, NULL, 0);
	tap_str(written(tr2_trace_self->at - 2), "1000024 101",
		"a literal that is none is empty");
}

static char many[2000][16];

static void name_many(void)
{
	int i;

	for (i = 0; i < 2000; i++)
		snprintf(many[i], sizeof(many[i]), "n%d", i);
}

static void test_full_durable(void)
{
	uint64_t dropped;
	const uint64_t *before;
	int i;

	start(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_name("name");
	for (i = 0; i < 2000 && !trace_engine_dropped(); i++)
		trace_name(many[i]);
	tap_ok(i > 100 && i < 2000, "a literal may find no room");
	dropped = trace_engine_dropped();
	before = tr2_trace_self->at;
	trace_name("name");
	tap_ok(trace_engine_dropped() == dropped + 1 &&
		       tr2_trace_self->at == before,
	       "from then on nothing is written, known or not");
}

static void test_many_strings(void)
{
	const char *lines;
	int i, count = 0;

	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
	for (i = 0; i < 1500; i++)
		trace_name(many[i]);
	for (lines = kit_lines(); *lines; lines++)
		count += *lines == '\n';
	tap_int(count, 1500, "oneshot defines each string that it uses");
}

static void test_restart(enum trace_buffering_mode mode, const char *name)
{
	char text_there[] = "dynamic";
	const struct trace_event event = { .category = "cat",
					   .name = text_there };

	start(mode);
	trace_event_write(&event);
	trace_engine_stop(0);
	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	trace_event_write(&event);
	trace_event_write(&event);
	tap_str(kit_lines(), "instant cat/dynamic\ninstant cat/dynamic\n",
		name);
}

static void test_retained(void)
{
	uint64_t end;

	start(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_name("name");
	end = kit_header()->durable_data_end;
	trace_engine_stop(0);
	trace_engine_start(TRACE_START_RETAIN_BUFFER);
	trace_name("name");
	tap_ok(kit_header()->durable_data_end == end && tr2_trace.threads == 1,
	       "a thread that is known is not introduced again");
	start(TRACE_BUFFERING_MODE_ONESHOT);
	trace_name("name");
	trace_engine_stop(0);
	trace_engine_start(TRACE_START_RETAIN_BUFFER);
	trace_name("name");
	tap_ok(tr2_trace.threads == 1 &&
		       strstr(written(tr2_trace_self->at - 16),
			      "10033 64 65 700010022 ") == text,
	       "but in its own chunk, if there is no other place");
}

static void test_introduction_fails(void)
{
	uint64_t dropped;

	start(TRACE_BUFFERING_MODE_ONESHOT);
	while (!trace_engine_dropped())
		trace_name("name");
	dropped = trace_engine_dropped();
	forget_thread();
	trace_name("name");
	tap_int((intmax_t)(trace_engine_dropped() - dropped), 1,
		"a thread that can't be introduced drops");
	tap_ok(tr2_trace_self->epoch == 0, "and tries again");
}

static void test_last_thread(void)
{
	start(TRACE_BUFFERING_MODE_CIRCULAR);
	tr2_trace.threads = FXT_THREADS;
	trace_name("name");
	forget_thread();
	trace_name("name");
	tap_ok(!tr2_trace_self->thread.ref && tr2_trace.threads == FXT_THREADS,
	       "no index comes twice");
}

static void test_old_chunk(void)
{
	start(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_name("name");
	tr2_trace.space.place = UINT64_C(1) << 32 | 1;
	tr2_trace_self->epoch = 0;
	trace_name("name");
	tap_int(tr2_trace_self->chunk.wrapped, 0,
		"a chunk of the last pass is written to");
	tr2_trace.space.place = UINT64_C(2) << 32 | 1;
	trace_name("name");
	tap_ok(tr2_trace_self->chunk.wrapped == 2 &&
		       tr2_trace_self->chunk.index == 1,
	       "one of the pass before that is left");
}

static void test_long_objects(void)
{
	static char first[32001], second[705];
	struct trace_arg args[4] = { { "arg", { 0 } }, { "arg", { 0 } } };

	memset(first, 'x', 32000);
	memset(second, 'x', 704);
	kit_start(TRACE_BUFFERING_MODE_CIRCULAR, 1 << 22);
	trace_name("arg");
	args[0].value = TA_STRING(first);
	args[1].value = TA_STRING(second);
	trace_internal_kernel_object(102, args, 2);
	tap_int((intmax_t)trace_engine_dropped(), 0,
		"an object may be as long as a record");
	args[1].value = TA_STRING(first);
	trace_internal_kernel_object(102, args, 2);
	tap_int((intmax_t)trace_engine_dropped(), 1, "but no longer");
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
	struct tr2_trace_writer *writer;
	uint64_t dropped;
	pthread_t thread;

	start(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_name("name");
	for (writer = tr2_trace_writer_first(); writer; writer = writer->next)
		writer->in_use = 1;
	host.pages = no_pages;
	dropped = trace_engine_dropped();
	pthread_create(&thread, NULL, trace_once, NULL);
	pthread_join(thread, NULL);
	tap_int((intmax_t)(trace_engine_dropped() - dropped), 1,
		"what a thread without memory traces is counted");
	host.pages = tr2_host_system.pages;
	trace_engine_stop(0);
	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	tap_int((intmax_t)trace_engine_dropped(), 0,
		"a trace that begins again has dropped nothing");
}

int main(void)
{
	kit_begin_words();
	name_many();
	test_drops();
	test_cuts();
	test_nothing();
	test_full_durable();
	test_many_strings();
	test_restart(TRACE_BUFFERING_MODE_CIRCULAR,
		     "a trace that begins again defines its strings again");
	test_restart(TRACE_BUFFERING_MODE_ONESHOT,
		     "a oneshot trace that begins again does so, too");
	test_retained();
	test_introduction_fails();
	test_last_thread();
	test_old_chunk();
	test_long_objects();
	test_no_writer();
	return kit_end_words();
}
