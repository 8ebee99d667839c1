/*
 * What the engine writes, word by word, where time, process and thread are
 * fixed; what it drops, keeps and knows; and how it is switched on and off.
 * words.txt has the cases.
 */
#include "trace/engine/words_control.h"

/*
 * ---- Starts
 */

/* `start MODE [BYTES]` */
static const char *start_trace(char **word)
{
	static const char *const modes[] = { "oneshot", "circular",
					     "streaming" };
	int mode = 0;

	while (strcmp(modes[mode], word[0]) != 0)
		tap_need(++mode < 3);
	now = 0x100;
	kit_start((enum trace_buffering_mode)mode,
		  (size_t)script_number(word[1], 1 << 16));
	return NULL;
}

/* A stop, and a start that keeps all. */
static const char *start_again(SCRIPT_NONE)
{
	trace_engine_stop(0);
	trace_engine_start(TRACE_START_RETAIN_BUFFER);
	return NULL;
}

/* `process "1 S"`: what the system says of it. */
static const char *set_process(char **word)
{
	snprintf(system_name, sizeof(system_name), "%s", word[0]);
	return NULL;
}

/* `nonce 5 7`: of a start at 5, where the last number was 7. */
static const char *find_nonce(char **word)
{
	start_trace((char *[]){ (char[]){ "circular" }, (char[]){ "" } });
	trace_engine_stop(0);
	kit_header()->nonce = (uint32_t)strtoul(word[1], NULL, 0);
	now = strtoull(word[0], NULL, 0);
	trace_engine_start(TRACE_START_CLEAR_NONDURABLE_BUFFER);
	return kit_header()->nonce == tr2_trace.space.nonce
		       ? script_say_number(kit_header()->nonce)
		       : "two numbers";
}

/*
 * ---- Blobs and drops
 */

/* `blobs BYTES`: one of each kind. */
static const char *put_blobs(char **word)
{
	static char bytes[FXT_BLOB_BYTES + 1];
	const size_t len = (size_t)script_number(word[0], 0);

	trace_internal_blob_event("cat", "name", bytes, len, NULL, 0);
	trace_internal_attachment("cat", "name", bytes, len);
	trace_internal_blob(1, "name", bytes, len);
	return NULL;
}

static const char *drop_one(SCRIPT_NONE)
{
	static char bytes[FXT_BLOB_BYTES + 1];

	trace_internal_blob(1, "name", bytes, sizeof(bytes));
	return NULL;
}

/* So many in an earlier session. */
static const char *set_dropped(char **word)
{
	tr2_trace_self->dropped = (uint64_t)script_number(word[0], 0);
	return NULL;
}

static const char *tell_dropped(SCRIPT_NONE)
{
	return script_say_number((intmax_t)trace_engine_dropped());
}

static const char *tell_header(SCRIPT_NONE)
{
	return script_say_number((intmax_t)kit_header()->num_records_dropped);
}

/*
 * ---- Threads
 */

/* `threads`; `threads 255`: there were so many. */
static const char *count_threads(char **word)
{
	if (!*word[0])
		return script_say_number(tr2_trace.threads);
	tr2_trace.threads = (uint32_t)script_number(word[0], 0);
	return NULL;
}

/* The thread is not known to the trace any more. */
static const char *forget_thread(SCRIPT_NONE)
{
	tr2_trace_self->epoch = 0;
	tr2_trace_self->generation--;
	return NULL;
}

static const char *tell_number(SCRIPT_NONE)
{
	return script_say_number(tr2_trace_self->thread.ref);
}

/*
 * ---- Words
 */

/* The last N words that the thread wrote. */
static const char *tell_last(char **word)
{
	return written_since(tr2_trace_self->at - script_number(word[0], 0));
}

/* Durable words from that one on. */
static const char *tell_durable(char **word)
{
	return durable_from((size_t)script_number(word[0], 0));
}

static const char *tell_tag(SCRIPT_NONE)
{
	const struct trace_buffer_header *header = kit_header();
	const uint64_t *chunk =
		durable_data() + header->durable_buffer_size / 8;

	return script_say_yes(chunk[0] == fxt_filler(2) &&
			      chunk[1] == (uint64_t)header->nonce << 32);
}

static const char *tell_room(SCRIPT_NONE)
{
	return script_say_number((intmax_t)stat_room);
}

/*
 * `both KIND ID [ARGUMENT TYPE VALUE]...`: its words, if they are the same
 * where its strings are new to the thread and where it knows them. T is the
 * time.
 */
