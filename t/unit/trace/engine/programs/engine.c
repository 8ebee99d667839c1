/*
 * Whole traces of numbered events: starts, stops, modes, what is kept and what
 * is lost. engine.txt has the cases.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, syscall */
#include "trace/engine/programs/engine_limits.h"

#include "kit/script_child.h"

#define SMALL ((size_t)64 << 10)

/*
 * ---- Starts and stops
 */

static uint64_t dropped_before; /* at the last question */

/* `start MODE [BYTES]`, with a buffer of its own. */
static const char *start_trace(char **word)
{
	memset(&kit_heard, 0, sizeof(kit_heard));
	dropped_before = 0;
	if (is_shared) /* it is the parent's */
		kit_buffer = NULL;
	is_shared = false;
	kit_start(find_mode_of(word[0]), (size_t)script_number(word[1], SMALL));
	return NULL;
}

/* `go-on all`, `go-on durable`: that is kept; `go-on none`. */
static const char *start_again(char **word)
{
	return script_say_error(trace_engine_start(
		!strcmp(word[0], "all") ? TRACE_START_RETAIN_BUFFER
		: *word[0] == 'd'	? TRACE_START_CLEAR_NONDURABLE_BUFFER
					: TRACE_START_CLEAR_ENTIRE_BUFFER));
}

static const char *stop_trace(SCRIPT_NONE)
{
	trace_engine_stop(0);
	return NULL;
}

static int is_file, grown;

static size_t grow_by_chunk(struct trace_handler *handler, size_t have)
{
	(void)handler;
	grown++;
	return have + TRACE_BUFFER_CHUNK_MAX;
}

/* `file 1 4 [BYTES]`: it has one chunk, and those bytes, and gets four. */
static const char *begin_file(char **word)
{
	static const struct trace_handler_ops ops = { .grow = grow_by_chunk };
	static struct trace_handler handler = { &ops };
	static struct trace_buffer_header header;
	const size_t chunk = TRACE_BUFFER_CHUNK_MAX;

	trace_engine_terminate();
	free(kit_buffer);
	kit_size = (size_t)script_number(word[1], 0) * chunk;
	kit_buffer = calloc(1, kit_size);
	is_file = 1;
	dropped_before = 0;
	trace_buffer_format(kit_buffer, kit_size);
	return script_say_error(trace_engine_initialize_file(
		&handler, &header, kit_buffer,
		(size_t)script_number(word[0], 0) * chunk +
			(size_t)script_number(word[2], 0),
		kit_size));
}

/*
 * ---- Events
 */

/* `numbers FROM TO`, without the last one. */
static const char *trace_numbers(char **word)
{
	const int to = (int)script_number(word[1], 0);

	for (int i = (int)script_number(word[0], 0); i < to; i++)
		trace_number(i);
	return NULL;
}

static void *trace_one(void *number)
{
	trace_number(*(int *)number);
	return NULL;
}

/* `thread NUMBER`: it traces this one, and ends. */
static const char *trace_in_thread(char **word)
{
	int number = (int)script_number(word[0], 0);
	pthread_t thread;

	tap_need(!pthread_create(&thread, NULL, trace_one, &number));
	pthread_join(thread, NULL);
	return NULL;
}

/* `name NUMBER`: an event, the process and the thread get a new one. */
static const char *trace_name(char **word)
{
	char name[16];
	struct trace_event event = { .category = "cat", .name = name };

	snprintf(name, sizeof(name), "name %03ld0", script_number(word[0], 0));
	trace_event_write(&event);
	trace_name_process(name);
	trace_name_thread(name);
	return NULL;
}

/* `large BYTES`; `large`: a chunk of this buffer. */
static const char *trace_large(char **word)
{
	static char text[2 * TRACE_BUFFER_CHUNK_MAX];
	const size_t bytes = (size_t)script_number(
		word[0], *word[0] ? 0 : (long)kit_header()->chunk_size);

	memset(text, 'x', bytes);
	text[bytes] = 0;
	TRACE_BLOB_EVENT("cat", "large", text, bytes, "i", TA_INT32(-1));
	return NULL;
}

/* `fill BYTES`: such events, until the first one is dropped. */
static const char *fill_buffer(char **word)
{
	while (!trace_engine_dropped())
		trace_large(word);
	return NULL;
}

/*
 * ---- A kernel object is asked for by its number
 */

static const struct tr2_host *usual;
static int questions;

static ssize_t count_question(pid_t pid, char *text, size_t size)
{
	questions++;
	return (ssize_t)snprintf(text, size, "%d (name)", (int)pid);
}

/* `object`: how often the host has been asked for it in this case. */
static const char *trace_object(SCRIPT_NONE)
{
	struct tr2_host host = *usual;

	host.process_stat = count_question;
	tr2_host = &host;
	TRACE_KERNEL_OBJECT(4711);
	tr2_host = usual;
	return script_say_number(questions);
}

/*
 * ---- What the engine tells
 */

/* Since the last question, or the start. */
static const char *tell_dropped(SCRIPT_NONE)
{
	const uint64_t before = dropped_before;

	dropped_before = trace_engine_dropped();
	return dropped_before == before
		       ? "none"
		       : script_say("some, %d", (int)(dropped_before - before));
}

