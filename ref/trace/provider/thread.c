/* The provider's thread, which talks to the manager. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trace/provider/private.h"
#include "trace/engine/last.h"
#include "host/host.h"
#include "host/system.h"

#define PAUSE_FIRST_MS 100u
#define PAUSE_LAST_MS 60000u

/* A tenth of a second for those who are sending an alert. */
#define CLOSE_TRIES 1000
#define CLOSE_STEP_NS 100000

void tr2_provider_settle(struct trace_provider *provider, bool tracing)
{
	pthread_mutex_lock(&provider->lock);
	provider->settled = true;
	provider->tracing = tracing;
	pthread_mutex_unlock(&provider->lock);
}

/*
 * As soon as the number is closed, the host may use it. A thread that has
 * jumped out of an alert never ends it, so the wait for one has an end.
 */
void tr2_provider_close(struct trace_provider *provider)
{
	const struct timespec step = { 0, CLOSE_STEP_NS };
	int tries = CLOSE_TRIES;

	__atomic_store_n(&provider->socket, -1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&provider->is_sending, __ATOMIC_SEQ_CST) &&
	       tries--)
		nanosleep(&step, NULL);
	tr2_descriptor_close(&provider->connection);
}

unsigned tr2_provider_next_pause(unsigned pause_ms)
{
	if (pause_ms < PAUSE_FIRST_MS)
		return PAUSE_FIRST_MS;
	return pause_ms < PAUSE_LAST_MS / 2 ? 2 * pause_ms : PAUSE_LAST_MS;
}

static void hang_up(struct trace_provider *provider)
{
	/*
	 * when the manager learns that we are gone, nobody writes to the buffer
	 */
	tr2_provider_terminate(provider);
	tr2_provider_close(provider);
	tr2_provider_settle(provider, false);
	provider->pause_ms = tr2_provider_next_pause(provider->pause_ms);
}

/* If the pipe is full, the thread is awake anyway. */
void tr2_provider_wake(struct trace_provider *provider)
{
	const trace_provider_packet_t nothing = { .request = 0 };

	tr2_wake_pipe_put(&provider->wake, &nothing, sizeof(nothing));
}

static void tell_manager(struct trace_provider *provider,
			 const trace_provider_packet_t *packet,
			 const void *payload, size_t len)
{
	if (!tr2_descriptor_is_ours(&provider->connection) ||
	    tr2_message_send(provider->socket, packet, payload, len, -1))
		tr2_provider_close(provider); /* the loop hangs up */
}

void tr2_provider_packet(struct trace_provider *provider, unsigned request,
			 uint32_t data32, uint64_t data64)
{
	const trace_provider_packet_t packet = {
		.request = (uint16_t)request,
		.data32 = data32,
		.data64 = data64,
	};

	tell_manager(provider, &packet, NULL, 0);
}

static void tell_categories(struct trace_provider *provider)
{
	static const trace_provider_packet_t packet = {
		.request = TRACE_REGISTER_CATEGORY,
	};
	size_t len;

	for (size_t told = 0; told < provider->known_len; told += len + 1) {
		const char *category = provider->known + told;

		len = strlen(category) + 1;
		len += strlen(category + len);
		tell_manager(provider, &packet, category, len);
	}
}

/* The name may change while this thread sends it, but not under the lock. */
static void tell_name(struct trace_provider *provider,
		      const trace_provider_packet_t *packet)
{
	pthread_mutex_lock(&provider->lock);
	tell_manager(provider, packet, provider->name, strlen(provider->name));
	tell_categories(provider);
	provider->renamed = false;
	pthread_mutex_unlock(&provider->lock);
}

static bool is_renamed(struct trace_provider *provider)
{
	bool renamed;

	pthread_mutex_lock(&provider->lock);
	renamed = provider->renamed;
	pthread_mutex_unlock(&provider->lock);
	return renamed;
}

/* SPEC: provider.outside */
static void tell_new_name(struct trace_provider *provider)
{
	static const trace_provider_packet_t packet = {
		.request = TRACE_RENAME,
	};

	if (provider->socket >= 0 && is_renamed(provider))
		tell_name(provider, &packet);
}

static void connect_to_manager(struct trace_provider *provider)
{
	static const trace_provider_packet_t packet = {
		.request = TRACE_REGISTER,
		.data32 = TRACE_MESSAGE_VERSION,
	};
	int socket = tr2_message_connect(provider->path);
	pid_t pid;

	tr2_descriptor_know(&provider->connection, socket);
	if (socket < 0)
		return;
	if (!tr2_message_peer(socket, &pid)) {
		tr2_descriptor_close(&provider->connection);
		return;
	}
	__atomic_store_n(&provider->socket, socket, __ATOMIC_RELEASE);
	tell_name(provider, &packet);
}

