/* One connection: its messages, in and out. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/manager/manager_part.h"

/* Requests of clients: lists of programs, and tracing. */

static int tell_providers(struct tr2_peer *client, struct tr2_message *message)
{
	struct tr2_manager *manager = client->manager;
	struct tr2_peer *peer;

	(void)message;
	for (size_t i = 0; i < manager->peers.count; i++) {
		peer = tr2_manager_peer(manager, i);
		if (peer->role == TR2_PEER_PROVIDER && peer->fd >= 0)
			tr2_peer_send(client, TRACE_PROVIDER_IS, 0, peer->id,
				      (uint64_t)peer->pid, peer->name,
				      strlen(peer->name), -1);
	}
	return 0;
}

/*
 * Each category is `name NUL description NUL`; a message carries both texts
 * without the last NUL.
 */
static void tell_categories_of(struct tr2_peer *client,
			       const struct tr2_peer *peer)
{
	const char *at = peer->categories.bytes;
	const char *end = at + peer->categories.len;
	size_t len;

	for (; at < end; at += len + 1) {
		len = strlen(at) + 1;
		len += strlen(at + len);
		tr2_peer_send(client, TRACE_CATEGORY_IS, 0, peer->id, 0, at,
			      len, -1);
	}
}

/* Whether a program is being traced makes no difference to the lists. */
static int tell_categories(struct tr2_peer *client, struct tr2_message *message)
{
	struct tr2_manager *manager = client->manager;

	(void)message;
	for (size_t i = 0; i < manager->peers.count; i++)
		if (tr2_manager_peer(manager, i)->fd >= 0 &&
		    tr2_manager_peer(manager, i)->categories.len)
			tell_categories_of(client,
					   tr2_manager_peer(manager, i));
	return 0;
}

/*
 * What a client may ask for. A row's function returns 0 or an errno value,
 * which is the answer, or -1: the answer comes later. Only the client that
 * began the tracing may control it; the state of the tracing decides which
 * requests are possible. EINVAL otherwise.
 */
static const struct client_request {
	enum trace_request number;
	bool controls;
	int (*serve)(struct tr2_peer *client, struct tr2_message *message);
} requests[] = {
	{ TRACE_GET_PROVIDERS, false, tell_providers },
	{ TRACE_GET_CATEGORIES, false, tell_categories },
	{ TRACE_INITIALIZE_TRACING, false, tr2_tracing_begin },
	{ TRACE_START_TRACING, true, tr2_tracing_start },
	{ TRACE_STOP_TRACING, true, tr2_tracing_stop },
	{ TRACE_TERMINATE_TRACING, true, tr2_tracing_end },
};

static const struct client_request *find_request(unsigned number)
{
	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++)
		if (requests[i].number == number)
			return &requests[i];
	return NULL;
}

/*
 * A request that fails is answered, and the connection stays. Only a message
 * that is no request of a client makes the manager drop it.
 */
static tr2_wrong *take_client_message(struct tr2_peer *client,
				      struct tr2_message *message)
{
	const struct client_request *request =
		find_request(message->packet.request);
	int error = EINVAL;

	if (!request)
		return "provider.message.request: not a known request";
	if (!request->controls || client->manager->tracing.client == client)
		error = request->serve(client, message);
	if (error >= 0)
		tr2_peer_done(client, error, 0);
	return NULL;
}

/* After this many messages of one peer the others get their turn. */
#define MESSAGES_MAX 64

/*
 * The limit for a client that asks again and again and never reads the
 * answers.
 */
#define MAIL_MAX ((size_t)16 << 20)

/*
 * Find out what is wrong with a message, whoever sent it. A new peer becomes
 * a client with its first request; a provider has to register first.
 */
static tr2_wrong *look_at(struct tr2_peer *peer, struct tr2_message *message)
{
	unsigned request = message->packet.request;

	if (message->fd_count > 1 ||
	    (message->fd_count && request != TRACE_INITIALIZE_TRACING))
		return "provider.message.descriptor: no descriptor was asked "
		       "for";
	if (peer->role == TR2_PEER_NEW && request >= TRACE_GET_PROVIDERS &&
	    request <= TRACE_TERMINATE_TRACING)
		peer->role = TR2_PEER_CLIENT;
	if (peer->role == TR2_PEER_CLIENT)
		return take_client_message(peer, message);
	return tr2_registry_message(peer, message);
}

/*
 * 1: there may be more; 0: there is no more now; -1: the connection is
 * closed.
 */
