/*
 * manager.h - a trace manager in the same thread, with a client and
 * providers made by hand at the other ends of its sockets.
 */
#ifndef UNIT_KIT_TRACE_MANAGER_H
#define UNIT_KIT_TRACE_MANAGER_H

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "record/manager/manager.h"
#include "kit/tap.h"
#include "trace/engine.h"
#include "trace/engine/fxt.h"
#include "trace/provider/message.h"
#include "trace/reader.h"

#define KIT_SIZE ((uint64_t)65536)
#define KIT_NONCE 7u
#define KIT_ARCHIVE_MAX ((size_t)16 << 20)

struct kit_provider {
	int fd;
	uint32_t id;
	int mode;
	uint64_t size;
	uint64_t *buffer;
	struct trace_buffer_layout layout;
	uint64_t *at; /* the filler after the last record */
	uint64_t *chunk_end;
	uint64_t *durable;
};

struct kit_result {
	uint32_t id;
	uint64_t dropped;
	struct tr2_result_counts counts;
	char name[256];
	char wrong[256];
};

struct kit {
	struct tr2_manager *manager;
	char reason[256]; /* of the last one that was dropped */
	int client;
	int archive;
	char *bytes;
	size_t len;
	int done; /* the client's last answer, or -1 */
	int alerts;
	struct kit_result results[16];
	int count;
};

static struct tr2_message kit_message;

static inline void kit_dropped(void *context, const char *name, pid_t pid,
			       const char *wrong)
{
	struct kit *kit = context;

	(void)name;
	(void)pid;
	snprintf(kit->reason, sizeof(kit->reason), "%s", wrong);
}

static inline void kit_say(int fd, unsigned request, unsigned data16,
			   uint32_t data32, uint64_t data64,
			   const void *payload, size_t len, int passed)
{
	const trace_provider_packet_t packet = {
		.request = (uint16_t)request,
		.data16 = (uint16_t)data16,
		.data32 = data32,
		.data64 = data64,
	};

	tr2_message_send(fd, &packet, payload, len, passed);
}

/* Returns the next request; 0: there is none; -1: the connection has ended. */
static inline int kit_hear(int fd)
{
	int got = tr2_message_receive(fd, &kit_message);

	if (got > 0)
		return kit_message.packet.request;
	return got < 0 && errno == EAGAIN ? 0 : -1;
}

/* Has the manager closed the connection after its last message? */
static inline int kit_was_hung_up(int fd)
{
	int request;

	do
		request = kit_hear(fd);
	while (request > 0);
	return request < 0;
}

/*
 * Take what the archive's socket has, by pieces: valgrind looks at all the
 * room that a call is given.
 */
static inline void kit_drain(struct kit *kit)
{
	const size_t piece = 16384;
	size_t room;
	ssize_t got;

	if (kit->archive < 0)
		return;
	do {
		room = KIT_ARCHIVE_MAX - kit->len;
		got = recv(kit->archive, kit->bytes + kit->len,
			   room < piece ? room : piece, MSG_DONTWAIT);
		kit->len += got > 0 ? (size_t)got : 0;
	} while (got > 0);
}

static inline void kit_take_result(struct kit *kit)
{
	struct kit_result *result = &kit->results[kit->count++ & 15];
	const char *text = kit_message.payload + sizeof(result->counts);

	result->id = kit_message.packet.data32;
	result->dropped = kit_message.packet.data64;
	memcpy(&result->counts, kit_message.payload, sizeof(result->counts));
	snprintf(result->name, sizeof(result->name), "%.255s", text);
	snprintf(result->wrong, sizeof(result->wrong), "%.255s",
		 text + strlen(text) + 1);
}

static inline void kit_client_hears(struct kit *kit)
{
	int request;

	while (kit->client >= 0 && (request = kit_hear(kit->client)) > 0) {
		if (request == TRACE_DONE)
			kit->done = kit_message.packet.data16;
		else if (request == TRACE_RESULT_IS)
			kit_take_result(kit);
		else if (request == TRACE_ALERT_IS)
			kit->alerts++;
	}
}

