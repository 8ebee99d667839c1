/* The agent's feed; the test plays the engine, the buffer and the reader. */
#include "kit/note.h"

#include <errno.h>

#include <time.h>

#include "kit/tap.h"
#include "trace/agent/agent.h"
#include "trace/agent/feed.h"
#include "trace/agent/live.h"
#include "trace/engine.h"
#include "trace/engine/session.h"
#include "host/host.h"

static struct {
	int pages, initialize, reader, start; /* fails: errno */
	int full_at;		   /* that service finds a full part */
	int given;		   /* the reading of the live part's records: */
	int flawed, unknown, none; /* the one that is so, from 1 */
	int dead;	 /* without memory: 1: after a record, 2: before it */
	int64_t durable; /* how far the durable part is read */
	const char *categories; /* that clients ask for */
} world;

static struct tr2_host host;

struct tr2_trace_session tr2_trace;

/*
 * The engine and its buffer
 */

static struct trace_handler *handler;
static int services;

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
	services++;
	if (services == world.full_at)
		handler->ops->notify_buffer_full(handler, 9, 800);
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

/* Four, of which two are not as they should be. */
int trace_reader_next(struct trace_reader *reader,
		      struct trace_reader_record *record)
{
	memset(record, 0, sizeof(*record));
	if (world.dead && reader->given == 2 - world.dead)
		return -1;
	record->type = FXT_EVENT;
	record->id = (uint64_t)reader->given++;
	record->unknown = record->id == 1 || world.given == world.unknown;
	record->flawed = record->id == 2 || world.given == world.flawed;
	return record->id < 4 && world.given != world.none;
}

const char *tr2_agent_categories(void)
{
	return world.categories;
}

static struct timespec slept;
static int sleeps;

