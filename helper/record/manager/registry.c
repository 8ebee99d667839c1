/*
 * Messages of providers: registration, categories, and packets about tracing.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "record/manager/manager_part.h"
#include "base/utf8.h"

/* The limit for names and descriptions of one provider's categories. */
#define CATEGORIES_MAX ((size_t)1 << 16)

static tr2_wrong zero[] = "provider.message.zero: a field must be zero";
static tr2_wrong unknown[] = "provider.message.request: not a known request";
static tr2_wrong length[] =
	"provider.message.size: it is too short or too long";

/* U+0080 to U+009F are two bytes of UTF-8. */
static bool is_control(const char *text, int len)
{
	const unsigned char *bytes = (const unsigned char *)text;

	return *bytes < ' ' || *bytes == 0x7f ||
	       (len == 2 && *bytes == 0xc2 && bytes[1] < 0xa0);
}

bool tr2_manager_is_plain(const char *text, size_t len, bool whole)
{
	const char *end = text + len;
	int step;

	for (; text < end; text += abs(step)) {
		step = tr2_utf8_length(text, (size_t)(end - text));
		if (is_control(text, step) || (whole && step < 0))
			return false;
	}
	return true;
}

/* It is not too long. */
static bool is_name(const char *name, size_t len)
{
	return len > 0 && len < sizeof(((struct tr2_peer *)0)->name) &&
	       tr2_manager_is_plain(name, len, true);
}

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77 /* since Linux 6.5 */
#endif

/*
 * Returns a descriptor that shows when the process ends, or -1. The end of
 * its connection does not show this: a child that was made without fork(3)
 * may keep the connection open.
 */
static int process_of(int fd)
{
	socklen_t size = sizeof(int);
	int process;

	return getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &process, &size)
		       ? -1
		       : process;
}

/* A program that registers during a tracing takes part in it at once. */
static tr2_wrong *take_registration(struct tr2_peer *peer,
				    const struct tr2_message *message)
{
	const trace_provider_packet_t *packet = &message->packet;

	if (peer->role == TR2_PEER_PROVIDER)
		return "provider.register.once: it is registered already";
	if (packet->data32 != TRACE_MESSAGE_VERSION)
		return "provider.register.version: not a known version";
	if (packet->data16 || packet->data64)
		return zero;
	if (!is_name(message->payload, message->len))
		return "provider.register.name: not a name";
	memcpy(peer->name, message->payload, message->len);
	peer->role = TR2_PEER_PROVIDER;
	peer->id = ++peer->manager->last_id;
	peer->process = process_of(peer->fd);
	tr2_peer_send(peer, TRACE_REGISTERED, tr2_tracing_runs(peer->manager),
		      peer->id, 0, NULL, 0, -1);
	tr2_tracing_join(peer);
	return NULL;
}

/* A spare provider that its program has taken over has a new name. */
static tr2_wrong *take_new_name(struct tr2_peer *peer,
				const struct tr2_message *message)
{
	if (!is_name(message->payload, message->len))
		return "provider.rename.name: not a name";
	memcpy(peer->name, message->payload, message->len + 1);
	if (peer->tracee)
		strcpy(peer->tracee->source.name, peer->name);
	return NULL;
}

static tr2_wrong *take_category(struct tr2_peer *peer,
				const struct tr2_message *message)
{
	const char *text = message->payload;
	size_t name = strlen(text);
	size_t len = message->len + 1; /* with the NUL after it */

	/* Exactly two texts, separated by one NUL. */
	if (!is_name(text, name) || name >= message->len ||
	    strlen(text + name + 1) != message->len - name - 1)
		return "provider.category.form: not a category";
	if (peer->categories.len + len <= CATEGORIES_MAX)
		tr2_buf_add(&peer->categories, text, len);
	return NULL;
}

/* The program has released its last buffer and may get another one. */
static tr2_wrong *take_terminated(struct tr2_peer *peer,
				  const struct tr2_message *message)
{
	if (message->len)
		return length;
	if (!peer->terminating)
		return "provider.terminated.asked: it was not asked to";
	peer->terminating = false;
	peer->deadline = 0;
	tr2_tracing_join(peer);
	return NULL;
}

static bool is_packet(unsigned request)
{
	return request >= TRACE_PROVIDER_STARTED &&
	       request <= TRACE_PROVIDER_ALERT;
}

static tr2_wrong *take_packet(struct tr2_peer *peer,
			      const struct tr2_message *message)
{
	if (message->len)
		return length;
	/*
	 * The packet belongs to a tracing that is over; it was already on its
	 * way.
	 */
	if (peer->terminating)
		return NULL;
	if (!peer->tracee)
		return "provider.packet.tracing: nothing is being traced";
	return tr2_tracee_packet(peer->tracee, &message->packet);
}

/* What a registered program may send besides packets. */
static const struct {
	enum trace_request number;
	tr2_wrong *(*take)(struct tr2_peer *peer,
			   const struct tr2_message *message);
} messages[] = {
	{ TRACE_REGISTER_CATEGORY, take_category },
	{ TRACE_RENAME, take_new_name },
	{ TRACE_TERMINATED, take_terminated },
};

static tr2_wrong *take_message(struct tr2_peer *peer,
			       const struct tr2_message *message)
{
	const trace_provider_packet_t *packet = &message->packet;

	for (size_t i = 0; i < sizeof(messages) / sizeof(*messages); i++) {
		if (messages[i].number != packet->request)
			continue;
		if (packet->data16 || packet->data32 || packet->data64)
			return zero;
		return messages[i].take(peer, message);
	}
	return unknown;
}

/* Order matters: before the registration every other message is an error. */
tr2_wrong *tr2_registry_message(struct tr2_peer *peer,
				const struct tr2_message *message)
{
	unsigned request = message->packet.request;

	if (request == TRACE_REGISTER)
		return take_registration(peer, message);
	if (peer->role != TR2_PEER_PROVIDER)
		return "provider.register.first: it did not register";
	if (is_packet(request))
		return take_packet(peer, message);
	return take_message(peer, message);
}