/*
 * Counts how often something moved in the test's own world: the manager is
 * done when one of its steps moves nothing. The system itself can't tell.
 */
#ifdef KIT_WORLD
unsigned long kit_moves(void);
#else
static inline unsigned long kit_moves(void)
{
	static unsigned long moves;

	return ++moves;
}
#endif

/* Let the manager do what there is to do. */
static inline void kit_run(struct kit *kit)
{
	unsigned long before;
	int i = 0;

	do {
		before = kit_moves();
		tr2_manager_step(kit->manager, -1, 0);
		kit_drain(kit);
	} while (++i < 6 && kit_moves() != before);
	kit_client_hears(kit);
}

/* Our end of a new connection; the manager's is the lowest that is free. */
static inline int kit_connect(struct kit *kit)
{
	int ends[2];

	tap_need(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) &&
		 !tr2_manager_adopt(kit->manager, ends[0]));
	return ends[1];
}

static inline void kit_open(struct kit *kit, unsigned answer_ms,
			    size_t queue_bytes)
{
	const struct tr2_manager_options options = {
		.answer_ms = answer_ms,
		.queue_bytes = queue_bytes,
		.dropped = kit_dropped,
		.context = kit,
	};

	static char bytes[KIT_ARCHIVE_MAX];

	memset(kit, 0, sizeof(*kit));
	kit->manager = tr2_manager_new(&options);
	kit->bytes = bytes;
	kit->client = kit_connect(kit);
	kit->archive = -1;
	kit->done = -1;
}

static inline void kit_close(struct kit *kit)
{
	if (kit->manager)
		tr2_manager_free(kit->manager);
	if (kit->client >= 0)
		close(kit->client);
	if (kit->archive >= 0)
		close(kit->archive);
}

/*
 * Providers
 */

static inline void kit_come(struct kit *kit, struct kit_provider *provider,
			    const char *name)
{
	memset(provider, 0, sizeof(*provider));
	provider->fd = kit_connect(kit);
	kit_say(provider->fd, TRACE_REGISTER, 0, TRACE_MESSAGE_VERSION, 0, name,
		strlen(name), -1);
}

static inline void kit_arrive(struct kit_provider *provider)
{
	if (kit_hear(provider->fd) == TRACE_REGISTERED)
		provider->id = kit_message.packet.data32;
}

static inline void kit_register(struct kit *kit, struct kit_provider *provider,
				const char *name)
{
	kit_come(kit, provider, name);
	kit_run(kit);
	kit_arrive(provider);
}

/* Take the buffer out of the INITIALIZE that was heard. */
static inline void kit_map(struct kit_provider *provider)
{
	provider->mode = kit_message.packet.data16;
	provider->size = kit_message.packet.data64;
	provider->buffer = mmap(NULL, provider->size, PROT_READ | PROT_WRITE,
				MAP_SHARED, kit_message.fd, 0);
	close(kit_message.fd);
	trace_buffer_divide(provider->mode, provider->size, &provider->layout);
}

static inline struct trace_buffer_header *
kit_header(const struct kit_provider *provider)
{
	return (struct trace_buffer_header *)(void *)provider->buffer;
}

static inline void kit_put(struct kit_provider *provider, const uint64_t *words,
			   size_t count)
{
	memcpy(provider->at, words, count * sizeof(*words));
	provider->at += count;
	*provider->at =
		fxt_filler((size_t)(provider->chunk_end - provider->at));
}

/* Begin to write to the part of that pass. */
static inline void kit_wrap(struct kit_provider *provider, uint32_t wrapped)
{
	const struct trace_buffer_layout *layout = &provider->layout;
	size_t part = provider->mode ? wrapped & 1 : 0;
	uint64_t *chunk = provider->buffer + 16 + layout->durable_size / 8 +
			  part * (layout->rolling_size / 8);

	kit_header(provider)->wrapped_count = wrapped;
	provider->chunk_end = chunk + layout->chunk_size / 8;
	provider->at = chunk + 2;
	*provider->at =
		fxt_filler((size_t)(provider->chunk_end - provider->at));
	chunk[1] = (uint64_t)KIT_NONCE << 32 | wrapped;
	chunk[0] = fxt_filler(2);
}

