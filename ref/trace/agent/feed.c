/*
 * The agent's reading of the engine's buffer. A part that is full is read and
 * given back. A flush also reads what the parts in use hold so far, and so
 * never waits for a thread.
 */
#include "trace/agent/feed.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "trace/agent/agent.h"
#include "trace/agent/categories.h"
#include "trace/agent/live.h"
#include "trace/engine.h"
#include "trace/engine/fxt.h"
#include "trace/engine/session.h"
#include "host/host.h"
#include "host/system.h"

/*
 * Two parts; each holds most of a second at a million events a second. A
 * process with few addresses has less.
 */
#define BUFFER_MOST ((size_t)64 << 20)
#define BUFFER_LEAST ((size_t)1 << 20)

#define STEP_NS 100000

static struct {
	const struct tr2_agent_feed_sink *sink;
	struct trace_buffer_header *buffer; /* never freed */
	size_t size;
	struct trace_reader *reader;
	uint64_t durable; /* end of the durable records that were read */
	uint32_t wrapped; /* the pass to read next */
	int is_full;	  /* the engine has reported it */
	uint64_t durable_end;
} feed;

/*
 * The engine's handler
 */

static bool is_category_enabled(struct trace_handler *handler,
				const char *category)
{
	const char *all = tr2_agent_categories();

	(void)handler;
	return all && tr2_categories_match(all, category, strlen(category));
}

/* Called inside trace_engine_service(): reading waits until that returns. */
static void notify_buffer_full(struct trace_handler *handler, uint32_t wrapped,
			       uint64_t durable_end)
{
	(void)handler;
	(void)wrapped;
	feed.is_full = 1;
	feed.durable_end = durable_end;
}

static const struct trace_handler_ops ops = {
	.is_category_enabled = is_category_enabled,
	.notify_buffer_full = notify_buffer_full,
};
static struct trace_handler handler = { &ops };

/*
 * Reading
 */

static uint64_t is_event(uint64_t header)
{
	const enum fxt_record type = fxt_record_type(header);

	return type == FXT_EVENT || type == FXT_LARGE;
}

/* The reader has no memory, so it reads nothing any more. */
static void lose_events(const uint64_t *records, size_t words, uint64_t taken)
{
	uint64_t lost = 0;

	for (size_t at = 0; at < words && fxt_record_words(records[at]);
	     at += fxt_record_words(records[at]))
		lost += is_event(records[at]);
	__atomic_fetch_add(&tr2_trace.lost, lost - taken, __ATOMIC_RELAXED);
}

/* Nobody changes these records any more. */
static size_t take_all(const uint64_t *records, size_t words)
{
	struct trace_reader_record record;
	uint64_t taken = 0;
	int got;

	trace_reader_feed(feed.reader, records, words * sizeof(*records));
	while ((got = trace_reader_next(feed.reader, &record)) > 0) {
		taken += record.type == FXT_EVENT || record.type == FXT_LARGE;
		if (!record.unknown && !record.flawed)
			feed.sink->record(&record);
	}
	if (got < 0)
		lose_events(records, words, taken);
	return words;
}

/*
 * The chunk is in use. A record may refer to a string or thread that was not
 * there yet when the durable part was read; it is read the next time.
 */
static size_t take_known(const uint64_t *records, size_t words)
{
	struct trace_reader_record record;
	size_t at, size;
	int got;

	for (at = 0; at < words; at += size) {
		size = fxt_record_words(records[at]);
		trace_reader_feed(feed.reader, records + at, size * FXT_WORD);
		got = trace_reader_next(feed.reader, &record);
		if (got < 0)
			lose_events(records + at, size, 0);
		if (got <= 0)
			continue;
		if (record.flawed)
			break;
		if (!record.unknown)
			feed.sink->record(&record);
	}
	return at;
}

/* A trace_buffer_run. */
static int read_run(void *context, const uint64_t *records, size_t words)
{
	(void)context;
	take_all(records, words);
	return 0;
}

static int64_t read_durable(uint64_t end)
{
	return trace_buffer_read_durable(feed.buffer, feed.buffer, feed.durable,
					 end, read_run, NULL);
}

