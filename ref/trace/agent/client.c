/*
 * The clients of <trace/agent.h>: what the agent passes on, in the format
 * that the program asked for.
 */
#include "trace/agent.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "host/cancel.h"
#include "host/host.h"
#include "trace/agent/agent.h"
#include "trace/agent/categories.h"
#include "trace/chrome/chrome.h"
#include "trace/engine.h"
#include "trace/engine/fxt.h"

/* About the size of a piece of text. */
#define PIECE_BYTES ((size_t)1 << 16)

/* The beginning of a text. If it is missing, nothing after it can be read. */
#define FIRST_BYTES ((size_t)512)

struct trace_agent_client {
	struct tr2_agent_client client; /* the first member */
	struct trace_agent_consumer consumer;
	char *categories;  /* NULL: all */
	uint64_t reported; /* drops that the bytes report */
	pid_t owner;	   /* the process that added it */

	bool has_begun; /* FXT only: the archive has its first records */

	/* JSON only. */
	struct tr2_chrome chrome;
	struct tr2_buf text;
	uint64_t lost; /* lines for which there was no memory */
};

static struct trace_agent_client *own_of(struct tr2_agent_client *client)
{
	return (struct trace_agent_client *)(void *)client;
}

static void give_bytes(const struct trace_agent_client *client,
		       const void *bytes, size_t len)
{
	client->consumer.bytes(client->consumer.context, bytes, len);
}

static void end_flush(struct tr2_agent_client *client, uint64_t dropped)
{
	const struct trace_agent_consumer *consumer = &own_of(client)->consumer;

	if (consumer->flush)
		consumer->flush(consumer->context, dropped);
}

/*
 * Records
 */

static void give_record(struct tr2_agent_client *client,
			const struct trace_reader_record *record)
{
	own_of(client)->consumer.record(own_of(client)->consumer.context,
					record);
}

static void give_name(struct tr2_agent_client *client,
		      const struct trace_reader_record *record, int place)
{
	(void)place;
	give_record(client, record);
}

/*
 * FXT
 */

/* SPEC: fxt.magic, fxt.provider.first */
static void begin_raw(struct trace_agent_client *client)
{
	uint64_t words[8] = { FXT_MAGIC };
	char name[24];
	size_t len;

	if (client->has_begun)
		return;
	client->has_begun = true;
	len = (size_t)snprintf(name, sizeof(name), "trace2 %d",
			       (int)client->owner);
	words[1] = fxt_provider_info_header((uint32_t)client->owner, len);
	fxt_put_bytes(words + 2, name, len);
	give_bytes(client, words, (2 + fxt_words(len)) * FXT_WORD);
}

static void give_raw(struct tr2_agent_client *client, const void *bytes,
		     size_t len)
{
	begin_raw(own_of(client));
	give_bytes(own_of(client), bytes, len);
}

static void give_raw_event(struct tr2_agent_client *client,
			   const struct trace_reader_record *record)
{
	give_raw(client, record->bytes, record->words * FXT_WORD);
}

/* Names are definitions, too. */
static void give_raw_metadata(struct tr2_agent_client *client,
			      const struct trace_reader_record *record,
			      int place)
{
	(void)place;
	if (record->type == FXT_EVENT)
		give_raw_event(client, record);
}

/* SPEC: fxt.provider.dropped */
static void flush_raw(struct tr2_agent_client *client, uint64_t dropped)
{
	const uint64_t word = fxt_provider_event_header(
		(uint32_t)own_of(client)->owner, FXT_BUFFER_FILLED_UP);

	begin_raw(own_of(client));
	if (dropped > own_of(client)->reported)
		give_raw(client, &word, sizeof(word));
	own_of(client)->reported = dropped;
	end_flush(client, dropped);
}

/*
 * JSON
 */

static void give_text(struct trace_agent_client *client)
{
	struct tr2_buf *text = &client->text;

	if (text->len)
		give_bytes(client, text->bytes, text->len);
	tr2_buf_reset(text);
}

/* A line for which memory failed must not damage the others. */
static void keep_line(struct trace_agent_client *client, size_t before)
{
	struct tr2_buf *text = &client->text;

	if (text->failed) {
		text->len = before;
		text->failed = 0;
		client->lost++;
	}
	if (text->len >= PIECE_BYTES)
		give_text(client);
}

static void put_line(struct tr2_agent_client *client,
		     const struct trace_reader_record *record)
{
	const size_t before = own_of(client)->text.len;

	tr2_chrome_record(&own_of(client)->chrome, record);
	keep_line(own_of(client), before);
}

static void put_name(struct tr2_agent_client *client,
		     const struct trace_reader_record *record, int place)
{
	const size_t before = own_of(client)->text.len;

	tr2_chrome_put_name(&own_of(client)->chrome, record, place);
	keep_line(own_of(client), before);
}

static void flush_text(struct tr2_agent_client *client, uint64_t dropped)
{
	struct trace_agent_client *self = own_of(client);
	const uint64_t all = dropped + self->lost;
	const size_t before = self->text.len;

	if (all > self->reported) {
		tr2_chrome_put_dropped(&self->chrome, all);
		keep_line(self, before);
	}
	self->reported = all;
	give_text(self);
	end_flush(client, all);
}