static const char *tell_both(char **word)
{
	const size_t count = make_args(word + 2);
	static char told[2][256];
	const uint64_t *before;
	char time[24], *at;

	start_trace((char *[]){ (char[]){ "circular" }, (char[]){ "" } });
	trace_internal_event(
		FXT_INSTANT, find_literal("cat"), find_literal("name"), 0,
		(struct trace_arg[]){ { find_literal("arg"), TA_NULL() },
				      { find_literal("other"), TA_NULL() } },
		2);
	memset(tr2_trace_self->cache, 0, sizeof(tr2_trace_self->cache));
	for (int i = 0; i < 2; i++) {
		snprintf(time, sizeof(time), " %" PRIx64, now);
		before = tr2_trace_self->at;
		trace_internal_event(find_kind(word[0]), find_literal("cat"),
				     find_literal("name"),
				     strtoull(word[1], NULL, 0), args, count);
		snprintf(told[i], sizeof(told[i]), "%s", written_since(before));
		at = strstr(told[i], time);
		tap_need(at);
		snprintf(at, sizeof(told[i]) - (size_t)(at - told[i]), " T%s",
			 written_since(before) + (at - told[i]) + strlen(time));
	}
	return !strcmp(told[0], told[1]) ? told[0] : "two ways";
}

static const struct script_value values[] = {
	{ "forks-fail", &forks_fail },
	{ "pages-fail-at", &pages_fail_at },
	{ "leaves-at", &leaves_at },
	{ NULL, NULL },
};

static const struct script_verb verbs[] = {
	{ "start", start_trace },
	{ "start-again", start_again },
	{ "process", set_process },
	{ "nonce", find_nonce },
	{ "put", put_event },
	{ "plug", plug_in },
	{ "name", name_thread },
	{ "nulls", put_nulls },
	{ "complete", put_complete },
	{ "write", write_event },
	{ "category", set_category },
	{ "known", tell_known },
	{ "mistake", mistake_known },
	{ "spoil", spoil_known },
	{ "knows", count_known },
	{ "fill-table", fill_table },
	{ "blobs", put_blobs },
	{ "drop", drop_one },
	{ "had-dropped", set_dropped },
	{ "dropped", tell_dropped },
	{ "told", tell_header },
	{ "threads", count_threads },
	{ "forget", forget_thread },
	{ "thread", tell_number },
	{ "last", tell_last },
	{ "durable", tell_durable },
	{ "tag", tell_tag },
	{ "stat-room", tell_room },
	{ "both", tell_both },
	{ "set", script_set },
	{ "asked", tell_asked },
	{ "slept", tell_slept },
	{ "initialize", initialize_engine },
	{ "initialize-keyless", initialize_keyless },
	{ "file", initialize_file },
	{ "layout", tell_layout },
	{ "resume", resume_engine },
	{ "stop", stop_engine },
	{ "terminate", terminate_engine },
	{ "renew", renew_categories },
	{ "serve", serve_engine },
	{ "turn", turn_engine },
	{ "in-child", enter_child },
	{ "epoch", tell_epoch },
	{ "heard", tell_heard },
	{ "trace", trace_one },
	{ "fill-part", fill_part },
	{ "fill-durable", fill_durable },
	{ "take-durable", take_durable },
	{ "write-durable", write_durable },
	{ "spoil-durable", spoil_durable },
	{ "spoil-header", spoil_header },
	{ "space", tell_space },
	{ "enter", enter_record },
	{ "leave", leave_record },
	{ "state", set_state },
	{ "writer", tell_writer },
	{ "is-busy", ask_busy },
	{ "lost", set_lost },
	{ "meet-save", meet_save },
	{ "meet-trace", meet_trace },
	{ NULL, NULL },
};

/*
 * ---- What is no text
 */

static void trace_name(const char *name)
{
	trace_internal_event(FXT_INSTANT, "cat", name, 0, NULL, 0);
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

static void begin_case(void)
{
	memset(&kit_heard, 0, sizeof(kit_heard));
	slept = 0;
}

static void end_case(void)
{
	if (locks_wrong)
		script_fail("locks that are taken and given once", "others");
	set_process((char *[]){ (char[]){ "100 (pro(g) S 1 2" } });
	set_category((char *[]){ (char[]){ "cat" } });
}

int main(void)
{
	kit_begin_words();
	begin_control();
	script.values = values;
#ifdef __SANITIZE_THREAD__
	script.skips = "more is written beside the engine";
#endif
	script_run(script_read(__FILE__), verbs, begin_case, end_case);
	tap_run(test_cuts, test_long_strings, test_old_chunk);
	return kit_end_words();
}
