/* hosts_engine.h - calls of the engine, as commands of a host's life. */
#ifndef UNIT_PROCESS_HOSTS_HOSTS_ENGINE_H
#define UNIT_PROCESS_HOSTS_HOSTS_ENGINE_H

#include "trace/loop.h"
#include "trace/provider/provider.h"

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

#define ENGINE_COMMANDS                                               \
	{ "provide", begin_provider }, { "unprovide", end_provider }, \
		{ "loop", begin_loop }, { "unwatch", unwatch_loop },  \
	{                                                             \
		"end-loop", end_loop                                  \
	}

#endif
