/*
 * Providers that break a rule are dropped under its id, and alone.
 * t/documents/req/evidence.py reads the rows of this file.
 */
#define _GNU_SOURCE
#include "kit/trace/manager.h"

static struct kit kit;
static struct kit_provider good, bad;

static void say_words(unsigned request, unsigned data16, uint32_t data32,
		      uint64_t data64)
{
	kit_say(bad.fd, request, data16, data32, data64, NULL, 0, -1);
}

static void say_text(unsigned request, uint32_t data32, const char *text,
		     size_t len)
{
	kit_say(bad.fd, request, 0, data32, 0, text, len, -1);
}

/* A connection that has sent nothing yet. */
static void start_anew(void)
{
	close(bad.fd);
	kit_run(&kit);
	bad.fd = kit_connect(&kit);
}

static void short_message(void)
{
	send(bad.fd, "8 bytes.", 8, MSG_NOSIGNAL);
}

static void long_message(void)
{
	static char
		bytes[sizeof(trace_provider_packet_t) + TRACE_PAYLOAD_MAX + 1];

	send(bad.fd, bytes, sizeof(bytes), MSG_NOSIGNAL);
}

static void payload_behind_packet(void)
{
	say_text(TRACE_PROVIDER_ALERT, 0, "x", 1);
}

static void payload_behind_terminated(void)
{
	say_text(TRACE_TERMINATED, 0, "x", 1);
}

static void unknown_request(void)
{
	say_words(0x777, 0, 0, 0);
}

static void request_zero(void)
{
	say_words(0, 0, 0, 0);
}

static void clients_request(void)
{
	say_words(TRACE_STOP_TRACING, 0, 0, 0);
}

static void managers_request(void)
{
	say_words(TRACE_PROVIDER_BUFFER_SAVED, 0, 0, 0);
}

static void terminated_says_more(void)
{
	say_words(TRACE_TERMINATED, 0, 0, 1);
}

static void register_says_more(void)
{
	start_anew();
	kit_say(bad.fd, TRACE_REGISTER, 0, 1, 5, "name", 4, -1);
}

static void brings_descriptor(void)
{
	kit_say(bad.fd, TRACE_PROVIDER_STOPPED, 0, 0, 0, NULL, 0, bad.fd);
}

/* Each SAVE_BUFFER is in order, and each answer stays where it is. */
static void never_reads(void)
{
	uint32_t wrapped;

	for (wrapped = 0; wrapped < 5000 && !*kit.reason; wrapped++) {
		say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, wrapped, 16);
		kit_run(&kit);
	}
}

static void packet_first(void)
{
	start_anew();
	say_words(TRACE_PROVIDER_STARTED, 0, 1, 0);
}

static void category_first(void)
{
	start_anew();
	say_text(TRACE_REGISTER_CATEGORY, 0, "a\0b", 3);
}

static void registers_twice(void)
{
	say_text(TRACE_REGISTER, 1, "again", 5);
}

static void other_version(void)
{
	start_anew();
	say_text(TRACE_REGISTER, 2, "name", 4);
}

static void no_name(void)
{
	start_anew();
	say_text(TRACE_REGISTER, 1, "", 0);
}

static void long_name(void)
{
	static char name[256];

	start_anew();
	memset(name, 'n', sizeof(name));
	say_text(TRACE_REGISTER, 1, name, sizeof(name));
}

static void control_in_name(void)
{
	start_anew();
	say_text(TRACE_REGISTER, 1, "na\nme", 5);
}

static void name_not_utf8(void)
{
	start_anew();
	say_text(TRACE_REGISTER, 1, "na\xc3", 3);
}

static void new_name_not_utf8(void)
{
	say_text(TRACE_RENAME, 0, "\xff", 1);
}

static void category_without_name(void)
{
	say_text(TRACE_REGISTER_CATEGORY, 0, "\0text", 5);
}

static void category_without_zero(void)
{
	say_text(TRACE_REGISTER_CATEGORY, 0, "name", 4);
}

static void category_with_zeros(void)
{
	say_text(TRACE_REGISTER_CATEGORY, 0, "name\0a\0b", 8);
}

