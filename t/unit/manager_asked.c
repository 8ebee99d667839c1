/* What clients may not ask for, and what they get without any tracing. */
#define _GNU_SOURCE
#include "manager_kit.h"

static struct kit kit;
static struct kit_provider one, two;

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

/* Names of those that are listed, with blanks between. */
static const char *listed(unsigned request)
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
	tap_str(listed(TRACE_GET_PROVIDERS), "one two", "providers are listed");
	kit_say(two.fd, TRACE_REGISTER_CATEGORY, 0, 0, 0, "io\0disk", 7, -1);
	kit_say(two.fd, TRACE_REGISTER_CATEGORY, 0, 0, 0, "net\0", 4, -1);
	kit_run(&kit);
	tap_str(listed(TRACE_GET_CATEGORIES),
		"io=disk net=", "categories are listed with what they mean");
	close(one.fd);
	one.fd = -1;
	kit_run(&kit);
	tap_str(listed(TRACE_GET_PROVIDERS), "two",
		"a provider that went is not listed");
	kit_leave(&one);
	kit_leave(&two);
	kit_close(&kit);
}

int main(void)
{
	test_refusals();
	test_lists();
	return tap_done();
}
