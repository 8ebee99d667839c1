/* Requests of clients: lists of programs, and tracing. */
#include <errno.h>
#include <string.h>

#include "manager/manager_part.h"

static int tell_providers(struct tr2_peer *client)
{
	struct tr2_manager *manager = client->manager;
	struct tr2_peer *peer;
	size_t i;

	for (i = 0; i < manager->peers.count; i++) {
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
	const char *at = peer->categories;
	const char *end = at + peer->categories_len;
	size_t len;

	for (; at < end; at += len + 1) {
		len = strlen(at) + 1;
		len += strlen(at + len);
		tr2_peer_send(client, TRACE_CATEGORY_IS, 0, peer->id, 0, at,
			      len, -1);
	}
}

/* Whether a program is being traced makes no difference to the lists. */
static int tell_categories(struct tr2_peer *client)
{
	struct tr2_manager *manager = client->manager;
	size_t i;

	for (i = 0; i < manager->peers.count; i++)
		if (tr2_manager_peer(manager, i)->fd >= 0 &&
		    tr2_manager_peer(manager, i)->categories)
			tell_categories_of(client,
					   tr2_manager_peer(manager, i));
	return 0;
}

/*
 * Requests about tracing. Only the client that began the tracing may make
 * them. The state of the tracing decides which ones are possible; EINVAL
 * otherwise.
 */
static int control_tracing(struct tr2_peer *client,
			   const struct tr2_message *message)
{
	struct tr2_manager *manager = client->manager;

	if (manager->tracing.client != client)
		return EINVAL;
	switch (message->packet.request) {
	case TRACE_START_TRACING:
		return tr2_tracing_start(manager, message->packet.data16);
	case TRACE_STOP_TRACING:
		return tr2_tracing_stop(manager);
	default:
		return tr2_tracing_end(manager);
	}
}

/*
 * Returns 0 or an errno value, which is the answer, or -1: the answer comes
 * later.
 */
static int serve_request(struct tr2_peer *client, struct tr2_message *message)
{
	switch (message->packet.request) {
	case TRACE_GET_PROVIDERS:
		return tell_providers(client);
	case TRACE_GET_CATEGORIES:
		return tell_categories(client);
	case TRACE_INITIALIZE_TRACING:
		return tr2_tracing_begin(client->manager, client, message);
	default:
		return control_tracing(client, message);
	}
}

/*
 * A request that fails is answered, and the connection stays. Only a message
 * that is no request of a client makes the manager drop it.
 */
tr2_wrong *tr2_client_message(struct tr2_peer *client,
			      struct tr2_message *message)
{
	unsigned request = message->packet.request;
	int error;

	if (request < TRACE_GET_PROVIDERS || request > TRACE_TERMINATE_TRACING)
		return "provider.message.request: not a known request";
	error = serve_request(client, message);
	if (error >= 0)
		tr2_peer_done(client, error, 0);
	return NULL;
}
