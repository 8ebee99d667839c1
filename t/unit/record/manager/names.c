/* Names of providers, and of alerts, that hold control characters of any kind. */
#include "kit/trace/manager.h"

static struct kit kit;

static void register_as(const char *name)
{
	int fd;

	kit_open(&kit, 60000, 0);
	fd = kit_connect(&kit);
	kit_say(fd, TRACE_REGISTER, 0, 1, 0, name, strlen(name), -1);
	kit_run(&kit);
	close(fd);
}

/* SPEC: provider.register.name */
static void test_names(void)
{
	static const struct {
		const char *name, *what;
		int is_taken;
	} names[] = {
		{ "a\x7f", "DEL is no text", 0 },
		{ "~", "the last of ASCII is", 1 },
		{ "a\xc2\x80", "U+0080 is no text", 0 },
		{ "a\xc2\x9f", "U+009F is no text", 0 },
		{ "\xc2\xa0", "U+00A0 is", 1 },
		{ "\xc3\x80", "U+00C0 is", 1 },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		register_as(names[i].name);
		tap_int(strstr(kit.reason, "register.name") == NULL,
			names[i].is_taken, names[i].what);
		kit_close(&kit);
	}
}

static const char *rename_to(unsigned data16, const char *name, size_t len)
{
	struct kit_provider provider;

	kit_open(&kit, 60000, 0);
	kit_register(&kit, &provider, "first");
	kit_say(provider.fd, TRACE_RENAME, data16, 0, 0, name, len, -1);
	kit_run(&kit);
	close(provider.fd);
	kit_close(&kit);
	return kit.reason;
}

/* SPEC: provider.rename.name */
static void test_new_names(void)
{
	tap_str(rename_to(0, "second", 6), "", "a provider may be renamed");
	tap_ok(strstr(rename_to(0, "", 0), "rename.name") != NULL,
	       "but not to nothing");
	tap_ok(strstr(rename_to(1, "x", 1), "message.zero") != NULL,
	       "nor with other fields set");
}

/* Returns why a provider that sends this alert is dropped, or "". */
static const char *alert_with(const char *name)
{
	struct kit_provider provider;
	trace_provider_packet_t packet = { .request = TRACE_PROVIDER_ALERT };

	memcpy((char *)&packet + 2, name, strlen(name));
	kit_open(&kit, 60000, 0);
	kit_register(&kit, &provider, "p");
	kit_initialize(&kit, 0, KIT_SIZE, NULL, 0);
	kit_ask(&kit, TRACE_START_TRACING, 0);
	kit_follow(&kit, &provider);
	tr2_message_send(provider.fd, &packet, NULL, 0, -1);
	kit_run(&kit);
	kit_leave(&provider);
	kit_close(&kit);
	return kit.reason;
}

/* SPEC: provider.alert.text */
static void test_alerts(void)
{
	static const struct {
		const char *name, *what;
		int is_taken;
	} alerts[] = {
		{ "a~", "an alert may have all of ASCII that is text", 1 },
		{ "a\x7f", "but not DEL", 0 },
		{ "\x1f", "nor what comes before a blank", 0 },
		{ "a\xc2\x80", "nor U+0080", 0 },
		{ "\xc2\x9f"
		  "a",
		  "nor U+009F", 0 },
		{ "\xc2\xa0", "an alert may have U+00A0", 1 },
		{ "\xe4\xb8\x80", "and characters of three bytes", 1 },
		{ "twelve bytes\xe4\xb8", "and one that is cut at its end", 1 },
		{ "\xff\xff"
		  "a\xc2",
		  "and bytes that are no character", 1 },
		{ "\xe4\xb8"
		  "a\x7f",
		  "but no DEL after them", 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(alerts) / sizeof(*alerts); i++)
		tap_int(strstr(alert_with(alerts[i].name), "alert.text") ==
				NULL,
			alerts[i].is_taken, alerts[i].what);
}

int main(void)
{
	tap_run(test_names, test_new_names, test_alerts);
	return tap_done();
}