static void terminated_unasked(void)
{
	say_words(TRACE_TERMINATED, 0, 0, 0);
}

static void stopped_says_more(void)
{
	say_words(TRACE_PROVIDER_STOPPED, 0, 1, 0);
}

static void save_says_more(void)
{
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 1, 0, 16);
}

static void packet_without_tracing(void)
{
	struct kit_provider late;

	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_follow(&kit, &good);
	kit_follow(&kit, &bad);
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
	kit_register(&kit, &late, "late");
	kit_say(late.fd, TRACE_PROVIDER_STARTED, 0, 1, 0, NULL, 0, -1);
	kit_run(&kit);
	close(bad.fd);
	bad.fd = late.fd;
}

static void stopped_unasked(void)
{
	say_words(TRACE_PROVIDER_STOPPED, 0, 0, 0);
}

static void started_twice(void)
{
	say_words(TRACE_PROVIDER_STARTED, 0, 1, 0);
}

static void saves_after_stop(void)
{
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_follow(&kit, &good);
	kit_follow(&kit, &bad);
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 0, 16);
}

static void started_other_version(void)
{
	say_words(TRACE_PROVIDER_STARTED, 0, 9, 0);
}

static void never_stops(void)
{
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_follow(&kit, &good);
	while (!*kit.reason)
		tr2_manager_step(kit.manager, -1, 1000);
}

static void alert_without_name(void)
{
	say_words(TRACE_PROVIDER_ALERT, 0, 0, 0);
}

static void alert_behind_zero(void)
{
	say_words(TRACE_PROVIDER_ALERT, 'a', 0, 'b');
}

static void alert_with_control(void)
{
	say_words(TRACE_PROVIDER_ALERT, '\n', 0, 0);
}

static void saves_second_first(void)
{
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 1, 16);
}

static void saves_twice(void)
{
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 0, 16);
	kit_run(&kit);
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 0, 16);
}

static void saves_without_answer(void)
{
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 0, 16);
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 1, 16);
}

static void durable_too_short(void)
{
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 0, 8);
}

static void durable_odd(void)
{
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 0, 17);
}

static void durable_too_long(void)
{
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 0,
		  bad.layout.durable_size + 8);
}

static void durable_shrinks(void)
{
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 0, 32);
	kit_run(&kit);
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 1, 24);
}

static void header_without_magic(void)
{
	kit_header(&bad)->magic = 1;
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 0, 16);
}

static void header_of_other_mode(void)
{
	kit_header(&bad)->buffering_mode = TRACE_BUFFERING_MODE_CIRCULAR;
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 0, 16);
}

static void header_of_more(void)
{
	kit_header(&bad)->total_size += 4096;
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 0, 16);
}

static void durable_record_too_long(void)
{
	*bad.durable = fxt_header(FXT_STRING, 100);
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 0, 32);
}

static void rolling_record_too_long(void)
{
	*bad.at = fxt_header(FXT_EVENT, 4095);
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 0, 16);
}

static void rolling_record_of_none(void)
{
	*bad.at = 1 << 16;
	say_words(TRACE_PROVIDER_SAVE_BUFFER, 0, 0, 16);
}

#define VIOLATION(id, how)    \
	{                     \
		id, #how, how \
	}

