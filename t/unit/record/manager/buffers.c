/* The buffers of a tracing: those that can't be made, starts, and stops. */
#define _GNU_SOURCE
#include "kit/limits.h"
#include "kit/trace/manager.h"

static struct kit kit;
static struct kit_provider one, two;

/*
 * ---- No buffer
 */

static void end_without_buffer(const char *why)
{
	kit_ask(&kit, TRACE_START_TRACING, 0);
	tap_int(kit.done, 0, kit_text("others may be traced: ", why));
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
	tap_int(kit.done, 0, kit_text("the tracing ends: ", why));
	tap_ok(strstr(kit.results[0].wrong, why) != NULL,
	       kit_text("a provider without a buffer has a result: ", why));
	tap_str(kit.results[0].name, "one", kit_text("with its name: ", why));
	tap_int(kit_hear(one.fd), 0, kit_text("it is told nothing: ", why));
	kit_leave(&one);
	kit_close(&kit);
}

static void test_no_descriptor(void)
{
	int next;

	kit_open(&kit, 60000, 0);
	kit_initialize(&kit, 0, KIT_SIZE, NULL, 0);
	kit_come(&kit, &one, "one");
	next = dup(1);
	close(next);
	limit_files((rlim_t)next);
	kit_run(&kit);
	limit_files(0);
	kit_arrive(&one);
	end_without_buffer("ulimit -n");
}

/*
 * ---- Starts
 */

/* One part was saved, with 32 bytes that stay, and the tracing is stopped. */
static void begin_anew(void)
{
	kit_open(&kit, 60000, 0);
	kit_register(&kit, &one, "one");
	kit_initialize(&kit, TRACE_BUFFERING_MODE_STREAMING, KIT_SIZE, NULL, 0);
	kit_ask(&kit, TRACE_START_TRACING, 0);
	kit_follow(&kit, &one);
	memcpy(one.durable, one.buffer + 16, 16);
	one.durable += 2;
	kit_event(&one, "a");
	kit_save(&kit, &one, 0);
	kit_hear(one.fd);
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_follow(&kit, &one);
}

static void leave_anew(void)
{
	kit_leave(&one);
	kit_close(&kit);
}

/* Returns why a part can't be saved after a start in this mode, or "". */
static const char *save_after(unsigned start_mode, uint32_t wrapped,
			      uint64_t durable)
{
	begin_anew();
	kit_ask(&kit, TRACE_START_TRACING, start_mode);
	if (kit_hear(one.fd) != TRACE_START)
		strcpy(kit.reason, "no start");
	kit_say(one.fd, TRACE_PROVIDER_STARTED, 0, 1, 0, NULL, 0, -1);
	kit_run(&kit);
	kit_wrap(&one, wrapped);
	kit_event(&one, "b");
	kit_wrap(&one, wrapped + 1);
	kit_say(one.fd, TRACE_PROVIDER_SAVE_BUFFER, 0, wrapped, durable, NULL,
		0, -1);
	kit_run(&kit);
	if (!*kit.reason && kit_hear(one.fd) != TRACE_PROVIDER_BUFFER_SAVED)
		strcpy(kit.reason, "no answer");
	leave_anew();
	return kit.reason;
}

static int has_id(const char *reason, const char *id)
{
	return strstr(reason, id) == reason;
}

static void test_starts(void)
{
	tap_str(save_after(TRACE_START_RETAIN_BUFFER, 1, 32), "",
		"a buffer that is kept goes on with its next part");
	tap_ok(has_id(save_after(TRACE_START_RETAIN_BUFFER, 0, 32),
		      "provider.save.order"),
	       "and not with its first one");
	tap_str(save_after(TRACE_START_CLEAR_NONDURABLE_BUFFER, 0, 32), "",
		"parts that are cleared are counted from 0");
	tap_ok(has_id(save_after(TRACE_START_CLEAR_NONDURABLE_BUFFER, 0, 16),
		      "provider.save.durable"),
	       "what stays with them does not become less");
	tap_str(save_after(TRACE_START_CLEAR_ENTIRE_BUFFER, 0, 16), "",
		"unless all of the buffer is cleared");
}

