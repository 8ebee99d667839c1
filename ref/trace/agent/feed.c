/*
 * The agent's reading of the engine's buffer. It reads a part that is full,
 * or that the engine left although it is not full, and nothing that may still
 * change.
 */
#include "trace/agent/feed.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "trace/agent/agent.h"
#include "trace/agent/categories.h"
#include "trace/engine.h"
#include "base/host.h"

/* Two parts; each holds most of a second at a million events a second. */
#define BUFFER_SIZE ((size_t)64 << 20)

#define STEP_NS 100000

static struct {
	const struct tr2_agent_feed_sink *sink;
	struct trace_buffer_header *buffer; /* never freed */
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

/* A trace_buffer_run. Nobody changes these records any more. */
static int read_run(void *context, const uint64_t *records, size_t words)
{
	struct trace_reader_record record;

	(void)context;
	trace_reader_feed(feed.reader, records, words * sizeof(*records));
	while (trace_reader_next(feed.reader, &record) > 0)
		if (!record.unknown && !record.flawed)
			feed.sink->record(&record);
	return 0;
}

static void read_durable(uint64_t end)
{
	int64_t at = trace_buffer_read_durable(
		feed.buffer, feed.buffer, feed.durable, end, read_run, NULL);

	if (at >= 0)
		feed.durable = (uint64_t)at;
}

static void read_part(uint32_t part)
{
	trace_buffer_read_rolling(feed.buffer, feed.buffer, part & 1,
				  feed.wrapped, read_run, NULL);
}

/* Read the full part, and make it free again. */
static void save_part(void)
{
	if (!feed.is_full)
		return;
	feed.is_full = 0;
	read_durable(feed.durable_end);
	read_part(feed.wrapped);
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
 * Pass on the full part; then the part in use counts as full. 0, or an error.
 */
static int leave_part(void)
{
	int tries, error = EAGAIN;

	for (tries = 0; tries < TR2_AGENT_FEED_STEPS && error == EAGAIN;
	     tries++) {
		if (tries)
			tr2_agent_feed_step();
		tr2_agent_feed_serve();
		error = trace_engine_turn();
	}
	return error;
}

void tr2_agent_feed_flush(void)
{
	int tries, error = leave_part();
	const uint32_t before = feed.wrapped;

	for (tries = 0; !error && tries < TR2_AGENT_FEED_STEPS; tries++) {
		tr2_agent_feed_serve();
		if (feed.wrapped != before)
			break;
		tr2_agent_feed_step();
	}
}

/*
 * The engine is stopped: read the rest, first the older part, then the newer.
 */
static void read_rest(void)
{
	uint32_t newer = feed.buffer->wrapped_count;

	read_durable(UINT64_MAX);
	read_part(newer + 1);
	read_part(newer);
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

int tr2_agent_feed_begin(const struct tr2_agent_feed_sink *sink)
{
	const struct trace_reader_options options = {
		.flags = TRACE_READER_FRAGMENT | TRACE_READER_UNBALANCED,
	};
	int error;

	feed.sink = sink;
	if (!feed.buffer)
		feed.buffer = tr2_host->pages(BUFFER_SIZE);
	if (!feed.buffer)
		return ENOMEM;
	error = trace_engine_initialize(&handler,
					TRACE_BUFFERING_MODE_STREAMING,
					feed.buffer, BUFFER_SIZE);
	if (error)
		return error;
	feed.durable = 0;
	feed.wrapped = 0;
	feed.is_full = 0;
	trace_reader_free(feed.reader); /* a forked child has its parent's */
	feed.reader = trace_reader_new(&options);
	error = ENOMEM;
	if (feed.reader)
		error = trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	if (error)
		end_engine();
	return error;
}

void tr2_agent_feed_end(void)
{
	trace_engine_stop(0);
	read_rest();
	end_engine();
}