int nanosleep(const struct timespec *length, struct timespec *rest)
{
	if (length && !rest)
		slept = *length;
	sleeps++;
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
 * The feed
 */

#define BEGUN "initialize 1 64; reader 3; start 1; live; "
#define READ(from, to) "durable " #from " " #to " 24 bytes 0 3; "
#define PART(pass)                                                             \
	"measure " #pass "; read " #pass " 24 bytes 0 3 took 3; forget " #pass \
	"; "
#define REST(from, part, other)              \
	"stop 0; " READ(from, -1) PART(part) \
		PART(other) "flush 5; terminate; free; "

static void test_feed(void)
{
	world.durable = 800;
	tap_int(tr2_agent_feed_begin(&taker), 0, "a feed begins");
	tap_str(get_notes(), "pages 64; " BEGUN, "with a buffer of its own");
	tap_int(tr2_agent_feed_serve(), 33,
		"the engine says when it is served again");
	tap_str(get_notes(), "", "what is not full is not read");
	world.full_at = services + 1;
	tr2_agent_feed_serve();
	tap_str(get_notes(), READ(0, 800) PART(0) "saved 0 800; flush 5; ",
		"what is full is read and free again");
	world.durable = -1;
	world.full_at = services + 1;
	tr2_agent_feed_serve();
	tap_str(get_notes(), READ(800, 800) PART(1) "saved 1 800; flush 5; ",
		"then it is the other part's turn");
	tr2_agent_feed_serve();
	tap_str(get_notes(), "", "each is read once");
	world.durable = 0;
	world.full_at = services + 1;
	tr2_agent_feed_serve();
	tap_str(get_notes(), READ(800, 800) PART(2) "saved 2 800; flush 5; ",
		"where reading fails it is tried again");
	handler->ops->notify_buffer_full(handler, 9, 900);
	tr2_agent_feed_end();
	tap_str(get_notes(), REST(0, 3, 4), "the rest is read in the end");
	tr2_agent_feed_begin(&taker);
	tap_str(get_notes(), BEGUN, "another time has the same buffer");
	tr2_agent_feed_serve();
	tap_str(get_notes(), "", "which is empty again");
	world.durable = 16;
	world.full_at = services + 1;
	tr2_agent_feed_serve();
	get_notes();
	tr2_agent_feed_forget();
	tr2_agent_feed_begin(&taker);
	tap_str(get_notes(), "initialize 1 64; reader 3; start 1; live; ",
		"a child begins anew, and does not free its parent's reader");
	pages.wrapped_count = 1;
	tr2_agent_feed_end();
	tap_str(get_notes(), REST(0, 0, 1), "wherever its parent was");
}

static int yield_engine(void)
{
	add_note("yield; ");
	world.initialize = 0;
	return 1;
}

static void test_feed_fails(void)
{
	world.initialize = EBUSY;
	tap_int(tr2_agent_feed_begin(&taker), EBUSY, "an engine may be busy");
	tap_str(get_notes(), "initialize 1 64; ", "and is left alone");
	tr2_trace.yield = yield_engine;
	tap_int(tr2_agent_feed_begin(&taker), 0,
		"the owner of an engine may give it up");
	tap_str(get_notes(),
		"initialize 1 64; yield; initialize 1 64; reader 3; "
		"start 1; live; ",
		"then the agent asks for it once more");
	tr2_agent_feed_end();
	get_notes();
	tr2_trace.yield = NULL;
	world.initialize = 0;
	world.reader = 1;
	tap_int(tr2_agent_feed_begin(&taker), ENOMEM, "a reader needs memory");
	tap_str(get_notes(), "initialize 1 64; reader 3; terminate; ",
		"without it the engine goes");
	world.reader = 0;
	world.start = EBUSY;
	tap_int(tr2_agent_feed_begin(&taker), EBUSY, "an engine may not start");
	tap_str(get_notes(),
		"initialize 1 64; reader 3; start 1; terminate; free; ",
		"then all of it goes");
	world.start = 0;
	tr2_agent_feed_begin(&taker);
	get_notes();
	world.categories = NULL;
	tap_ok(!handler->ops->is_category_enabled(handler, "a"),
	       "without clients nothing is traced");
	world.categories = "b,c";
	tap_ok(!handler->ops->is_category_enabled(handler, "a") &&
		       handler->ops->is_category_enabled(handler, "c") &&
		       handler->ops->is_category_enabled(handler, "b"),
	       "with them what they ask for");
	tr2_agent_feed_end();
	get_notes();
}

/* Flush; of the records in use, these are as they should not be. */
static const char *flush_feed(int flawed, int unknown, int none)
{
	/* The first two readings are those of the durable part. */
	world.given = 98;
	world.flawed = flawed ? 100 + flawed : 0;
	world.unknown = unknown ? 100 + unknown : 0;
	world.none = none ? 100 + none : 0;
	get_notes();
	tr2_agent_feed_flush();
	return get_notes();
}

#define EACH " 8 bytes 0 8 bytes 0 8 bytes 0 took 3; "
#define FLUSH(from, end)                                           \
	"measure 1; measure 0; end of " #from "; " READ(from, end) \
		READ(8, -1) "read 0"

static void test_flush(void)
{
	world.full_at = 0;
	world.durable = 8;
	tr2_agent_feed_begin(&taker);
	tap_str(flush_feed(0, 0, 0), FLUSH(0, 8) EACH "read 1" EACH "flush 5; ",
		"what is there is read, first the older part");
	world.durable = -1;
	tap_str(flush_feed(2, 0, 0),
		FLUSH(8, 16) " 8 bytes 0 8 bytes took 1; read 1" EACH
			     "flush 5; ",
		"a record whose string is not known yet is left");
	tap_str(flush_feed(0, 3, 0),
		FLUSH(8, 16) " 8 bytes 0 8 bytes 0 8 bytes took 3; "
			     "read 1" EACH "flush 5; ",
		"one of unknown type is not");
	tap_str(flush_feed(0, 0, 1),
		FLUSH(8, 16) " 8 bytes 8 bytes 0 8 bytes 0 took 3; "
			     "read 1" EACH "flush 5; ",
		"nor what is no record");
	world.durable = 800;
	world.flawed = world.unknown = world.none = 0;
	world.full_at = services + 1;
	tr2_agent_feed_flush();
	tap_str(get_notes(),
		READ(8, 800) PART(
			0) "saved 0 800; flush 5; "
			   "measure 2; measure 1; end of 800; " READ(800, 808)
				   READ(800, -1) "read 1" EACH "read 2" EACH
						 "flush 5; ",
		"a part that is full is saved first");
	tap_int(sleeps, 0, "a flush does not wait");
	tr2_agent_feed_step();
	tap_ok(sleeps == 1 && slept.tv_nsec == 100000 && !slept.tv_sec,
	       "a step is short");
	tr2_agent_feed_end();
	get_notes();
}

/* What is lost is counted once, whatever reads it. */
static void test_memory(void)
{
	world.given = world.flawed = world.unknown = world.none = 0;
	world.full_at = services + 1;
	tr2_agent_feed_begin(&taker);
	tr2_trace.lost = 7;
	world.dead = 1;
	tr2_agent_feed_serve();
	tap_int((intmax_t)tr2_trace.lost, 7 + 2 + 2,
		"a reader without memory loses the rest of a part");
	tr2_trace.lost = 0;
	world.dead = 2;
	tr2_agent_feed_flush();
	tap_int((intmax_t)tr2_trace.lost, 3 + 3 + 3 + 3,
		"a flush loses each record that it finds");
	tr2_agent_feed_end();
	world.dead = 0;
	get_notes();
}

int main(void)
{
	host = tr2_host_system;
	tr2_host = &host;
	host.pages = give_pages;
	world.pages = 1;
	tap_int(tr2_agent_feed_begin(&taker), ENOMEM, "a buffer needs memory");
	tap_str(get_notes(), "pages 64; ", "before anything else");
	world.pages = 0;
	tap_run(test_feed, test_feed_fails, test_flush, test_memory);
	return tap_done();
}