static const char *tell_grown(SCRIPT_NONE)
{
	return script_say_number(grown);
}

/* `passes 10`: are there more? */
static const char *compare_passes(char **word)
{
	return script_say_yes((long)kit_header()->wrapped_count >
			      script_number(word[0], 0));
}

/* What the handler heard at the stop. */
static const char *tell_heard(SCRIPT_NONE)
{
	const size_t written = kit_heard.written;

	return script_say("%s, %s", script_say_error(kit_heard.disposition),
			  written > SMALL * 9 / 10 && written <= SMALL
				  ? "nearly full"
				  : "not full");
}

static const char *serve_engine(SCRIPT_NONE)
{
	trace_engine_service();
	return NULL;
}

/* How many parts the handler was told of, the last one, and what to save. */
static const char *tell_full(SCRIPT_NONE)
{
	const uint64_t *end = kit_header()->rolling_data_end;

	return script_say("%d, pass %u%s%s%s", kit_heard.full,
			  (unsigned)kit_heard.wrapped, end[0] ? ", 0" : "",
			  end[1] ? ", 1" : "",
			  kit_heard.durable >= 16 ? ", texts" : "");
}

/* `save PASS`, and all texts; `save PASS none`. */
static const char *save_part(char **word)
{
	return script_say_error(trace_engine_mark_buffer_saved(
		(uint32_t)script_number(word[0], 0),
		*word[1] ? 0 : kit_heard.durable));
}

/*
 * ---- What is left of the numbers
 */

struct numbers {
	int first, last;
	int count, gaps; /* the gaps are -1: the buffer is broken */
};

static void count_number(void *context,
			 const struct trace_reader_record *record)
{
	struct numbers *numbers = context;
	int number;

	if (record->type != FXT_EVENT)
		return;
	number = (int)record->args[0].value.integer;
	if (!numbers->count++)
		numbers->first = number;
	else
		numbers->gaps += number != numbers->last + 1;
	numbers->last = number;
}

static struct numbers read_numbers(void)
{
	struct numbers numbers = { -1, -1, 0, 0 };
	struct kit_archive archive;
	int wrong = 0;

	if (is_file) { /* its space is an archive */
		kit_begin_archive(&archive);
		kit_append(&archive, kit_buffer, kit_size / 8);
	} else {
		wrong = kit_make_archive(&archive, kit_buffer, kit_size) < 0;
	}
	if (wrong || kit_read(&archive, count_number, &numbers))
		numbers.gaps = -1;
	free(archive.words);
	return numbers;
}

/* `left [PASS]`: of this pass, and later ones. */
static const char *tell_left(char **word)
{
	struct numbers numbers;

	kit_oldest = (uint32_t)script_number(word[0], 0);
	numbers = read_numbers();
	kit_oldest = 0;
	return script_say("%d, from %d to %d, gaps: %d.", numbers.count,
			  numbers.first, numbers.last, numbers.gaps);
}

/* `kept 10`: are there more, in a sound buffer? */
static const char *compare_kept(char **word)
{
	const struct numbers numbers = read_numbers();

	return script_say("%s, %s 0",
			  script_say_yes(numbers.gaps >= 0 &&
					 numbers.count >
						 script_number(word[0], 0)),
			  numbers.first ? "without" : "with");
}

/* What is left and what was dropped, by the engine and by the header. */
static const char *tell_sums(SCRIPT_NONE)
{
	const int count = read_numbers().count;

	return script_say("%d, %d", (int)trace_engine_dropped() + count,
			  (int)kit_header()->num_records_dropped + count);
}

static const struct script_verb verbs[] = {
	{ "start", start_trace },
	{ "go-on", start_again },
	{ "stop", stop_trace },
	{ "file", begin_file },
	{ "numbers", trace_numbers },
	{ "thread", trace_in_thread },
	{ "name", trace_name },
	{ "large", trace_large },
	{ "fill", fill_buffer },
	{ "object", trace_object },
	{ "sleeper", begin_sleeper },
	{ "wake", wake_sleeper },
	{ "stop-around", stop_around },
	{ "dropped", tell_dropped },
	{ "grown", tell_grown },
	{ "passes", compare_passes },
	{ "heard", tell_heard },
	{ "service", serve_engine },
	{ "full", tell_full },
	{ "save", save_part },
	{ "left", tell_left },
	{ "kept", compare_kept },
	{ "sums", tell_sums },
	{ "child", script_fork },
	{ "parent", script_join },
	{ "set", script_set },
	ENGINE_THREADS,
	ENGINE_LIMITS,
	{ NULL, NULL },
};

static const struct script_value values[] = {
	{ "events", &events_each },
	{ NULL, NULL },
};

/* A tool that sees every access has system calls of its own. */
static bool is_watched(void)
{
	const char *preloaded = getenv("LD_PRELOAD");

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return true;
#endif
	return preloaded && strstr(preloaded, "vgpreload");
}

static void end_case(void)
{
	trace_engine_terminate();
	drop_shared();
	is_file = grown = questions = 0;
}

int main(void)
{
	int code;

	usual = tr2_host;
	script.values = values;
	script.skips = is_watched() ? "runs under a tool" : NULL;
	code = script_main(__FILE__, verbs, NULL, end_case);
	free(kit_buffer);
	return code;
}
