/* Requests of clients: lists of programs, and tracing. */
#include <errno.h>
#include <string.h>

#include "record/manager/manager_part.h"

static int tell_providers(struct tr2_peer *client, struct tr2_message *message)
{
	struct tr2_manager *manager = client->manager;
	struct tr2_peer *peer;
	size_t i;

	(void)message;
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
	size_t i;

	(void)message;
	for (i = 0; i < manager->peers.count; i++)
		if (tr2_manager_peer(manager, i)->fd >= 0 &&
		    tr2_manager_peer(manager, i)->categories.len)
			tell_categories_of(client,
					   tr2_manager_peer(manager, i));
	return 0;
}

static int begin_tracing(struct tr2_peer *client, struct tr2_message *message)
{
	return tr2_tracing_begin(client->manager, client, message);
}

static int start_tracing(struct tr2_peer *client, struct tr2_message *message)
{
	return tr2_tracing_start(client->manager, message->packet.data16);
}

static int stop_tracing(struct tr2_peer *client, struct tr2_message *message)
{
	(void)message;
	return tr2_tracing_stop(client->manager);
}

static int end_tracing(struct tr2_peer *client, struct tr2_message *message)
{
	(void)message;
	return tr2_tracing_end(client->manager);
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
	{ TRACE_INITIALIZE_TRACING, false, begin_tracing },
	{ TRACE_START_TRACING, true, start_tracing },
	{ TRACE_STOP_TRACING, true, stop_tracing },
	{ TRACE_TERMINATE_TRACING, true, end_tracing },
};

static const struct client_request *find_request(unsigned number)
{
	size_t i;

	for (i = 0; i < sizeof(requests) / sizeof(*requests); i++)
		if (requests[i].number == number)
			return &requests[i];
	return NULL;
}

/*
 * A request that fails is answered, and the connection stays. Only a message
 * that is no request of a client makes the manager drop it.
 */
tr2_wrong *tr2_client_message(struct tr2_peer *client,
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
