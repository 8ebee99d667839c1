/*
 * desk_kit.h - a trace manager made by hand, for recordings that fail: the
 * test hears what a recorder asks, answers or not, and has the other end of
 * the archive.
 */
#ifndef UNIT_RECORD_DESK_KIT_H
#define UNIT_RECORD_DESK_KIT_H

#include <sys/socket.h>
#include <sys/un.h>

#include "record/record_kit.h"
#include "trace/engine.h"
#include "trace/engine/fxt.h"
#include "trace/provider/message.h"

static struct {
	int listener; /* at `m` */
	int client;   /* the recorder */
	int archive;  /* or -1 */
	struct tr2_message message;
} desk;

static inline void open_desk(void)
{
	struct sockaddr_un address = { AF_UNIX, "m" };

	desk.listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	tap_need(!bind(desk.listener, (struct sockaddr *)&address,
		       sizeof(address)) &&
		 !listen(desk.listener, 1));
}

static inline void close_desk(void)
{
	close(desk.listener);
	unlink("m");
}

/* Wait for a recorder, which has connected. */
static inline void await_client(void)
{
	desk.client = accept4(desk.listener, NULL, NULL, SOCK_CLOEXEC);
	desk.archive = -1;
}

/* Returns its next request, 0 if it has gone. */
static inline int await_request(void)
{
	int got;

	while ((got = tr2_message_receive(desk.client, &desk.message)) < 0)
		take_nap();
	if (!got)
		return 0;
	if (desk.message.fd >= 0)
		desk.archive = desk.message.fd;
	return desk.message.packet.request;
}

static inline void answer_client(int error)
{
	const trace_provider_packet_t packet = { .request = TRACE_DONE,
						 .data16 = (uint16_t)error };

	tr2_message_send(desk.client, &packet, NULL, 0, -1);
}

/* Wait for the end of tracing: a stop, which is granted, comes first. */
static inline int await_end(void)
{
	int request = await_request();

	if (request != TRACE_STOP_TRACING)
		return request;
	answer_client(0);
	return await_request();
}

/* Its requests are granted until it traces. */
static inline void grant_tracing(void)
{
	await_client();
	tap_need(await_request() == TRACE_INITIALIZE_TRACING);
	answer_client(0);
	tap_need(await_request() == TRACE_START_TRACING);
	answer_client(0);
}

static inline void put_archive(const void *bytes, size_t len)
{
	tap_need(write(desk.archive, bytes, len) == (ssize_t)len);
}

/*
 * Put `count` records of one word; the first is the magic number. The recorder
 * has read the answer before the last one is in the file.
 */
static inline void put_words(const char *partial, long count)
{
	static const uint64_t words[] = { FXT_MAGIC, (uint64_t)1 << 4 };
	long i;

	for (i = 0; i < count; i++) {
		put_archive(&words[i > 0], sizeof(*words));
		while (find_size(partial) < (i + 1) * (long)sizeof(*words))
			take_nap();
	}
}

/* What came of a program that is named so; `wrong` may be "". */
static inline void tell_result(const char *name, uint32_t pid, uint64_t events,
			       const char *wrong)
{
	const trace_provider_packet_t packet = { .request = TRACE_RESULT_IS,
						 .data32 = 1 };
	const struct tr2_result_counts counts = { pid, events, 16 };
	char text[512];

	memcpy(text, &counts, sizeof(counts));
	snprintf(text + sizeof(counts), sizeof(text) - sizeof(counts), "%s%c%s",
		 name, '\0', wrong);
	tr2_message_send(desk.client, &packet, text,
			 sizeof(counts) + strlen(name) + 1 + strlen(wrong), -1);
}

static inline void send_alert(const char *text)
{
	const trace_provider_packet_t packet = { .request = TRACE_ALERT_IS,
						 .data32 = 3 };

	tr2_message_send(desk.client, &packet, text, strlen(text), -1);
}

static inline void end_archive(void)
{
	if (desk.archive >= 0)
		close(desk.archive);
	desk.archive = -1;
}

static inline void hang_up(void)
{
	end_archive();
	close(desk.client);
}

#endif
