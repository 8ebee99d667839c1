/* Carry out the manager's requests with the trace engine. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "trace/provider/private.h"
#include "host/cancel.h"
#include "host/host.h"
#include "host/system.h"

/* Is the buffer sealed, so that the manager can't change its size? */
static bool is_firm(int fd, uint64_t size)
{
	struct stat st;

	return tr2_host_is_sealed(fd) && !fstat(fd, &st) &&
	       (uint64_t)st.st_size == size;
}

static int map_buffer(struct trace_provider *provider,
		      const struct tr2_message *message)
{
	uint64_t size = message->packet.data64;
	void *buffer;

	if (message->fd_count != 1 || provider->buffer ||
	    !is_firm(message->fd, size))
		return EINVAL;
	buffer = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED,
		      message->fd, 0);
	if (buffer == MAP_FAILED)
		return errno;
	provider->buffer = buffer;
	provider->size = (size_t)size;
	return 0;
}

static void unmap_buffer(struct trace_provider *provider)
{
	if (!provider->left_behind)
		munmap(provider->buffer, provider->size);
	provider->buffer = NULL;
	provider->left_behind = false;
}

static int copy_categories(struct trace_provider *provider,
			   const struct tr2_message *message)
{
	size_t len = message->len;

	if (len && message->payload[len - 1])
		return EINVAL;
	tr2_host->free(provider->categories);
	provider->categories = tr2_host->realloc(NULL, len + 1);
	if (!provider->categories)
		return ENOMEM;
	memcpy(provider->categories, message->payload, len);
	provider->categories_len = len;
	return 0;
}

void tr2_provider_initialize(struct trace_provider *provider,
			     struct tr2_message *message)
{
	enum trace_buffering_mode mode =
		(enum trace_buffering_mode)message->packet.data16;

	if (!map_buffer(provider, message)) {
		if (!copy_categories(provider, message) &&
		    !trace_engine_initialize(&provider->handler, mode,
					     provider->buffer, provider->size))
			return;
		unmap_buffer(provider);
	}
	tr2_provider_close(provider);
}

void tr2_provider_start(struct trace_provider *provider,
			const struct tr2_message *message)
{
	enum trace_start_mode mode =
		(enum trace_start_mode)message->packet.data16;

	if (!provider->buffer || trace_engine_start(mode))
		tr2_provider_close(provider);
}

void tr2_provider_stop(struct trace_provider *provider)
{
	if (!provider->started) {
		tr2_provider_close(provider);
		return;
	}
	provider->stopping = true;
	trace_engine_stop(0);
}

void tr2_provider_terminate(struct trace_provider *provider)
{
	if (!provider->buffer)
		return;
	trace_engine_terminate();
	unmap_buffer(provider);
}

/* Without a buffer of ours, the engine fills the program's own buffer. */
void tr2_provider_saved(const struct trace_provider *provider,
			const trace_provider_packet_t *packet)
{
	if (provider->buffer)
		trace_engine_mark_buffer_saved(packet->data32, packet->data64);
}

static struct trace_provider *provider_of(struct trace_handler *handler)
{
	return (struct trace_provider *)(void *)handler;
}

static bool is_category_enabled(struct trace_handler *handler,
				const char *category)
{
	const struct trace_provider *provider = provider_of(handler);

	return tr2_message_has_category(provider->categories,
					provider->categories_len, category);
}

static void trace_started(struct trace_handler *handler)
{
	struct trace_provider *provider = provider_of(handler);

	provider->started = true;
	tr2_provider_packet(provider, TRACE_PROVIDER_STARTED,
			    TRACE_PROVIDER_FIFO_PROTOCOL_VERSION, 0);
	tr2_provider_settle(provider, true);
}

static void trace_stopped(struct trace_handler *handler, int disposition,
			  size_t bytes)
{
	struct trace_provider *provider = provider_of(handler);

	(void)bytes;
	provider->started = false;
	if (disposition == ETIMEDOUT)
		provider->left_behind = true;
	if (provider->stopping)
		tr2_provider_packet(provider, TRACE_PROVIDER_STOPPED, 0, 0);
	provider->stopping = false;
}

static void notify_buffer_full(struct trace_handler *handler,
			       uint32_t wrapped_count,
			       uint64_t durable_data_end)
{
	tr2_provider_packet(provider_of(handler), TRACE_PROVIDER_SAVE_BUFFER,
			    wrapped_count, durable_data_end);
}

/*
 * An alert may be the last thing that the program does, so its own thread
 * sends it. 0: another thread is sending one, or there is no room now.
 */
static int send_now(struct trace_provider *provider,
		    const trace_provider_packet_t *packet)
{
	int cancel, sent;

	if (__atomic_exchange_n(&provider->is_sending, 1, __ATOMIC_SEQ_CST))
		return 0;
	cancel = tr2_cancel_forbid();
	sent = __atomic_load_n(&provider->socket, __ATOMIC_SEQ_CST) >= 0 &&
	       tr2_descriptor_is_ours(&provider->connection) &&
	       !tr2_message_send(provider->connection.fd, packet, NULL, 0, -1);
	tr2_cancel_allow(cancel);
	__atomic_store_n(&provider->is_sending, 0, __ATOMIC_SEQ_CST);
	return sent;
}

/* On a thread of the program. */
static void send_alert(struct trace_handler *handler, const char *name)
{
	struct trace_provider *provider = provider_of(handler);
	trace_provider_packet_t packet = { .request = TRACE_PROVIDER_ALERT };
	char text[TRACE_PROVIDER_ALERT_BYTES + 1];
	int error = errno;

	/* SPEC: provider.alert.text */
	tr2_provider_copy_text(text, sizeof(text), name);
	if (!*text)
		return;
	memcpy((char *)&packet + sizeof(packet.request), text, strlen(text));
	/* if the pipe is full, too, the alert is lost */
	if (!send_now(provider, &packet))
		tr2_wake_pipe_put(&provider->wake, &packet, sizeof(packet));
	errno = error;
}

const struct trace_handler_ops tr2_provider_ops = {
	.is_category_enabled = is_category_enabled,
	.trace_started = trace_started,
	.trace_stopped = trace_stopped,
	.notify_buffer_full = notify_buffer_full,
	.send_alert = send_alert,
};