static void take_terminate(struct trace_provider *provider)
{
	tr2_provider_terminate(provider);
	tr2_provider_packet(provider, TRACE_TERMINATED, 0, 0);
	provider->pause_ms = 0; /* the connection works */
}

/* A message that we do not understand ends the connection. */
static void take_message(struct trace_provider *provider)
{
	struct tr2_message *message = &provider->message;
	const trace_provider_packet_t *packet = &message->packet;

	switch (packet->request) {
	case TRACE_PROVIDER_BUFFER_SAVED:
		tr2_provider_saved(provider, packet);
		return;
	case TRACE_REGISTERED:
		if (!packet->data16)
			tr2_provider_settle(provider, false);
		return;
	case TRACE_INITIALIZE:
		tr2_provider_initialize(provider, message);
		return;
	case TRACE_START:
		tr2_provider_start(provider, message);
		return;
	case TRACE_STOP:
		tr2_provider_stop(provider);
		return;
	case TRACE_TERMINATE:
		take_terminate(provider);
		return;
	}
	tr2_provider_close(provider);
}

static void read_messages(struct trace_provider *provider)
{
	struct tr2_message *message = &provider->message;
	int got;

	if (!tr2_descriptor_is_ours(&provider->connection)) {
		tr2_provider_close(provider);
		return;
	}
	while ((got = tr2_message_receive(provider->socket, message)) > 0) {
		take_message(provider);
		if (message->fd >= 0)
			close(message->fd);
	}
	if (!got || errno != EAGAIN)
		tr2_provider_close(provider);
}

/* Pass on the packets from the program's threads. */
static void read_wake(struct trace_provider *provider)
{
	trace_provider_packet_t packet;

	while (tr2_wake_pipe_take(&provider->wake, &packet, sizeof(packet)) ==
	       sizeof(packet))
		if (packet.request && provider->started)
			tell_manager(provider, &packet, NULL, 0);
}

/* What is counted as the library's exists, so the count goes first. */
void tr2_provider_end_turns(struct trace_provider *provider)
{
	tr2_last_remove_helper();
	if (__atomic_exchange_n(&provider->ending, true, __ATOMIC_ACQ_REL))
		tr2_last_add_helper();
}

/* Wait for the manager or the program. */
static int take_turn(struct trace_provider *provider, int wait_ms)
{
	struct pollfd polls[] = {
		{ .fd = provider->wake.reader.fd, .events = POLLIN },
		{ .fd = provider->socket, .events = POLLIN },
	};
	int got = poll(polls, 2, wait_ms);

	if (!got && tr2_last_look(wait_ms, NULL))
		tr2_provider_end_turns(provider);
	read_wake(provider);
	tell_new_name(provider);
	read_messages(provider);
	return got;
}

static bool is_ending(const struct trace_provider *provider)
{
	return __atomic_load_n(&provider->ending, __ATOMIC_ACQUIRE);
}

static void stay_connected(struct trace_provider *provider)
{
	connect_to_manager(provider);
	while (!is_ending(provider) && provider->socket >= 0) {
		int wait_ms = provider->started ? trace_engine_service() : -1;

		take_turn(provider,
			  tr2_wake_pipe_limit(&provider->wake, wait_ms));
	}
	tell_new_name(provider); /* of a provider that lived shortly */
	hang_up(provider);
}

/*
 * Wait before the next attempt to connect. A wake-up does not shorten the
 * wait.
 */
static void pause_connecting(struct trace_provider *provider)
{
	int left = (int)provider->pause_ms;

	while (!is_ending(provider) && left > 0) {
		int wait_ms = tr2_wake_pipe_limit(&provider->wake, left);

		if (take_turn(provider, wait_ms) <= 0)
			left -= wait_ms;
	}
}

void *tr2_provider_thread(void *context)
{
	struct trace_provider *provider = context;

	tr2_host_name_thread(pthread_self(), tr2_host_is_apart()
						     ? TR2_APART_THREAD
						     : TR2_PROVIDER_THREAD);
	while (!is_ending(provider)) {
		stay_connected(provider);
		pause_connecting(provider);
	}
	tr2_last_leave();
	return NULL;
}
