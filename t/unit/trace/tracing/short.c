/* Tracing objects whose host has no memory, descriptors or threads left. */
#define _GNU_SOURCE
#include <fcntl.h>

#include "kit/short.h"
#include "trace/agent/agent.h"
#include "trace/agent/categories.h"
#include "kit/trace/tracing.h"

static void pass_time(void)
{
	TRACE_INSTANT("a", "passed", TRACE_SCOPE_THREAD);
}

/* All that a user does. Returns the result of enabling, or of creating. */
static int use_tracing(void)
{
	const struct trace_tracing_options options = {
		.pattern = "${pid}.json",
	};
	struct trace_tracing *tracing;
	int error;

	error = trace_tracing_configure(&options);
	if (error)
		return error;
	errno = 0;
	tracing = kit_tracing("a");
	if (!tracing)
		return errno;
	error = trace_tracing_enable(tracing);
	pass_time();
	if (!error)
		trace_tracing_disable(tracing);
	trace_tracing_destroy(tracing);
	return error;
}

static void test_memory(void)
{
	int call, error, wrong = 0, refused = 0;

	for (call = 1;; call++) {
		fail_from(call);
		error = use_tracing();
		if (!has_failed())
			break;
		fail_from(0);
		refused += error == ENOMEM;
		wrong += error && error != ENOMEM && error != EAGAIN;
		wrong += use_tracing() != 0;
	}
	fail_from(0);
	tap_ok(refused > 4, "who enables is told that out of memory");
	tap_int(wrong, 0, "and may try again");
}

static void test_descriptors(void)
{
	int low = dup(0), count, errors = 0;

	close(low);
	for (count = 0; count < 5; count++) {
		limit_files((rlim_t)(low + count));
		errors += use_tracing() != 0;
		limit_files(0);
	}
	tap_int(errors, 5, "who enables is told that descriptors are short");
	tap_int(use_tracing(), 0, "and may try again with more");
}

static void test_thread(void)
{
	limit_threads(1);
	tap_int(use_tracing(), 0,
		"tracing needs no thread before the first event");
	limit_threads(0);
}

static void *no_pages(size_t size)
{
	(void)size;
	return NULL;
}

static void test_pages(void)
{
	host.pages = no_pages;
	tap_int(use_tracing(), ENOMEM, "so is who finds no room for a buffer");
	host.pages = usual->pages;
}

/*
 * Clients
 */

static int events, gates[2][2];

static void take_event(struct tr2_agent_client *client,
		       const struct trace_reader_record *record)
{
	(void)client;
	(void)record;
	events++;
}

static void take_name(struct tr2_agent_client *client,
		      const struct trace_reader_record *record, int place)
{
	(void)client;
	(void)record;
	(void)place;
}

static void take_flush(struct tr2_agent_client *client, uint64_t dropped)
{
	(void)client;
	(void)dropped;
}

/* Publishes that it runs, and stays until it may go on. */
static void stay_inside(struct tr2_agent_client *client, uint64_t dropped)
{
	char byte;

	(void)dropped;
	client->flush = take_flush;
	if (write(gates[0][1], "", 1) != 1 || read(gates[1][0], &byte, 1) != 1)
		abort();
}

#define CLIENT                                                             \
	{                                                                  \
		.categories = "a", .event = take_event, .name = take_name, \
		.flush = take_flush,                                       \
	}

static void test_many_clients(void)
{
	struct tr2_agent_client clients[17], other = CLIENT;
	int i, error = 0;

	for (i = 0; i < 17 && !error; i++) {
		clients[i] = other;
		error = tr2_agent_add(&clients[i]);
	}
	tap_ok(i == 17 && error == ENOSPC, "sixteen may listen, and no more");
	tr2_agent_flush();
	fail_from(1);
	tap_int(tr2_agent_change(clients, "b"), ENOMEM,
		"a client is told that out of memory");
	fail_from(0);
	tap_str(clients->categories, "a", "and asks for what it did before");
	tr2_agent_remove(&other);
	for (i = 0; i < 16; i++)
		tr2_agent_remove(&clients[i]);
	tr2_agent_remove(&other);
	tap_ok(!tr2_agent_categories(), "who never listened may go, too");
}

static void fill_pipe(int fd)
{
	while (write(fd, "", 1) == 1)
		;
}

/*
 * A thread that hurries does not wait for ever, nor for a thread that blocks.
 */
static void test_hurry(void)
{
	struct tr2_agent_client client = CLIENT;
	int low = dup(0);
	char byte;

	tap_need(!pipe(gates[0]) && !pipe(gates[1]));
	close(low);
	low = dup(0);
	close(low);
	set_hurry(1);
	errno = 77;
	tr2_agent_hurry();
	tap_int(errno, 77, "there is nothing to hurry without a client");
	client.flush = stay_inside;
	tr2_agent_add(&client);
	pass_time();
	tr2_agent_hurry();
	if (read(gates[0][0], &byte, 1) != 1)
		abort();
	tr2_agent_hurry();
	fill_pipe(low + 1);
	errno = 77;
	tr2_agent_hurry();
	tap_int(errno, 77, "who hurries does not wait for a client that stays");
	tap_need(write(gates[1][1], "", 1) == 1);
	set_hurry(0);
	tr2_agent_remove(&client);
}

/* Whole records are passed on, others are left. */
static void test_records(void)
{
	static char huge[70000];
	struct tr2_agent_client client = CLIENT;

	tr2_agent_add(&client);
	events = 0;
	TRACE_BLOB_EVENT("a", "large", huge, 100);
	TRACE_BLOB_ATTACHMENT("a", "large", huge, 100);
	TRACE_KERNEL_OBJECT(4711);
	trace_name_thread("same");
	trace_name_thread("same");
	trace_name_thread("size");
	tr2_agent_remove(&client);
	tap_int(events, 1, "a large event goes to the clients of its category");
}

/* Nothing has been asked for when the engine is started. */
static bool is_early = true;

static void *pass_early(void *old, size_t size)
{
	if (!tr2_agent_categories())
		is_early &= !trace_engine_category_enabled("a");
	return usual->realloc(old, size);
}

static void test_early(void)
{
	struct tr2_agent_client client = CLIENT;

	host.realloc = pass_early;
	tr2_agent_add(&client);
	tap_ok(is_early && trace_engine_category_enabled("a"),
	       "a category is off until somebody listens");
	tr2_agent_remove(&client);
	host.realloc = fail_realloc;
}

int main(void)
{
	short_install();
	kit_begin();
	tap_run(test_pages, test_thread, test_memory, test_descriptors,
		test_many_clients, test_hurry, test_records, test_early);
	kit_end();
	return tap_done();
}
