/* What clients get of providers that do as they should, or die. */
#define _GNU_SOURCE
#include "kit/trace/manager.h"

static struct kit kit;
static struct kit_provider one, two;
static struct kit_reading reading;

/* Tracing runs, with both providers in it. */
static void begin_trace(unsigned mode)
{
	kit_open(&kit, 60000, 0);
	kit_register(&kit, &one, "one");
	kit_register(&kit, &two, "two");
	kit_initialize(&kit, mode, KIT_SIZE, NULL, 0);
	kit_ask(&kit, TRACE_START_TRACING, 0);
	kit_follow(&kit, &one);
	kit_follow(&kit, &two);
}

static void end_trace(void)
{
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_follow(&kit, &one);
	kit_follow(&kit, &two);
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
	kit_run(&kit);
}

static void leave_trace(void)
{
	kit_leave(&one);
	kit_leave(&two);
	kit_close(&kit);
}

/* The thread that was about to store the count was killed before that. */
static void test_circular_count(void)
{
	begin_trace(TRACE_BUFFERING_MODE_CIRCULAR);
	kit_wrap(&one, 1);
	kit_event(&one, "older");
	kit_wrap(&one, 2);
	kit_event(&one, "newer");
	kit_header(&one)->wrapped_count = 1;
	end_trace();
	tap_str(kit_events(&kit), "older newer",
		"circular: chunks tell what is older, not the header");
	leave_trace();
}

static void test_streaming(void)
{
	begin_trace(TRACE_BUFFERING_MODE_STREAMING);
	kit_event(&one, "a");
	kit_save(&kit, &one, 0);
	tap_str(kit_events(&kit), "a", "streaming: a full part is delivered");
	tap_int(kit_hear(one.fd), TRACE_PROVIDER_BUFFER_SAVED,
		"streaming: a full part is acknowledged");
	tap_int(kit_message.packet.data32, 0, "with its count");
	kit_event(&two, "b");
	kit_save(&kit, &two, 0);
	kit_event(&one, "c");
	kit_save(&kit, &one, 1);
	tap_int((intmax_t)(kit_hear(one.fd) ? kit_message.packet.data32 : 0), 1,
		"streaming: the next part is acknowledged too");
	kit_event(&one, "d");
	end_trace();
	tap_str(kit_events(&kit), "a b c d",
		"streaming: nothing is delivered twice");
	kit_read(&kit, &reading);
	tap_int(reading.sections, 1,
		"a provider that comes back has a section");
	leave_trace();
}

static void test_not_streaming(void)
{
	begin_trace(TRACE_BUFFERING_MODE_CIRCULAR);
	kit_event(&one, "a");
	kit_say(one.fd, TRACE_PROVIDER_SAVE_BUFFER, 0, 9, 9, NULL, 0, -1);
	kit_run(&kit);
	tap_int(kit_hear(one.fd), 0, "SAVE_BUFFER while circular: no answer");
	end_trace();
	tap_str(kit_events(&kit), "a", "SAVE_BUFFER while circular: no harm");
	leave_trace();
}

static void test_death(unsigned mode, const char *name)
{
	begin_trace(mode);
	kit_event(&one, "first");
	kit_event(&one, "last");
	kit_event(&two, "other");
	close(one.fd);
	one.fd = -1;
	kit_run(&kit);
	tap_str(kit_events(&kit), "first last",
		kit_text("a dead provider's events arrive at once: ", name));
	end_trace();
	tap_str(kit_events(&kit), "first last other",
		kit_text("a death harms no other: ", name));
	tap_str(kit.results[0].wrong, "",
		kit_text("to die is nothing wrong: ", name));
	leave_trace();
}

/* Its buffer is gone when its turn to be saved comes. */
static void test_unread_save(void)
{
	begin_trace(TRACE_BUFFERING_MODE_STREAMING);
	kit_event(&one, "a");
	kit_wrap(&one, 1);
	kit_say(one.fd, TRACE_PROVIDER_SAVE_BUFFER, 0, 0, 16, NULL, 0, -1);
	kit_say(one.fd, TRACE_PROVIDER_STARTED, 0, 9, 0, NULL, 0, -1);
	kit_run(&kit);
	kit_event(&two, "b");
	end_trace();
	tap_str(kit_events(&kit), "b",
		"what can't be trusted is not saved, and harms no other");
	leave_trace();
}

static void test_bad_header(void)
{
	begin_trace(TRACE_BUFFERING_MODE_CIRCULAR);
	kit_event(&one, "a");
	kit_header(&one)->rolling_buffer_size += 8;
	kit_event(&two, "x");
	end_trace();
	tap_str(kit_events(&kit), "x", "a bad header: nothing of that buffer");
	tap_ok(!strncmp(kit.results[0].wrong, "provider.buffer.header:", 23),
	       "a bad header at the end is told in the result");
	leave_trace();
}

static void test_late(void)
{
	struct kit_provider late;

	begin_trace(TRACE_BUFFERING_MODE_ONESHOT);
	kit_register(&kit, &late, "late");
	kit_follow(&kit, &late);
	kit_event(&late, "late");
	kit_event(&one, "early");
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_follow(&kit, &late);
	kit_follow(&kit, &one);
	kit_follow(&kit, &two);
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
	tap_str(kit_events(&kit), "early late",
		"a provider that comes while tracing runs joins");
	kit_leave(&late);
	leave_trace();
}

static void test_two_clients(void)
{
	struct kit other;
	int ends[2];

	begin_trace(TRACE_BUFFERING_MODE_ONESHOT);
	other = kit;
	other.client = kit_connect(&kit);
	other.archive = -1;
	tap_int(kit_initialize(&other, 0, KIT_SIZE, NULL, 0), EBUSY,
		"a second client may not trace meanwhile");
	tap_int(kit_ask(&other, TRACE_STOP_TRACING, 0), EINVAL,
		"a second client can't stop the first one's tracing");
	kit_event(&one, "a");
	close(kit.client);
	kit.client = -1;
	kit_run(&kit);
	tap_int(kit_hear(one.fd), TRACE_TERMINATE,
		"a client that goes ends its tracing");
	kit_say(one.fd, TRACE_PROVIDER_STOPPED, 0, 0, 0, NULL, 0, -1);
	kit_say(one.fd, TRACE_TERMINATED, 0, 0, 0, NULL, 0, -1);
	tap_int(kit_initialize(&other, 0, KIT_SIZE, NULL, 0), 0,
		"another client may trace then");
	tap_int(kit_hear(one.fd), TRACE_INITIALIZE,
		"a packet of the tracing that is over does no harm");
	tap_ok(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends) &&
		       kit_hear(two.fd) == TRACE_TERMINATE && !kit_hear(two.fd),
	       "who did not let go of its buffer yet is not asked");
	close(ends[0]);
	close(ends[1]);
	close(other.client);
	close(other.archive);
	leave_trace();
}

int main(void)
{
	tap_run(test_circular_count, test_streaming, test_not_streaming);
	test_death(TRACE_BUFFERING_MODE_ONESHOT, "oneshot");
	test_death(TRACE_BUFFERING_MODE_CIRCULAR, "circular");
	test_death(TRACE_BUFFERING_MODE_STREAMING, "streaming");
	tap_run(test_unread_save, test_bad_header, test_late, test_two_clients);
	return tap_done();
}