/* A buffer with its header and an initialization record. */
static inline void kit_format(struct kit_provider *provider)
{
	const struct trace_buffer_layout *layout = &provider->layout;
	const uint64_t ticks[] = { fxt_initialization_header(), 1000000000 };
	struct trace_buffer_header *header = kit_header(provider);

	memset(provider->buffer, 0, provider->size);
	header->magic = TRACE_BUFFER_MAGIC;
	header->buffering_mode = (uint8_t)provider->mode;
	header->total_size = provider->size;
	header->durable_buffer_size = layout->durable_size;
	header->rolling_buffer_size = layout->rolling_size;
	header->chunk_size = (uint32_t)layout->chunk_size;
	header->nonce = KIT_NONCE;
	kit_wrap(provider, 0);
	provider->durable = provider->buffer + 16;
	if (!provider->mode) {
		kit_put(provider, ticks, 2);
		return;
	}
	memcpy(provider->durable, ticks, sizeof(ticks));
	provider->durable += 2;
}

/* An event of that name, at most 8 characters. */
static inline void kit_event(struct kit_provider *provider, const char *name)
{
	uint64_t words[5];
	struct fxt_text text = fxt_inline(name, strlen(name));

	words[0] = fxt_event_header(FXT_INSTANT, 5, 0, 0, 0, text.ref);
	words[1] = 1000;
	words[2] = provider->id;
	words[3] = provider->id;
	fxt_put_text(words + 4, text);
	kit_put(provider, words, 5);
}

/*
 * Tracing, step by step
 */

/* The client asks; its answer, or -1 if that does not come yet. */
static inline int kit_ask(struct kit *kit, unsigned request, unsigned data16)
{
	kit->done = -1;
	kit_say(kit->client, request, data16, 0, 0, NULL, 0, -1);
	kit_run(kit);
	return kit->done;
}

static inline int kit_initialize(struct kit *kit, unsigned mode, uint64_t size,
				 const char *categories, size_t len)
{
	int ends[2];

	tap_need(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
	if (kit->archive >= 0)
		close(kit->archive);
	kit->archive = ends[1];
	kit->done = -1;
	kit_say(kit->client, TRACE_INITIALIZE_TRACING, mode, 0, size,
		categories, len, ends[0]);
	close(ends[0]);
	kit_run(kit);
	return kit->done;
}

/* The provider reads INITIALIZE and START, and obeys. */
static inline void kit_obey(struct kit_provider *provider)
{
	int request;

	while ((request = kit_hear(provider->fd)) > 0) {
		if (request == TRACE_INITIALIZE)
			kit_map(provider);
		if (request == TRACE_START) {
			kit_format(provider);
			kit_say(provider->fd, TRACE_PROVIDER_STARTED, 0, 1, 0,
				NULL, 0, -1);
		}
		if (request == TRACE_STOP)
			kit_say(provider->fd, TRACE_PROVIDER_STOPPED, 0, 0, 0,
				NULL, 0, -1);
		if (request == TRACE_TERMINATE)
			kit_say(provider->fd, TRACE_TERMINATED, 0, 0, 0, NULL,
				0, -1);
	}
}

static inline void kit_follow(struct kit *kit, struct kit_provider *provider)
{
	kit_obey(provider);
	kit_run(kit);
}

/* Go on in the other part, and have the full one saved. */
static inline void kit_save(struct kit *kit, struct kit_provider *provider,
			    uint32_t wrapped)
{
	uint64_t end =
		(uint64_t)(provider->durable - provider->buffer - 16) * 8;

	kit_wrap(provider, wrapped + 1);
	kit_say(provider->fd, TRACE_PROVIDER_SAVE_BUFFER, 0, wrapped, end, NULL,
		0, -1);
	kit_run(kit);
}

static inline void kit_leave(struct kit_provider *provider)
{
	close(provider->fd);
	if (provider->buffer)
		munmap(provider->buffer, provider->size);
}

#include "kit/trace/manager_reading.h"

#endif