static int read_one(struct tr2_peer *peer)
{
	struct tr2_message *message = &peer->manager->message;
	int got = tr2_message_receive(peer->fd, message);
	tr2_wrong *wrong = NULL;

	if (!got) {
		tr2_peer_drop(peer, NULL);
		return -1;
	}
	if (got < 0 && errno == EAGAIN)
		return 0;
	if (got < 0)
		wrong = "provider.message.size: it is too short or too long";
	else
		wrong = look_at(peer, message);
	if (got > 0 && message->fd >= 0)
		close(message->fd);
	if (wrong)
		tr2_peer_drop(peer, wrong);
	return peer->fd < 0 ? -1 : 1;
}

/*
 * `dead`: the process has ended. Its connection may stay open in a child, so
 * the end of its messages is the end of the connection.
 */
void tr2_peer_read(struct tr2_peer *peer, bool dead)
{
	int state = 1;

	for (int left = MESSAGES_MAX; left && state > 0; left--)
		state = read_one(peer);
	if (dead && !state)
		tr2_peer_drop(peer, NULL);
}

/* Of a message in the mail; its payload follows. */
struct mail_head {
	trace_provider_packet_t packet;
	size_t len;
};

/*
 * Queue a message for a client. A client may be slow, because a trace is
 * worth waiting for; but a queue without limit would not be.
 */
static void post_mail(struct tr2_peer *peer,
		      const trace_provider_packet_t *packet,
		      const void *payload, size_t len)
{
	const struct mail_head head = { *packet, len };
	struct tr2_outlet *mail = &peer->mail;

	if (tr2_outlet_waiting(mail) + sizeof(head) + len > MAIL_MAX ||
	    tr2_outlet_put(mail, &head, sizeof(head)) ||
	    (len && tr2_outlet_put(mail, payload, len)))
		tr2_peer_drop(peer, NULL);
}

void tr2_peer_flush(struct tr2_peer *peer)
{
	struct tr2_outlet *mail = &peer->mail;
	struct mail_head head;
	const char *at;

	while (tr2_outlet_waiting(mail)) {
		at = mail->buf.bytes + mail->start;
		memcpy(&head, at, sizeof(head));
		if (tr2_message_send(peer->fd, &head.packet, at + sizeof(head),
				     head.len, -1)) {
			if (errno != EAGAIN)
				tr2_peer_drop(peer, NULL);
			return;
		}
		mail->start += sizeof(head) + head.len;
	}
}

/*
 * Providers get messages at once or not at all: their socket has room for all
 * that the protocol allows, so one that is full shows a program that does not
 * read.
 */
void tr2_peer_send(struct tr2_peer *peer, unsigned request, uint16_t data16,
		   uint32_t data32, uint64_t data64, const void *payload,
		   size_t len, int fd)
{
	const trace_provider_packet_t packet = {
		.request = (uint16_t)request,
		.data16 = data16,
		.data32 = data32,
		.data64 = data64,
	};

	if (peer->fd < 0)
		return;
	if (peer->role == TR2_PEER_CLIENT) {
		post_mail(peer, &packet, payload, len);
		if (peer->fd >= 0)
			tr2_peer_flush(peer);
		return;
	}
	/* If it has gone, its last messages are still to be read. */
	if (tr2_message_send(peer->fd, &packet, payload, len, fd) &&
	    errno == EAGAIN)
		tr2_peer_drop(peer, "provider.message.read: it does not read");
}

void tr2_peer_done(struct tr2_peer *client, int error, uint32_t data32)
{
	tr2_peer_send(client, TRACE_DONE, (uint16_t)error, data32, 0, NULL, 0,
		      -1);
}

/*
 * Only closes the connection; the manager's loop frees the peer later,
 * because it may be using it now.
 */
void tr2_peer_drop(struct tr2_peer *peer, tr2_wrong *wrong)
{
	const struct tr2_manager_options *options = &peer->manager->options;

	if (peer->fd < 0)
		return;
	close(peer->fd);
	peer->fd = -1;
	if (wrong && options->dropped)
		options->dropped(options->context, peer->name, peer->pid,
				 wrong);
	if (peer->tracee)
		tr2_tracee_gone(peer->tracee, wrong);
	peer->tracee = NULL;
	if (peer->manager->tracing.client == peer)
		tr2_tracing_abandon(peer->manager);
}

void tr2_peer_free(struct tr2_peer *peer)
{
	if (peer->fd >= 0)
		close(peer->fd);
	if (peer->process >= 0)
		close(peer->process);
	tr2_buf_release(&peer->mail.buf);
	tr2_buf_release(&peer->categories);
	free(peer);
}
