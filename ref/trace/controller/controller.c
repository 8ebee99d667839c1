#include "trace/controller/controller.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "trace/provider/message.h"
#include "base/buf.h"
#include "descriptor/descriptor.h"
#include "host/host.h"
#include "host/system.h"

#define BUFFER_SIZE ((size_t)4 << 20)
#define PATH_SIZE 108 /* of sockaddr_un */

struct trace_controller {
	struct tr2_descriptor socket;
	struct tr2_descriptor archive; /* our end; none before tracing */
	bool started;
	struct trace_config config;

	/* Receives the elements of a list that was asked for. */
	void (*provider)(void *context, const struct trace_provider_info *);
	void (*category)(void *context, const struct trace_category_info *);
	void *context;

	/* Asks the caller whether to wait any longer. */
	int interrupt; /* a descriptor, or -1 */
	bool (*gives_up)(void *context);
	void *interrupt_context;
	int limit_ms; /* of its silence; -1: none */

	/* The awaited answer: its error once it has arrived, else -1. */
	int answer;
	int error; /* of the connection or the archive */
	struct tr2_message message;
	char bytes[65536];
};

struct trace_controller *trace_controller_adopt(int socket)
{
	struct trace_controller *controller =
		tr2_host->realloc(NULL, sizeof(*controller));

	if (!controller)
		return NULL;
	memset(controller, 0, sizeof(*controller));
	tr2_descriptor_know(&controller->socket, socket);
	controller->archive = TR2_DESCRIPTOR_NONE;
	controller->interrupt = -1;
	controller->limit_ms = -1;
	return controller;
}

struct trace_controller *trace_controller_connect(const char *path)
{
	struct trace_controller *controller;
	char known[PATH_SIZE];
	pid_t pid;
	int socket;

	if (!path && !tr2_message_default_path(known, sizeof(known))) {
		errno = ENOENT;
		return NULL;
	}
	socket = tr2_message_connect(path ? path : known);
	if (socket < 0)
		return NULL;
	if (!tr2_message_peer(socket, &pid)) {
		close(socket);
		errno = EPERM;
		return NULL;
	}
	controller = trace_controller_adopt(socket);
	if (!controller)
		close(socket);
	return controller;
}

static void close_archive(struct trace_controller *controller)
{
	tr2_descriptor_close(&controller->archive);
}

void trace_controller_close(struct trace_controller *controller)
{
	if (!controller)
		return;
	close_archive(controller);
	tr2_descriptor_close(&controller->socket);
	tr2_host->free(controller);
}

void trace_controller_set_interrupt(struct trace_controller *controller, int fd,
				    bool (*gives_up)(void *context),
				    void *context)
{
	controller->interrupt = fd;
	controller->gives_up = gives_up;
	controller->interrupt_context = context;
}

void trace_controller_set_limit(struct trace_controller *controller, int ms)
{
	controller->limit_ms = ms;
}

static void take_provider(struct trace_controller *controller)
{
	const struct tr2_message *message = &controller->message;
	const struct trace_provider_info info = {
		.id = message->packet.data32,
		.pid = (uint32_t)message->packet.data64,
		.name = message->payload,
	};

	if (controller->provider)
		controller->provider(controller->context, &info);
}

static void take_category(struct trace_controller *controller)
{
	const struct tr2_message *message = &controller->message;
	const char *name = message->payload;
	size_t len = strlen(name);
	const struct trace_category_info info = {
		.provider = message->packet.data32,
		.name = name,
		.description = len < message->len ? name + len + 1 : "",
	};

	if (controller->category)
		controller->category(controller->context, &info);
}

static void take_alert(struct trace_controller *controller)
{
	const struct tr2_message *message = &controller->message;

	if (controller->config.alert)
		controller->config.alert(controller->config.context,
					 message->packet.data32,
					 message->payload);
}

static void take_result(struct trace_controller *controller)
{
	const struct tr2_message *message = &controller->message;
	struct tr2_result_counts counts;
	struct trace_provider_result result;
	size_t len = sizeof(counts);

	if (!controller->config.result || message->len < len)
		return;
	memcpy(&counts, message->payload, len);
	result.id = message->packet.data32;
	result.pid = (uint32_t)counts.pid;
	result.name = message->payload + len;
	result.events = counts.events;
	result.bytes = counts.bytes;
	result.dropped = message->packet.data64;
	len += strlen(result.name);
	result.wrong = len < message->len ? message->payload + len + 1 : "";
	controller->config.result(controller->config.context, &result);
}

