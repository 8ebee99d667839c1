/*
 * The agent's feed; the test plays the engine, the buffer and the reader, and
 * notes how they are called. feed.txt has the cases.
 */
#include "kit/note.h"

#include <time.h>

#include "kit/script.h"
#include "trace/agent/agent.h"
#include "trace/agent/feed.h"
#include "trace/agent/live.h"
#include "trace/engine.h"
#include "trace/engine/session.h"
#include "host/host.h"

static struct {
	int pages, initialize, reader, start; /* fails: errno */
	int full;		   /* the next service finds a full part */
	int given;		   /* the reading of the live part's records: */
	int flawed, unknown, none; /* the one that is so, from 1 */
	int dead;    /* without memory: 1: after a record, 2: before it */
	int durable; /* how far the durable part is read */
	const char *categories; /* that clients ask for */
} world;

static struct tr2_host host;

struct tr2_trace_session tr2_trace;

/*
 * The engine and its buffer
 */

static struct trace_handler *handler;

static struct trace_buffer_header pages;

static void *give_pages(size_t size)
{
	add_note("pages %zu; ", size >> 20);
	return world.pages ? NULL : &pages;
}

int trace_engine_initialize(struct trace_handler *own,
			    enum trace_buffering_mode mode, void *buffer,
			    size_t size)
{
	(void)buffer;
	handler = own;
	add_note("initialize %d %zu; ", mode == TRACE_BUFFERING_MODE_STREAMING,
		 size >> 20);
	return world.initialize;
}

int trace_engine_start(enum trace_start_mode mode)
{
	add_note("start %d; ", mode == TRACE_START_CLEAR_ENTIRE_BUFFER);
	return world.start;
}

void trace_engine_stop(int disposition)
{
	add_note("stop %d; ", disposition);
}

void trace_engine_terminate(void)
{
	add_note("terminate; ");
}

int trace_engine_service(void)
{
	if (world.full)
		handler->ops->notify_buffer_full(handler, 9, 800);
	world.full = 0;
	return 33;
}

int trace_engine_mark_buffer_saved(uint32_t wrapped, uint64_t durable_end)
{
	add_note("saved %d %d; ", (int)wrapped, (int)durable_end);
	return 0;
}

uint64_t trace_engine_dropped(void)
{
	return 5;
}

/* Three records of a word each. */
static const uint64_t words[3] = { 0x14, 0x14, 0x14 };

int64_t trace_buffer_read_durable(const struct trace_buffer_header *checked,
				  const void *buffer, uint64_t from,
				  uint64_t to, trace_buffer_run *run,
				  void *context)
{
	add_note("durable %d %d", (int)from, to == UINT64_MAX ? -1 : (int)to);
	if (checked != buffer)
		add_note(" unchecked");
	if (run(context, words, 3))
		add_note(" stopped");
	add_note("; ");
	return world.durable;
}

void tr2_live_begin(const struct trace_buffer_header *buffer)
{
	add_note("live%s; ", buffer == &pages ? "" : " elsewhere");
}

uint64_t tr2_live_find_durable_end(uint64_t from)
{
	add_note("end of %d; ", (int)from);
	return from + 8;
}

/* Another number for each pass. */
size_t tr2_trace_count_chunks(uint32_t pass)
{
	return 3 + 10 * pass;
}

void tr2_live_measure(uint32_t pass, size_t count)
{
	add_note("measure %d%s; ", (int)pass,
		 count == tr2_trace_count_chunks(pass) ? "" : " elsewhere");
}

void tr2_live_read(uint32_t pass, tr2_live_take *take)
{
	add_note("read %d", (int)pass);
	add_note(" took %d; ", (int)take(words, 3));
}

void tr2_live_forget(uint32_t pass)
{
	add_note("forget %d; ", (int)pass);
}

struct trace_reader {
	int given;
};

struct trace_reader *trace_reader_new(const struct trace_reader_options *how)
{
	static struct trace_reader reader;

	add_note("reader %u; ", how->flags);
	return world.reader ? NULL : &reader;
}

void trace_reader_free(struct trace_reader *reader)
{
	if (reader)
		add_note("free; ");
}

void trace_reader_feed(struct trace_reader *reader, const void *bytes,
		       size_t len)
{
	(void)bytes;
	add_note(" %zu bytes", len);
	reader->given = 0;
	world.given++;
}

static bool is_given(int which)
{
	return which && world.given == which;
}

