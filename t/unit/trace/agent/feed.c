/* The agent's feed; the test plays the engine, the buffer and the reader. */
#include "kit/note.h"

#include <errno.h>

#include <time.h>

#include "kit/tap.h"
#include "trace/agent/agent.h"
#include "trace/agent/feed.h"
#include "trace/engine.h"
#include "base/host.h"

static struct {
	int pages, initialize, reader, start; /* fails: errno */
	int turn[3];		/* results of turning; the last one repeats */
	int full_at;		/* that service finds a full part */
	int64_t durable;	/* how far the durable part is read */
	const char *categories; /* that clients ask for */
} world;

static struct tr2_host host;

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

int trace_engine_turn(void)
{
	const int error = world.turn[0];

	add_note("turn; ");
	world.turn[0] = world.turn[1];
	world.turn[1] = world.turn[2];
	return error;
}

uint64_t trace_engine_dropped(void)
{
	return 5;
}

static const uint64_t words[3];

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

int64_t trace_buffer_read_rolling(const struct trace_buffer_header *checked,
				  const void *buffer, int part, uint32_t oldest,
				  trace_buffer_run *run, void *context)
{
	(void)run;
	(void)context;
	add_note("part %d from %d%s; ", part, (int)oldest,
		 checked != buffer ? " unchecked" : "");
	return 0;
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
}

/* Four, of which two are not as they should be. */
int trace_reader_next(struct trace_reader *reader,
		      struct trace_reader_record *record)
{
	memset(record, 0, sizeof(*record));
	record->id = (uint64_t)reader->given++;
	record->unknown = record->id == 1;
	record->flawed = record->id == 2;
	return record->id < 4;
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

static void take(const struct trace_reader_record *record)
{
	add_note(" %d", (int)record->id);
}

static void flushed(uint64_t dropped)
{
	add_note("flush %d; ", (int)dropped);
}

static const struct tr2_agent_feed_sink taker = { take, flushed };

/*
 * The feed
 */

#define BEGUN "initialize 1 64; reader 3; start 1; "
#define READ(from, to) "durable " #from " " #to " 24 bytes 0 3; "
#define REST(from, part, other, oldest)                             \
	"stop 0; " READ(from, -1) "part " #part " from " #oldest    \
				  "; part " #other " from " #oldest \
				  "; flush 5; terminate; free; "

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
	tap_str(get_notes(),
		READ(0, 800) "part 0 from 0; saved 0 800; flush 5; ",
		"what is full is read and free again");
	world.durable = -1;
	world.full_at = services + 1;
	tr2_agent_feed_serve();
	tap_str(get_notes(),
		READ(800, 800) "part 1 from 1; saved 1 800; flush 5; ",
		"then it is the other part's turn");
	tr2_agent_feed_serve();
	tap_str(get_notes(), "", "each is read once");
	world.durable = 0;
	world.full_at = services + 1;
	tr2_agent_feed_serve();
	tap_str(get_notes(),
		READ(800, 800) "part 0 from 2; saved 2 800; flush 5; ",
		"where reading fails it is tried again");
	handler->ops->notify_buffer_full(handler, 9, 900);
	tr2_agent_feed_end();
	tap_str(get_notes(), REST(0, 1, 0, 3), "the rest is read in the end");
	tr2_agent_feed_begin(&taker);
	tap_str(get_notes(), BEGUN, "another time has the same buffer");
	tr2_agent_feed_serve();
	tap_str(get_notes(), "", "which is empty again");
	world.durable = 16;
	world.full_at = services + 1;
	tr2_agent_feed_serve();
	get_notes();
	tr2_agent_feed_begin(&taker);
	tap_str(get_notes(), "initialize 1 64; free; reader 3; start 1; ",
		"a child's begins anew");
	pages.wrapped_count = 1;
	tr2_agent_feed_end();
	tap_str(get_notes(), REST(0, 0, 1, 0), "wherever its parent was");
}

static void test_feed_fails(void)
{
	world.initialize = EBUSY;
	tap_int(tr2_agent_feed_begin(&taker), EBUSY, "an engine may be busy");
	tap_str(get_notes(), "initialize 1 64; ", "and is left alone");
	world.initialize = 0;
	world.reader = 1;
	tap_int(tr2_agent_feed_begin(&taker), ENOMEM, "a reader needs memory");
	tap_str(get_notes(), "initialize 1 64; reader 3; terminate; ",
		"without it the engine goes");
	world.reader = 0;
	world.start = EBUSY;
	tap_int(tr2_agent_feed_begin(&taker), EBUSY, "an engine may not start");
	tap_str(get_notes(), BEGUN "terminate; free; ", "then all of it goes");
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

/*
 * Flush, with these results of turning; `full` is the part that is full at
 * that service.
 */
static const char *flush(int first, int next, int last, int full_at)
{
	world.turn[0] = first;
	world.turn[1] = next;
	world.turn[2] = last;
	world.full_at = full_at;
	services = sleeps = 0;
	get_notes();
	tr2_agent_feed_flush();
	return get_notes();
}

static void test_flush(void)
{
	const char *at;
	int turns = 0;

	tr2_agent_feed_begin(&taker);
	tap_str(flush(0, 0, 0, 4),
		"turn; " READ(0, 800) "part 0 from 0; saved 0 800; flush 5; ",
		"what is flushed is full soon");
	tap_ok(services == 4 && sleeps == 2 && slept.tv_nsec == 100000 &&
		       !slept.tv_sec,
	       "after some short steps");
	tap_str(flush(ENODATA, 0, 0, 0), "turn; ", "nothing is no part");
	tap_ok(services == 1 && !sleeps, "and not waited for");
	tap_str(flush(EAGAIN, EAGAIN, 0, 4),
		"turn; turn; turn; " READ(
			16, 800) "part 1 from 1; saved 1 800; flush 5; ",
		"before it there may be another one");
	tap_ok(services == 4 && sleeps == 2, "which is waited for");
	tap_str(flush(0, 0, 0, 1),
		READ(16, 800) "part 0 from 2; saved 2 800; flush 5; turn; ",
		"one that was full before is none");
	tap_ok(services == 1001 && sleeps == 1000,
	       "who does not come is not waited for for ever");
	at = flush(EAGAIN, EAGAIN, EAGAIN, 0);
	for (; (at = strstr(at, "turn; ")); at += 6) {
		world.turn[2] = EAGAIN;
		turns++;
	}
	tap_ok(turns == 1000 && services == 1000 && sleeps == 999,
	       "nor who does not go");
	tr2_agent_feed_end();
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
	test_feed();
	test_feed_fails();
	test_flush();
	return tap_done();
}
