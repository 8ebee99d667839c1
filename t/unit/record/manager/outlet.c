#define _GNU_SOURCE
/*
 * An archive's way to its client, who may be slow or gone. Names of providers,
 * and of alerts, that hold control characters of any kind.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kit/tap.h"
#include "kit/trace/manager.h"
#include "record/manager/manager_part.h"

/*
 * ---- Outlet
 */

#define MUCH ((size_t)1 << 20)

static struct tr2_outlet outlet;
static int client;
static unsigned char sent[MUCH], got[MUCH];
static size_t got_len;

static void open_outlet(void)
{
	int ends[2];

	tap_need(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
	memset(&outlet, 0, sizeof(outlet));
	outlet.fd = ends[0];
	client = ends[1];
	got_len = 0;
}

static void close_all(void)
{
	tr2_outlet_close(&outlet);
	if (client >= 0)
		close(client);
}

/* The client reads at most so many bytes. */
static void read_bytes(size_t most)
{
	ssize_t len;

	if (most > MUCH - got_len)
		most = MUCH - got_len;
	len = recv(client, got + got_len, most, MSG_DONTWAIT);
	got_len += len > 0 ? (size_t)len : 0;
}

/* Bytes are put in pieces of many sizes, and the client reads them in others. */
static void test_slow(void)
{
	size_t put = 0, piece = 1, i, most = 0;
	int failed = 0;

	for (i = 0; i < MUCH; i++)
		sent[i] = (unsigned char)(i * 31 + i / 256);
	open_outlet();
	while (got_len < MUCH) {
		piece = piece * 5 % 40961 + 1;
		if (piece > MUCH - put)
			piece = MUCH - put;
		failed |= tr2_outlet_put(&outlet, sent + put, piece);
		put += piece;
		failed |= tr2_outlet_flush(&outlet);
		if (tr2_outlet_waiting(&outlet) > most)
			most = tr2_outlet_waiting(&outlet);
		read_bytes(put < MUCH ? piece / 2 : MUCH);
	}
	tap_int(failed, 0, "a client that is slow is no failure");
	tap_ok(most > 0, "what it does not take waits");
	tap_ok(!memcmp(sent, got, MUCH), "every byte comes once, in its order");
	close_all();
}

/* The client reads a little less than there is, again and again. */
static void test_steady(void)
{
	const size_t piece = 4096;
	size_t i, pieces = 200;

	open_outlet();
	tr2_outlet_put(&outlet, sent, piece);
	for (i = 1; i <= pieces; i++) {
		outlet.start += piece / 2;
		tr2_outlet_put(&outlet, sent + i * piece, piece / 2);
	}
	tap_int((intmax_t)tr2_outlet_waiting(&outlet), (intmax_t)piece,
		"what is sent does not wait any more");
	tap_ok(outlet.buf.room <= 8 * piece,
	       "its memory is used for what comes");
	tap_ok(!memcmp(outlet.buf.bytes + outlet.buf.len - piece / 2,
		       sent + pieces * piece, piece / 2),
	       "the last bytes stand at the end");
	close_all();
}

static void test_closed(void)
{
	const struct tr2_outlet none = { .fd = -1 };
	int fd;

	open_outlet();
	fd = outlet.fd;
	tr2_outlet_put(&outlet, "abc", 3);
	tr2_outlet_close(&outlet);
	tap_ok(fcntl(fd, F_GETFD) < 0, "a closed outlet has no descriptor");
	tap_ok(!memcmp(&outlet, &none, sizeof(none)),
	       "a closed outlet keeps nothing of its bytes");
	tap_int(tr2_outlet_put(&outlet, "x", 1), -1, "it takes no bytes");
	tap_int((intmax_t)tr2_outlet_waiting(&outlet), 0, "and none wait");
	tr2_outlet_close(&outlet);
	tap_int(outlet.fd, -1, "it may be closed once more");
	close_all();
}

/*
 * ---- Names
 */

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
	tap_run(test_slow, test_steady, test_closed, test_names, test_new_names,
		test_alerts);
	return tap_done();
}