/* 0, or -1 without memory. */
static int begin_text(struct trace_agent_client *client)
{
	if (tr2_buf_grow(&client->text, FIRST_BYTES))
		return -1;
	tr2_chrome_begin(&client->chrome, &client->text);
	tr2_chrome_put_writer(&client->chrome);
	return 0;
}

static void end_text(struct trace_agent_client *client)
{
	tr2_chrome_end(&client->chrome);
	keep_line(client, client->text.len);
	give_text(client);
}

/*
 * Clients
 */

static const struct tr2_agent_client hooks[] = {
	[TRACE_AGENT_RECORDS] = { .event = give_record,
				  .name = give_name,
				  .flush = end_flush },
	[TRACE_AGENT_FXT] = { .event = give_raw_event,
			      .name = give_raw_metadata,
			      .flush = flush_raw,
			      .definition = give_raw },
	[TRACE_AGENT_JSON] = { .event = put_line,
			       .name = put_name,
			       .flush = flush_text },
};

static int is_usable(const struct trace_agent_consumer *consumer)
{
	if (consumer->format == TRACE_AGENT_RECORDS)
		return consumer->record != NULL;
	return consumer->bytes && (consumer->format == TRACE_AGENT_FXT ||
				   consumer->format == TRACE_AGENT_JSON);
}

/* 0, or an error. *text is NULL for all categories. */
static int join_categories(const char *const *categories, size_t count,
			   char **text)
{
	*text = NULL;
	if (!tr2_categories_are_names(categories, count))
		return EINVAL;
	if (!count)
		return 0;
	*text = tr2_host->realloc(NULL,
				  tr2_categories_measure(categories, count));
	if (!*text)
		return ENOMEM;
	tr2_categories_join(categories, count, *text);
	return 0;
}

static const char *or_all(const char *categories)
{
	return categories ? categories : tr2_categories_all;
}

/* SPEC: tracing.client.exit */
static void flush_at_exit(int code)
{
	(void)code;
	tr2_agent_flush();
}

/* Nobody waits for who does it: that may be a thread of the parent's. */
static void watch_exit(void)
{
	static int is_watched; /* atomic */

	if (!__atomic_exchange_n(&is_watched, 1, __ATOMIC_ACQ_REL))
		tr2_host->at_exit(flush_at_exit);
}

static void free_client(struct trace_agent_client *client)
{
	tr2_buf_release(&client->text);
	tr2_host->free(client->categories);
	tr2_host->free(client);
}

static struct trace_agent_client *
make_client(const struct trace_agent_consumer *consumer)
{
	struct trace_agent_client *client =
		tr2_host->realloc(NULL, sizeof(*client));

	if (!client)
		return NULL;
	memset(client, 0, sizeof(*client));
	client->client = hooks[consumer->format];
	client->consumer = *consumer;
	client->owner = tr2_host->getpid();
	if (consumer->format != TRACE_AGENT_JSON || !begin_text(client))
		return client;
	free_client(client);
	return NULL;
}

struct tr2_agent_client *
tr2_agent_make_client(const struct trace_agent_consumer *consumer,
		      const char *categories)
{
	struct trace_agent_client *client = make_client(consumer);

	if (!client)
		return NULL;
	client->client.categories = categories;
	return &client->client;
}

static int add_client(struct trace_agent_client *client,
		      const char *const *categories, size_t count)
{
	int error = join_categories(categories, count, &client->categories);

	if (error)
		return error;
	client->client.categories = or_all(client->categories);
	watch_exit();
	return tr2_agent_add(&client->client);
}

struct trace_agent_client *
trace_agent_add_client(const char *const *categories, size_t count,
		       const struct trace_agent_consumer *consumer)
{
	int saved = errno, error = EINVAL;
	struct trace_agent_client *client = NULL;

	if (is_usable(consumer)) {
		client = make_client(consumer);
		error = ENOMEM;
	}
	if (client) {
		client->client.caller = __builtin_return_address(0);
		error = add_client(client, categories, count);
	}
	errno = error ? error : saved;
	if (!error || !client)
		return client;
	free_client(client);
	return NULL;
}

int trace_agent_change_client(struct trace_agent_client *client,
			      const char *const *categories, size_t count)
{
	int saved = errno, error;
	char *old = client->categories, *text;

	error = join_categories(categories, count, &text);
	if (!error)
		error = tr2_agent_change(&client->client, or_all(text));
	if (!error)
		client->categories = text;
	tr2_host->free(error ? text : old);
	errno = saved;
	return error;
}

/* The bytes of a client belong to the process that added it. */
void trace_agent_remove_client(struct trace_agent_client *client)
{
	int cancel, saved = errno;

	if (!client)
		return;
	cancel = tr2_cancel_forbid();
	tr2_agent_remove(&client->client);
	if (client->consumer.format == TRACE_AGENT_JSON &&
	    client->owner == tr2_host->getpid())
		end_text(client);
	free_client(client);
	errno = saved;
	tr2_cancel_allow(cancel);
}
