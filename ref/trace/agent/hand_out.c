#include "trace/agent/hand_out.h"

#include <errno.h>

#include "trace/agent/agent.h"
#include "trace/agent/categories.h"
#include "trace/agent/metadata.h"
#include "trace/agent/names.h"
#include "trace/chrome/chrome.h"
#include "trace/engine.h"

/* The largest number of clients. */
#define CLIENTS 16

static bool is_event(const struct trace_reader_record *record)
{
	return record->type == FXT_EVENT ||
	       (record->type == FXT_LARGE &&
		record->subtype == FXT_LARGE_EVENT);
}

static void hand_out_name(struct tr2_agent_client *clients,
			  const struct trace_reader_record *record)
{
	struct tr2_agent_client *client;
	int place = tr2_agent_names_put(record);

	if (place < 0)
		return;
	for (client = clients; client; client = client->next)
		client->name(client, record, place);
}

/* SPEC: tracing.metadata */
static void hand_out_metadata(struct tr2_agent_client *clients,
			      const struct trace_reader_record *record)
{
	struct tr2_agent_client *client;

	tr2_metadata_keep(record);
	for (client = clients; client; client = client->next)
		client->name(client, record, 0);
}

/* SPEC: tracing.client.fxt */
static void hand_out_definition(struct tr2_agent_client *clients,
				const struct trace_reader_record *record)
{
	struct tr2_agent_client *client;

	for (client = clients; client; client = client->next)
		if (client->definition)
			client->definition(client, record->bytes,
					   record->words * sizeof(uint64_t));
}

/* SPEC: tracing.client */
static void hand_out_event(struct tr2_agent_client *clients,
			   const struct trace_reader_record *record)
{
	struct trace_reader_text category = record->category;
	struct tr2_agent_client *client;

	for (client = clients; client; client = client->next)
		if (tr2_categories_match(client->categories, category.bytes,
					 category.len))
			client->event(client, record);
}

void tr2_hand_out_record(struct tr2_agent_client *clients,
			 const struct trace_reader_record *record)
{
	if (tr2_chrome_is_metadata(record))
		hand_out_metadata(clients, record);
	else if (is_event(record))
		hand_out_event(clients, record);
	else
		hand_out_definition(clients, record);
	if (record->type == FXT_KERNEL_OBJECT)
		hand_out_name(clients, record);
}

void tr2_hand_out_flush(struct tr2_agent_client *clients, uint64_t dropped)
{
	struct tr2_agent_client *client;

	for (client = clients; client; client = client->next)
		client->flush(client, dropped);
}

/* The union of all clients' categories; atomic; NULL: no client. */
static const char *wanted;

const char *tr2_agent_categories(void)
{
	return __atomic_load_n(&wanted, __ATOMIC_ACQUIRE);
}

void tr2_hand_out_want(const char *categories)
{
	__atomic_store_n(&wanted, categories, __ATOMIC_RELEASE);
}

bool tr2_hand_out_is_wanted(void)
{
	const char *all = tr2_agent_categories();

	return all && *all;
}

int tr2_hand_out_unite(const struct tr2_agent_client *clients)
{
	const char *lists[CLIENTS], *all;
	size_t count = 0;

	for (; clients; clients = clients->next) {
		if (count == CLIENTS)
			return ENOSPC;
		lists[count++] = clients->categories;
	}
	all = tr2_categories_union(lists, count);
	if (!all)
		return ENOMEM;
	tr2_hand_out_want(all);
	trace_engine_renew_categories();
	return 0;
}

void tr2_hand_out_unlink(struct tr2_agent_client **clients,
			 const struct tr2_agent_client *client)
{
	struct tr2_agent_client **at = clients;

	while (*at && *at != client)
		at = &(*at)->next;
	if (*at)
		*at = client->next;
}
