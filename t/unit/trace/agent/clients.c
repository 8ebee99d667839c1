/* Clients of the agent, each with categories of its own. */
#include <string.h>

#include "trace/agent/agent.h"
#include "kit/trace/tracing.h"

struct listener {
	struct tr2_agent_client client; /* the first member */
	char heard[256];
	int names;
};

static void hear_event(struct tr2_agent_client *client,
		       const struct trace_reader_record *record)
{
	struct listener *listener = (struct listener *)(void *)client;

	strncat(listener->heard, record->name.bytes, record->name.len);
	strcat(listener->heard, " ");
}

static void hear_name(struct tr2_agent_client *client,
		      const struct trace_reader_record *record, int place)
{
	(void)record;
	(void)place;
	((struct listener *)(void *)client)->names++;
}

static void hear_no_more(struct tr2_agent_client *client, uint64_t dropped)
{
	(void)client;
	(void)dropped;
}

static struct listener make_listener(const char *categories)
{
	return (struct listener){
		.client = { .categories = categories,
			    .event = hear_event,
			    .name = hear_name,
			    .flush = hear_no_more },
	};
}

static void trace_all(void)
{
	TRACE_INSTANT("a", "a", 0);
	TRACE_INSTANT("b", "b", 0);
	TRACE_INSTANT("b,shared", "both", 0);
	TRACE_INSTANT("c", "c", 0);
}

static void test_shares(void)
{
	struct trace_tracing *tracing = kit_tracing("c");
	struct listener one = make_listener("a,shared"),
			two = make_listener("b,shared");

	trace_tracing_enable(tracing);
	tap_ok(!tr2_agent_add(&one.client) && !tr2_agent_add(&two.client),
	       "the agent has several clients at a time");
	tap_str(trace_tracing_enabled_categories(), "a,b,c,shared",
		"what is on is the union of all clients");
	trace_all();
	tr2_agent_remove(&one.client);
	tap_str(one.heard, "a both ", "a client is given what it asked for");
	tap_str(trace_tracing_enabled_categories(), "b,c,shared",
		"what only a client that left had asked for is off");
	trace_all();
	tr2_agent_change(&two.client, "a");
	tap_str(two.heard, "b both b both ",
		"a client stays as it is when another leaves");
	trace_all();
	tr2_agent_remove(&two.client);
	tap_str(two.heard, "b both b both a ",
		"a client is given what it changed to");
	trace_tracing_destroy(tracing);
	tap_int(kit_count("trace.1.json", "\"ph\":\"I\""), 3,
		"a file is a client as any other");
}

static void test_names(void)
{
	struct listener one = make_listener("a"), late = make_listener("a");

	tr2_agent_add(&one.client);
	trace_all();
	tr2_agent_change(&one.client, "a,b");
	tr2_agent_add(&late.client);
	tap_ok(one.names >= 2 && late.names == one.names,
	       "a client that comes later is told all names");
	tr2_agent_remove(&late.client);
	tr2_agent_remove(&one.client);
}

static void test_from_now_on(void)
{
	struct trace_tracing *tracing = kit_tracing("a");
	struct listener one = make_listener("a"), late = make_listener("a");

	tr2_agent_add(&one.client);
	TRACE_INSTANT("a", "before", 0);
	tr2_agent_add(&late.client);
	trace_tracing_enable(tracing);
	TRACE_INSTANT("a", "after", 0);
	tr2_agent_remove(&late.client);
	tr2_agent_remove(&one.client);
	trace_tracing_destroy(tracing);
	tap_str(one.heard, "before after ",
		"a client hears of each event once");
	tap_str(late.heard, "after ",
		"a client that comes later hears of events from then on");
	tap_ok(!kit_count("trace.2.json", "\"before\"") &&
		       kit_count("trace.2.json", "\"after\"") == 1,
	       "a file that begins later has events from then on");
}

int main(void)
{
	kit_begin();
	tap_run(test_shares, test_names, test_from_now_on);
	kit_end();
	return tap_done();
}