/* Four, of which two are not as they should be. */
int trace_reader_next(struct trace_reader *reader,
		      struct trace_reader_record *record)
{
	memset(record, 0, sizeof(*record));
	if (world.dead && reader->given == 2 - world.dead)
		return -1;
	record->type = FXT_EVENT;
	record->id = (uint64_t)reader->given++;
	record->unknown = record->id == 1 || is_given(world.unknown);
	record->flawed = record->id == 2 || is_given(world.flawed);
	return record->id < 4 && !is_given(world.none);
}

const char *tr2_agent_categories(void)
{
	return world.categories;
}

int nanosleep(const struct timespec *length, struct timespec *rest)
{
	add_note("sleep %d.%09ld%s; ", (int)length->tv_sec, length->tv_nsec,
		 rest ? " ?" : "");
	return 0;
}

static void take_record(const struct trace_reader_record *record)
{
	add_note(" %d", (int)record->id);
}

static void note_flush(uint64_t dropped)
{
	add_note("flush %d; ", (int)dropped);
}

static const struct tr2_agent_feed_sink taker = { take_record, note_flush };

/*
 * ---- The verbs
 */

static bool has_begun;

static const char *begin_feed(SCRIPT_NONE)
{
	const int error = tr2_agent_feed_begin(&taker);

	has_begun = !error;
	return error ? script_say("%s: %s", script_say_error(error),
				  get_notes())
		     : NULL;
}

static const char *serve_feed(SCRIPT_NONE)
{
	const int wait_ms = tr2_agent_feed_serve();

	return wait_ms == 33 ? NULL : script_say_number(wait_ms);
}

/* Of the records in use, those that are set are not as they should be. */
static const char *flush_feed(SCRIPT_NONE)
{
	/* The first two readings are those of the durable part. */
	world.given = -2;
	tr2_agent_feed_flush();
	return NULL;
}

static const char *end_feed(SCRIPT_NONE)
{
	if (has_begun)
		tr2_agent_feed_end();
	has_begun = false;
	return NULL;
}

static const char *forget_feed(SCRIPT_NONE)
{
	tr2_agent_feed_forget();
	return NULL;
}

static const char *take_step(SCRIPT_NONE)
{
	tr2_agent_feed_step();
	return NULL;
}

static const char *tell_full(SCRIPT_NONE)
{
	handler->ops->notify_buffer_full(handler, 9, 900);
	return NULL;
}

/* `wanted b,c a b`: which of these are on, where clients ask for that. */
static const char *tell_wanted(char **word)
{
	char text[16] = "";

	world.categories = strcmp(word[0], "none") ? word[0] : NULL;
	for (word++; **word; word++)
		if (handler->ops->is_category_enabled(handler, *word))
			strcat(text, *word);
	return script_say("%s", text);
}

/* The owner of an engine gives it up. */
static int yield_engine(void)
{
	add_note("yield; ");
	world.initialize = 0;
	return 1;
}

static const char *let_yield(char **word)
{
	tr2_trace.yield = *word[0] ? NULL : yield_engine;
	return NULL;
}

static const char *tell_lost(SCRIPT_NONE)
{
	const int lost = (int)tr2_trace.lost;

	tr2_trace.lost = 0;
	return script_say_number(lost);
}

static const struct script_verb verbs[] = {
	{ "begin", begin_feed },   { "serve", serve_feed },
	{ "flush", flush_feed },   { "end", end_feed },
	{ "forget", forget_feed }, { "step", take_step },
	{ "full", tell_full },	   { "wanted", tell_wanted },
	{ "yields", let_yield },   { "lost", tell_lost },
	{ "set", script_set },	   { NULL, NULL },
};

static const struct script_value values[] = {
	{ "no-pages", &world.pages },
	{ "initialize", &world.initialize },
	{ "reader", &world.reader },
	{ "start", &world.start },
	{ "full", &world.full },
	{ "durable", &world.durable },
	{ "flawed", &world.flawed },
	{ "unknown", &world.unknown },
	{ "none", &world.none },
	{ "dead", &world.dead },
	{ NULL, NULL },
};

static void end_case(void)
{
	end_feed(NULL);
	get_notes();
}

int main(void)
{
	host = tr2_host_system;
	tr2_host = &host;
	host.pages = give_pages;
	script.values = values;
	script.rest = get_notes;
	script_run(script_read(__FILE__), verbs, NULL, end_case);
	return tap_done();
}
