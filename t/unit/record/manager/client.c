/* Clients of a trace manager: refused, slow, deaf, and curious. */
#define _GNU_SOURCE
#include "kit/trace/manager.h"

static struct kit kit;
static struct kit_provider one, two;
static struct kit_reading reading;

static void test_refusals(void)
{
	kit_open(&kit, 60000, 0);
	tap_int(kit_ask(&kit, TRACE_START_TRACING, 0), EINVAL,
		"nothing is started that was not initialized");
	tap_int(kit_initialize(&kit, 3, KIT_SIZE, NULL, 0), EINVAL,
		"an unknown mode is refused");
	tap_int(kit_initialize(&kit, 0, 100, NULL, 0), EINVAL,
		"a tiny buffer is refused");
	tap_int(kit_initialize(&kit, 0, KIT_SIZE, "abc", 3), EINVAL,
		"categories without a zero at the end are refused");
	tap_int(kit_ask(&kit, TRACE_INITIALIZE_TRACING, 0), EINVAL,
		"no socket, no tracing");
	kit_initialize(&kit, 0, KIT_SIZE, "a\0b", 4);
	tap_int(kit_ask(&kit, TRACE_START_TRACING, 9), EINVAL,
		"an unknown start mode is refused");
	tap_int(kit_ask(&kit, TRACE_STOP_TRACING, 0), EINVAL,
		"what does not run can't be stopped");
	kit_register(&kit, &one, "one");
	tap_int(kit_hear(one.fd), TRACE_INITIALIZE, "providers are prepared");
	tap_bytes(kit_message.payload, kit_message.len, "a\0b", 4,
		  "providers get the categories");
	tap_ok(fcntl(kit_message.fd, F_GET_SEALS) ==
		       (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL),
	       "the buffer is sealed");
	close(kit_message.fd);
	kit_say(kit.client, 0x4aa, 0, 0, 0, NULL, 0, -1);
	kit_run(&kit);
	tap_int(kit_hear(kit.client), -1, "a client that makes no sense goes");
	close(one.fd);
	kit_close(&kit);
}

/* The client reads nothing until much more waits than the queue holds. */
static void test_slow_client(void)
{
	uint32_t wrapped, saved = 0;
	int i, archive;

	kit_open(&kit, 60000, 100000);
	kit_register(&kit, &one, "one");
	kit_initialize(&kit, TRACE_BUFFERING_MODE_STREAMING, 1 << 20, NULL, 0);
	kit_ask(&kit, TRACE_START_TRACING, 0);
	kit_follow(&kit, &one);
	archive = kit.archive;
	kit.archive = -1;
	for (wrapped = 0; wrapped < 1000; wrapped++) {
		for (i = 0; i < 800; i++)
			kit_event(&one, "e");
		kit_save(&kit, &one, wrapped);
		if (kit_hear(one.fd) != TRACE_PROVIDER_BUFFER_SAVED)
			break;
		saved++;
	}
	tap_ok(saved > 0 && saved < 100,
	       "parts are not saved faster than the client reads");
	kit.archive = archive;
	for (i = 0; i < 100 && !kit_hear(one.fd); i++)
		kit_run(&kit);
	tap_int(kit_message.packet.data32, saved,
		"the part that waited is saved when the client has read");
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_follow(&kit, &one);
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
	for (i = 0; i < 100 && kit.done; i++)
		kit_run(&kit);
	kit_read(&kit, &reading);
	tap_int(reading.events, (intmax_t)(saved + 1) * 800,
		"a slow client gets all that was saved");
	kit_leave(&one);
	kit_close(&kit);
}

static int ask_and_ask(int times)
{
	int heard;

	while (times--) {
		kit_say(kit.client, TRACE_GET_PROVIDERS, 0, 0, 0, NULL, 0, -1);
		tr2_manager_step(kit.manager, -1, 0);
	}
	do {
		tr2_manager_step(kit.manager, -1, 0);
		heard = kit_hear(kit.client);
	} while (heard > 0);
	return heard;
}

/* It sends requests, with answers of 6 kB each, before it reads an answer. */
static void test_deaf_client(void)
{
	struct kit_provider many[20];
	char name[256] = { 0 };
	int i;

	memset(name, 'n', sizeof(name) - 1);
	kit_open(&kit, 60000, 100000);
	for (i = 0; i < 20; i++)
		kit_register(&kit, &many[i], name);
	tap_int(ask_and_ask(1000), 0, "a client gets answers when it reads");
	tap_int(ask_and_ask(5000), -1, "what waits for a client is bounded");
	for (i = 0; i < 20; i++)
		kit_leave(&many[i]);
	kit_close(&kit);
}

/* Names of those that are listed, with blanks between. */
static const char *read_list(unsigned request)
{
	static char text[256];

	text[0] = '\0';
	kit_say(kit.client, request, 0, 0, 0, NULL, 0, -1);
	tr2_manager_step(kit.manager, -1, 0);
	while (kit_hear(kit.client) > 0 &&
	       kit_message.packet.request != TRACE_DONE) {
		strcat(strcat(text, *text ? " " : ""), kit_message.payload);
		if (strlen(kit_message.payload) < kit_message.len)
			strcat(strcat(text, "="),
			       kit_message.payload +
				       strlen(kit_message.payload) + 1);
	}
	return text;
}

static void test_lists(void)
{
	kit_open(&kit, 60000, 0);
	kit_register(&kit, &one, "one");
	kit_register(&kit, &two, "two");
	tap_str(read_list(TRACE_GET_PROVIDERS), "one two",
		"providers are listed");
	kit_say(two.fd, TRACE_REGISTER_CATEGORY, 0, 0, 0, "io\0disk", 7, -1);
	kit_say(two.fd, TRACE_REGISTER_CATEGORY, 0, 0, 0, "net\0", 4, -1);
	kit_run(&kit);
	tap_str(read_list(TRACE_GET_CATEGORIES),
		"io=disk net=", "categories are listed with what they mean");
	close(one.fd);
	one.fd = -1;
	kit_run(&kit);
	tap_str(read_list(TRACE_GET_PROVIDERS), "two",
		"a provider that went is not listed");
	kit_leave(&one);
	kit_leave(&two);
	kit_close(&kit);
}

int main(void)
{
	tap_run(test_refusals, test_slow_client, test_deaf_client, test_lists);
	return tap_done();
}
