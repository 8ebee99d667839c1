/* Drops, restarts, blobs of every size, and strings that are known. */
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

static void test_nameless(void)
{
	char name[sizeof(system_name)];
	struct fxt_text none = fxt_index(1);

	strcpy(name, system_name);
	strcpy(system_name, "1 S");
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	tap_str(durable_from(0), "21 3b9aca00 10027 64",
		"a process without a name has none");
	trace_name("name");
	tap_ok(tr2_trace_new_literal(tr2_trace_self, NULL, &none) && !none.ref,
	       "a literal that is none has no place in the table");
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
	tap_run(test_drops, test_long_strings, test_retained, test_last_thread,
		test_old_chunk, test_cuts, test_nonces, test_nameless,
		test_blob_sizes, test_known, test_forgotten);
	return kit_end_words();
}
