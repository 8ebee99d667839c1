/* hosts_engine.h - calls of the engine, as commands of a host's life. */
#ifndef UNIT_PROCESS_HOSTS_HOSTS_ENGINE_H
#define UNIT_PROCESS_HOSTS_HOSTS_ENGINE_H

#include "trace/agent.h"
#include "trace/loop.h"
#include "trace/provider/provider.h"
#include "trace/tracing.h"

static const char *const some[] = { "cancelled" };
static struct trace_tracing *tracing;

/* In the test's own directory, which is the working directory. */
static void enable_tracing(SCRIPT_NONE)
{
	if (!tracing)
		tracing = trace_tracing_create(some, 1);
	expect_that(!trace_tracing_enable(tracing), "tracing");
}

static void disable_tracing(SCRIPT_NONE)
{
	trace_tracing_disable(tracing);
}

/*
 * ---- A client and an observer, whose functions are cancellation points
 */

static void take_cancellation(void *unused, const void *bytes, size_t len)
{
	(void)unused, (void)bytes, (void)len;
	pthread_testcancel();
}

static void be_started(struct trace_observer *unused)
{
	(void)unused;
	pthread_testcancel();
}

static const struct trace_agent_consumer consumer = {
	.format = TRACE_AGENT_FXT,
	.bytes = take_cancellation,
};
static struct trace_agent_client *client;
static struct trace_observer observer = { .started = be_started };

static void add_client(SCRIPT_NONE)
{
	client = trace_agent_add_client(NULL, 0, &consumer);
	expect_that(client, "a client");
}

static void change_client(SCRIPT_NONE)
{
	trace_agent_change_client(client, some, 1);
}

static void remove_client(SCRIPT_NONE)
{
	trace_agent_remove_client(client);
}

static void flush_clients(SCRIPT_NONE)
{
	trace_tracing_flush(true);
}

static void add_observer(SCRIPT_NONE)
{
	trace_tracing_observe(&observer);
}

static void remove_observer(SCRIPT_NONE)
{
	trace_tracing_unobserve(&observer);
}

/*
 * ---- A provider, and its manager
 */

static trace_provider_t *provider;
static int manager = -1;

static void begin_provider(SCRIPT_NONE)
{
	const struct trace_provider_options options = {
		.socket = kit_path("manager"),
		.wait_ms = 20,
	};

	provider = trace_provider_create_with_options(&options);
	expect_that(provider, "a provider");
}

static void end_provider(SCRIPT_NONE)
{
	trace_provider_destroy(provider);
}

/* The verb `manager`: one that listens, and never answers. */
static const char *begin_manager(SCRIPT_NONE)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	manager = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	strcpy(address.sun_path, kit_path("manager"));
	tap_need(!bind(manager, (struct sockaddr *)&address, sizeof(address)) &&
		 !listen(manager, 50));
	return NULL;
}

static const char *end_manager(SCRIPT_NONE)
{
	close(manager);
	unlink("manager");
	return NULL;
}

/*
 * ---- A loop
 */

static struct trace_loop *loop;
static int is_awake; /* atomic */

static void wake_slowly(struct trace_loop_watch *unused, short ready)
{
	(void)unused, (void)ready;
	__atomic_store_n(&is_awake, 1, __ATOMIC_RELEASE);
	poll(NULL, 0, 50);
}

static struct trace_loop_watch watch = {
	.fd = -1,
	.wait_ms = 1,
	.wake = wake_slowly,
};

static void begin_loop(SCRIPT_NONE)
{
	loop = trace_loop_create();
	expect_that(!trace_loop_watch(loop, &watch) &&
			    !trace_loop_start_thread(loop, "cancelled"),
		    "a loop");
	while (!__atomic_load_n(&is_awake, __ATOMIC_ACQUIRE))
		poll(NULL, 0, 1);
}

static void unwatch_loop(SCRIPT_NONE)
{
	trace_loop_unwatch(loop, &watch);
}

static void end_loop(SCRIPT_NONE)
{
	trace_loop_shutdown(loop);
}

#define ENGINE_COMMANDS                                                       \
	{ "enable", enable_tracing }, { "disable", disable_tracing },         \
		{ "add-client", add_client },                                 \
		{ "change-client", change_client },                           \
		{ "remove-client", remove_client },                           \
		{ "flush", flush_clients }, { "observe", add_observer },      \
		{ "unobserve", remove_observer },                             \
		{ "provide", begin_provider }, { "unprovide", end_provider }, \
		{ "loop", begin_loop }, { "unwatch", unwatch_loop },          \
	{                                                                     \
		"end-loop", end_loop                                          \
	}

#endif