static const struct violation {
	const char *id;
	const char *how;
	void (*commit)(void);
} violations[] = {
	VIOLATION("provider.message.size", short_message),
	VIOLATION("provider.message.size", long_message),
	VIOLATION("provider.message.size", payload_behind_packet),
	VIOLATION("provider.message.size", payload_behind_terminated),
	VIOLATION("provider.message.request", unknown_request),
	VIOLATION("provider.message.request", request_zero),
	VIOLATION("provider.message.request", clients_request),
	VIOLATION("provider.message.request", managers_request),
	VIOLATION("provider.message.zero", terminated_says_more),
	VIOLATION("provider.message.zero", register_says_more),
	VIOLATION("provider.message.descriptor", brings_descriptor),
	VIOLATION("provider.message.read", never_reads),
	VIOLATION("provider.register.first", packet_first),
	VIOLATION("provider.register.first", category_first),
	VIOLATION("provider.register.once", registers_twice),
	VIOLATION("provider.register.version", other_version),
	VIOLATION("provider.register.name", no_name),
	VIOLATION("provider.register.name", long_name),
	VIOLATION("provider.register.name", control_in_name),
	VIOLATION("provider.register.name", name_not_utf8),
	VIOLATION("provider.rename.name", new_name_not_utf8),
	VIOLATION("provider.category.form", category_without_name),
	VIOLATION("provider.category.form", category_without_zero),
	VIOLATION("provider.category.form", category_with_zeros),
	VIOLATION("provider.terminated.asked", terminated_unasked),
	VIOLATION("provider.packet.zero", stopped_says_more),
	VIOLATION("provider.packet.zero", save_says_more),
	VIOLATION("provider.packet.tracing", packet_without_tracing),
	VIOLATION("provider.packet.turn", stopped_unasked),
	VIOLATION("provider.packet.turn", started_twice),
	VIOLATION("provider.packet.turn", saves_after_stop),
	VIOLATION("provider.started.version", started_other_version),
	VIOLATION("provider.answer.time", never_stops),
	VIOLATION("provider.alert.text", alert_without_name),
	VIOLATION("provider.alert.text", alert_behind_zero),
	VIOLATION("provider.alert.text", alert_with_control),
	VIOLATION("provider.save.order", saves_second_first),
	VIOLATION("provider.save.order", saves_twice),
	VIOLATION("provider.save.outstanding", saves_without_answer),
	VIOLATION("provider.save.durable", durable_too_short),
	VIOLATION("provider.save.durable", durable_odd),
	VIOLATION("provider.save.durable", durable_too_long),
	VIOLATION("provider.save.durable", durable_shrinks),
	VIOLATION("provider.buffer.header", header_without_magic),
	VIOLATION("provider.buffer.header", header_of_other_mode),
	VIOLATION("provider.buffer.header", header_of_more),
	VIOLATION("provider.buffer.records", durable_record_too_long),
	VIOLATION("provider.buffer.records", rolling_record_too_long),
	VIOLATION("provider.buffer.records", rolling_record_of_none),
};

#define VIOLATIONS (sizeof(violations) / sizeof(violations[0]))

static void end_tracing(void)
{
	kit_event(&good, "after");
	if (kit_ask(&kit, TRACE_STOP_TRACING, 0))
		kit_follow(&kit, &good);
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
}

/* Did the other one's events arrive, and nothing that is not well-formed? */
static int good_goes_on(void)
{
	struct kit_reading reading;
	int i, found = 0;

	end_tracing();
	kit_read(&kit, &reading);
	for (i = 0; i < reading.events; i++)
		found += reading.order[i] == good.id;
	if (reading.errors)
		printf("# %s\n", reading.first);
	return !reading.errors && found >= 1;
}

static void test_violation(const struct violation *violation)
{
	size_t len = strlen(violation->id);

	kit_open(&kit, violation->commit == never_stops ? 300 : 60000, 0);
	kit_register(&kit, &good, "good");
	kit_register(&kit, &bad, "bad");
	kit_initialize(&kit, TRACE_BUFFERING_MODE_STREAMING, KIT_SIZE, NULL, 0);
	kit_ask(&kit, TRACE_START_TRACING, 0);
	kit_follow(&kit, &good);
	kit_follow(&kit, &bad);
	kit_event(&good, "before");
	kit_event(&bad, "bad");
	violation->commit();
	kit_run(&kit);
	tap_ok(!strncmp(kit.reason, violation->id, len) &&
		       kit.reason[len] == ':' && kit_was_hung_up(bad.fd),
	       kit_text("dropped: ", kit_spoken(violation->how)));
	if (kit.reason[len] != ':')
		printf("# %s\n", kit.reason);
	tap_ok(good_goes_on(),
	       kit_text("dropped alone: ", kit_spoken(violation->how)));
	kit_leave(&good);
	kit_leave(&bad);
	kit_close(&kit);
}

int main(void)
{
	size_t i;

	for (i = 0; i < VIOLATIONS; i++)
		test_violation(&violations[i]);
	return tap_done();
}