/* Ignores unknown messages, because a newer manager may send them. */
static void take_message(struct trace_controller *controller)
{
	const trace_provider_packet_t *packet = &controller->message.packet;

	switch (packet->request) {
	case TRACE_PROVIDER_IS:
		take_provider(controller);
		break;
	case TRACE_CATEGORY_IS:
		take_category(controller);
		break;
	case TRACE_ALERT_IS:
		take_alert(controller);
		break;
	case TRACE_RESULT_IS:
		take_result(controller);
		break;
	case TRACE_DONE:
		controller->answer = packet->data16;
		break;
	}
}

/* Reads one piece at a time, so that other descriptors need not wait long. */
static void read_archive(struct trace_controller *controller)
{
	const struct trace_config *config = &controller->config;
	ssize_t got = 0;

	if (!tr2_descriptor_is_ours(&controller->archive))
		controller->error = EPIPE;
	else
		got = recv(controller->archive.fd, controller->bytes,
			   sizeof(controller->bytes), MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got > 0 && config->archive &&
	    config->archive(config->context, controller->bytes, (size_t)got)) {
		controller->error = ECANCELED;
		got = 0;
	}
	if (got <= 0)
		close_archive(controller);
}

/* The manager has gone, perhaps after its last bytes. */
static void lose_manager(struct trace_controller *controller)
{
	struct pollfd polls = { controller->archive.fd, POLLIN, 0 };

	while (poll(&polls, 1, 0) > 0) {
		read_archive(controller);
		polls.fd = controller->archive.fd;
	}
	if (!controller->error)
		controller->error = EPIPE;
}

static void read_messages(struct trace_controller *controller)
{
	struct tr2_message *message = &controller->message;
	const int fd = controller->socket.fd;
	int got = 0;

	while (tr2_descriptor_is_ours(&controller->socket) &&
	       (got = tr2_message_receive(fd, message)) > 0) {
		if (message->fd >= 0)
			close(message->fd);
		take_message(controller);
	}
	if (!got)
		lose_manager(controller);
	else if (errno != EAGAIN)
		controller->error = EPROTO;
}

enum { WAIT_SOCKET, WAIT_ARCHIVE, WAIT_OTHER, WAITS };

/* Returns 1 if `other` can be read, and -1 if nothing came in that time. */
static int take_turn(struct trace_controller *controller, int other,
		     int timeout_ms)
{
	struct pollfd polls[WAITS] = {
		{ .fd = controller->socket.fd, .events = POLLIN },
		{ .fd = controller->archive.fd, .events = POLLIN },
		{ .fd = other, .events = POLLIN },
	};
	const int ready = poll(polls, WAITS, timeout_ms);

	if (ready <= 0)
		return ready ? 0 : -1;
	if (polls[WAIT_ARCHIVE].revents)
		read_archive(controller);
	if (polls[WAIT_SOCKET].revents)
		read_messages(controller);
	return polls[WAIT_OTHER].revents != 0;
}

/*
 * Wait for what the manager sends. A later request would take the answer to
 * the one that was given up, so the connection ends with that.
 */
static void await_manager(struct trace_controller *controller)
{
	const int turn = take_turn(controller, controller->interrupt,
				   controller->limit_ms);

	if (turn < 0)
		controller->error = ETIMEDOUT;
	else if (turn && controller->gives_up(controller->interrupt_context))
		controller->error = EINTR;
}

/* Send a request and wait for the answer. */
static int ask_manager(struct trace_controller *controller,
		       const trace_provider_packet_t *packet,
		       const char *payload, size_t len, int fd)
{
	controller->answer = -1;
	if (!tr2_descriptor_is_ours(&controller->socket))
		return EPIPE;
	if (tr2_message_send(controller->socket.fd, packet, payload, len, fd))
		return errno == EAGAIN || errno == EMSGSIZE ? EPROTO : EPIPE;
	while (controller->answer < 0 && !controller->error)
		await_manager(controller);
	return controller->answer < 0 ? controller->error : controller->answer;
}