static void test_turns(void)
{
	begin_anew();
	tap_int(kit_ask(&kit, TRACE_STOP_TRACING, 0), EINVAL,
		"a tracing is not stopped twice");
	kit_ask(&kit, TRACE_START_TRACING, 0);
	tap_int(kit_ask(&kit, TRACE_START_TRACING, 0), EINVAL,
		"nor started while it starts");
	tap_int(kit_ask(&kit, TRACE_TERMINATE_TRACING, 0), EINVAL, "nor ended");
	tap_int(kit_ask(&kit, TRACE_STOP_TRACING, 0), EINVAL,
		"nor stopped before that");
	kit_follow(&kit, &one);
	tap_int(kit_ask(&kit, TRACE_TERMINATE_TRACING, 0), EINVAL,
		"a tracing that runs is stopped before it ends");
	tap_int(kit_ask(&kit, TRACE_START_TRACING, 0), EINVAL,
		"and not started again before");
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	tap_int(kit_ask(&kit, TRACE_TERMINATE_TRACING, 0), EINVAL,
		"all have to stop before the end");
	kit_follow(&kit, &one);
	tap_int(kit_ask(&kit, TRACE_START_TRACING,
			TRACE_START_RETAIN_BUFFER + 1),
		EINVAL, "the last way to start is to keep the buffer");
	tap_int(kit_ask(&kit, TRACE_TERMINATE_TRACING, 0), 0,
		"a tracing that has stopped may end");
	leave_anew();
	kit_open(&kit, 60000, 0);
	kit_initialize(&kit, 0, KIT_SIZE, NULL, 0);
	tap_int(kit_ask(&kit, TRACE_TERMINATE_TRACING, 0), 0,
		"so may one that never started");
	kit_close(&kit);
}

/* It is told to stop before it has started. */
static void begin_late(void)
{
	kit_open(&kit, 60000, 0);
	kit_register(&kit, &one, "one");
	kit_initialize(&kit, 0, KIT_SIZE, NULL, 0);
	kit_ask(&kit, TRACE_START_TRACING, 0);
	kit_follow(&kit, &one);
	kit_register(&kit, &two, "late");
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_follow(&kit, &one);
}

static void leave_late(void)
{
	kit_leave(&one);
	kit_leave(&two);
	kit_close(&kit);
}

static void test_early_stop(void)
{
	begin_late();
	kit_hear(two.fd);
	kit_map(&two);
	kit_format(&two);
	tap_int(kit_hear(two.fd), TRACE_START, "a late provider is to start");
	tap_int(kit_hear(two.fd), TRACE_STOP, "and to stop");
	kit_say(two.fd, TRACE_PROVIDER_STARTED, 0, 1, 0, NULL, 0, -1);
	kit_run(&kit);
	tap_ok(kit.done < 0 && !*kit.reason, "it may start after that,");
	kit_event(&two, "late");
	kit_say(two.fd, TRACE_PROVIDER_STOPPED, 0, 0, 0, NULL, 0, -1);
	kit_run(&kit);
	tap_int(kit.done, 0, "until it has stopped");
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
	tap_str(kit_events(&kit), "late", "what it wrote meanwhile counts");
	leave_late();
	begin_late();
	kit_say(two.fd, TRACE_PROVIDER_STOPPED, 0, 0, 0, NULL, 0, -1);
	kit_run(&kit);
	tap_ok(has_id(kit.reason, "provider.packet.turn"),
	       "it can't stop before it has started");
	leave_late();
	begin_late();
	kit_say(two.fd, TRACE_PROVIDER_STARTED, 0, 1, 0, NULL, 0, -1);
	kit_say(two.fd, TRACE_PROVIDER_STARTED, 0, 1, 0, NULL, 0, -1);
	kit_run(&kit);
	tap_ok(has_id(kit.reason, "provider.packet.turn"),
	       "nor start twice meanwhile");
	leave_late();
}

/*
 * ---- Fields
 */

static void test_fields(void)
{
	static const struct {
		unsigned request, data16;
		uint32_t data32;
		uint64_t data64;
		const char *what;
	} rows[] = {
		{ TRACE_PROVIDER_STARTED, 1, 1, 0, "16 bits of STARTED" },
		{ TRACE_PROVIDER_STARTED, 0, 1, 1, "64 bits of STARTED" },
		{ TRACE_PROVIDER_STOPPED, 1, 0, 0, "16 bits of STOPPED" },
		{ TRACE_PROVIDER_STOPPED, 0, 0, 1, "64 bits of STOPPED" },
		{ TRACE_PROVIDER_SAVE_BUFFER, 1, 0, 16, "SAVE_BUFFER" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		kit_open(&kit, 60000, 0);
		kit_register(&kit, &one, "one");
		kit_initialize(&kit, TRACE_BUFFERING_MODE_STREAMING, KIT_SIZE,
			       NULL, 0);
		kit_ask(&kit, TRACE_START_TRACING, 0);
		kit_say(one.fd, rows[i].request, rows[i].data16, rows[i].data32,
			rows[i].data64, NULL, 0, -1);
		kit_run(&kit);
		tap_ok(has_id(kit.reason, "provider.packet.zero"),
		       kit_text("a field is zero: ", rows[i].what));
		kit_leave(&one);
		kit_close(&kit);
	}
}

int main(void)
{
	tap_run(test_starts, test_turns, test_early_stop, test_fields);
	/* valgrind has a limit of descriptors of its own. */
	if (!getenv("TEST_UNDER_VALGRIND"))
		test_no_descriptor();
	return tap_done();
}