static void take_durable(uint64_t end)
{
	int64_t at = read_durable(end);

	if (at >= 0)
		feed.durable = (uint64_t)at;
}

static void measure_part(uint32_t pass)
{
	tr2_live_measure(pass, tr2_trace_count_chunks(pass));
}

static void take_part(uint32_t pass)
{
	measure_part(pass);
	tr2_live_read(pass, take_all);
	tr2_live_forget(pass);
}

/* Read the full part, and make it free again. */
static void save_part(void)
{
	if (!feed.is_full)
		return;
	feed.is_full = 0;
	take_durable(feed.durable_end);
	take_part(feed.wrapped);
	trace_engine_mark_buffer_saved(feed.wrapped, feed.durable_end);
	feed.wrapped++;
	feed.sink->flush(trace_engine_dropped());
}

int tr2_agent_feed_serve(void)
{
	int wait_ms = trace_engine_service();

	save_part();
	return wait_ms;
}

void tr2_agent_feed_step(void)
{
	const struct timespec length = { 0, STEP_NS };

	nanosleep(&length, NULL);
}

/*
 * If a thread is writing a definition now, those after it are read, but the
 * next time it is tried again from there.
 */
static void take_definitions(void)
{
	take_durable(tr2_live_find_durable_end(feed.durable));
	read_durable(UINT64_MAX);
}

/*
 * The ends are looked up first, because a record must not be read before the
 * definitions that it refers to.
 */
void tr2_agent_feed_flush(void)
{
	tr2_agent_feed_serve();
	measure_part(feed.wrapped + 1);
	measure_part(feed.wrapped);
	take_definitions();
	tr2_live_read(feed.wrapped, take_known);
	tr2_live_read(feed.wrapped + 1, take_known);
	feed.sink->flush(trace_engine_dropped());
}

void tr2_agent_feed_repeat(trace_buffer_run *run, void *context)
{
	trace_buffer_read_durable(feed.buffer, feed.buffer, 0, feed.durable,
				  run, context);
}

/*
 * The engine is stopped: read the rest, first the older part, then the newer.
 */
static void read_rest(void)
{
	take_durable(UINT64_MAX);
	take_part(feed.wrapped);
	take_part(feed.wrapped + 1);
	feed.sink->flush(trace_engine_dropped());
}

/*
 * Beginning and end
 */

static void end_engine(void)
{
	trace_engine_terminate();
	trace_reader_free(feed.reader);
	feed.reader = NULL;
}

static int take_engine(void)
{
	return trace_engine_initialize(&handler, TRACE_BUFFERING_MODE_STREAMING,
				       feed.buffer, feed.size);
}

/* A container that is out of memory would end the host. */
static int find_buffer(void)
{
	uint64_t limit;

	if (feed.buffer)
		return 1;
	limit = tr2_host_memory_limit();
	feed.size = BUFFER_MOST;
	while (feed.size > BUFFER_LEAST &&
	       (!tr2_host_has_room(feed.size) || limit / 8 < feed.size))
		feed.size /= 2;
	feed.buffer = tr2_host->pages(feed.size);
	return feed.buffer != NULL;
}

int tr2_agent_feed_begin(const struct tr2_agent_feed_sink *sink)
{
	const struct trace_reader_options options = {
		.flags = TRACE_READER_FRAGMENT | TRACE_READER_UNBALANCED,
	};
	int error;

	feed.sink = sink;
	if (!find_buffer())
		return ENOMEM;
	error = take_engine();
	if (error == EBUSY && tr2_trace_yield())
		error = take_engine();
	if (error)
		return error;
	feed.durable = 0;
	feed.wrapped = 0;
	feed.is_full = 0;
	feed.reader = trace_reader_new(&options);
	error = ENOMEM;
	if (feed.reader)
		error = trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	if (error)
		end_engine();
	else
		tr2_live_begin(feed.buffer);
	return error;
}

void tr2_agent_feed_forget(void)
{
	feed.reader = NULL;
}

void tr2_agent_feed_end(void)
{
	trace_engine_stop(0);
	read_rest();
	end_engine();
}