static int ask_plainly(struct trace_controller *controller, unsigned request,
		       uint16_t data16)
{
	const trace_provider_packet_t packet = {
		.request = (uint16_t)request,
		.data16 = data16,
	};

	return ask_manager(controller, &packet, NULL, 0, -1);
}

int trace_controller_get_providers(
	struct trace_controller *controller,
	void (*provider)(void *context, const struct trace_provider_info *),
	void *context)
{
	int error;

	controller->provider = provider;
	controller->context = context;
	error = ask_plainly(controller, TRACE_GET_PROVIDERS, 0);
	controller->provider = NULL;
	return error;
}

int trace_controller_get_known_categories(
	struct trace_controller *controller,
	void (*category)(void *context, const struct trace_category_info *),
	void *context)
{
	int error;

	controller->category = category;
	controller->context = context;
	error = ask_plainly(controller, TRACE_GET_CATEGORIES, 0);
	controller->category = NULL;
	return error;
}

/* Join the names, each with its NUL, if a message can hold them. */
static int join_categories(const struct trace_config *config,
			   struct tr2_buf *text)
{
	for (size_t i = 0; i < config->category_count; i++)
		tr2_buf_add(text, config->categories[i],
			    strlen(config->categories[i]) + 1);
	if (text->failed)
		return ENOMEM;
	return text->len > TRACE_PAYLOAD_MAX ? EINVAL : 0;
}

/* Ask for a session with these categories. */
static int ask_for_session(struct trace_controller *controller,
			   const struct trace_config *config,
			   const struct tr2_buf *text)
{
	trace_provider_packet_t packet = {
		.request = TRACE_INITIALIZE_TRACING,
		.data16 = (uint16_t)config->mode,
		.data32 = config->syscalls ? 2 : config->kernel,
		.data64 = config->buffer_size ? config->buffer_size
					      : BUFFER_SIZE,
	};
	int ends[2], error;

	if (controller->archive.fd >= 0)
		return EINVAL;
	if (tr2_host_open_pair(SOCK_STREAM, ends))
		return errno;
	controller->config = *config;
	tr2_descriptor_know(&controller->archive, tr2_descriptor_lift(ends[0]));
	if (controller->archive.fd < 0) {
		close(ends[1]);
		return EMFILE;
	}
	error = ask_manager(controller, &packet, text->bytes, text->len,
			    ends[1]);
	close(ends[1]);
	if (error)
		close_archive(controller);
	return error;
}

int trace_controller_initialize(struct trace_controller *controller,
				const struct trace_config *config)
{
	struct tr2_buf text = TR2_BUF_INIT;
	int error = join_categories(config, &text);

	if (!error)
		error = ask_for_session(controller, config, &text);
	tr2_buf_release(&text);
	return error;
}

int trace_controller_start(struct trace_controller *controller,
			   enum trace_start_mode mode)
{
	int error =
		ask_plainly(controller, TRACE_START_TRACING, (uint16_t)mode);

	controller->started |= !error;
	return error;
}

static int remaining_ms(uint64_t end)
{
	uint64_t now = tr2_host->mono_ns();

	return now < end ? (int)((end - now) / 1000000 + 1) : 0;
}

int trace_controller_wait(struct trace_controller *controller, int fd,
			  int timeout_ms)
{
	uint64_t end = tr2_host->mono_ns() + (uint64_t)timeout_ms * 1000000;
	int left = timeout_ms;

	while (!controller->error && left) {
		if (take_turn(controller, fd, left))
			break;
		if (timeout_ms > 0)
			left = remaining_ms(end);
	}
	return controller->error;
}

int trace_controller_stop(struct trace_controller *controller)
{
	int error = ask_plainly(controller, TRACE_STOP_TRACING, 0);

	controller->started &= error != 0;
	return error;
}

int trace_controller_terminate(struct trace_controller *controller)
{
	int error = 0;

	if (controller->started)
		error = trace_controller_stop(controller);
	if (!error)
		error = ask_plainly(controller, TRACE_TERMINATE_TRACING, 0);
	/*
	 * The manager has closed its end, but its last bytes may still arrive.
	 */
	while (!error && controller->archive.fd >= 0 && !controller->error)
		await_manager(controller);
	return error ? error : controller->error;
}
