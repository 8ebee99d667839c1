/*
 * A client's tracing, from its beginning to its end. Requests that need
 * answers of providers only change the state; go_on() answers the client when
 * the last provider has answered or was dropped.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "record/manager/manager_part.h"

/* Is this a stream socket? Then sending to it never blocks. */
static bool is_stream(int fd)
{
	socklen_t size = sizeof(int);
	int type;

	return !getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) &&
	       type == SOCK_STREAM;
}

/*
 * Check the request: an output that can't block the manager, a mode and a
 * size that give a valid buffer, and categories that each end with a NUL.
 */
static bool is_sound(const struct tr2_message *message)
{
	struct trace_buffer_layout layout;
	const trace_provider_packet_t *packet = &message->packet;

	return message->fd >= 0 && is_stream(message->fd) &&
	       packet->data32 <= 2 &&
	       trace_buffer_divide(packet->data16, packet->data64, &layout) &&
	       (!message->len || !message->payload[message->len - 1]);
}

bool tr2_tracing_runs(const struct tr2_manager *manager)
{
	enum tr2_tracing_state state = manager->tracing.state;

	return state == TR2_TRACING_STARTING || state == TR2_TRACING_STARTED;
}

static void put_magic(struct tr2_tracing *tracing)
{
	memset(&tracing->archive, 0, sizeof(tracing->archive));
	tracing->archive.put = tr2_outlet_put;
	tracing->archive.context = &tracing->output;
	tr2_archive_begin(&tracing->archive);
}

static int set_categories(struct tr2_tracing *tracing,
			  const struct tr2_message *message)
{
	tracing->categories_len = message->len;
	tracing->categories = malloc(message->len + 1);
	if (!tracing->categories)
		return -1;
	memcpy(tracing->categories, message->payload, message->len);
	return 0;
}

/*
 * The client's descriptor now belongs to the tracing. Providers that are
 * still busy with their last buffer join later.
 */
int tr2_tracing_begin(struct tr2_peer *client, struct tr2_message *message)
{
	struct tr2_manager *manager = client->manager;
	struct tr2_tracing *tracing = &manager->tracing;
	size_t count = manager->peers.count;

	if (tracing->state != TR2_TRACING_NONE)
		return EBUSY;
	if (message->fd_lost)
		return EMFILE;
	if (!is_sound(message))
		return EINVAL;
	if (set_categories(tracing, message))
		return ENOMEM;
	tracing->client = client;
	tracing->mode = message->packet.data16;
	tracing->size = message->packet.data64;
	tracing->wants_kernel = message->packet.data32 != 0;
	tracing->wants_calls = message->packet.data32 == 2;
	tracing->output.fd = message->fd;
	message->fd = -1;
	tracing->state = TR2_TRACING_INITIALIZED;
	put_magic(tracing);
	for (size_t i = 0; i < count; i++)
		tr2_tracing_join(tr2_manager_peer(manager, i));
	return 0;
}

static struct tr2_tracee *add_tracee(struct tr2_tracing *tracing,
				     struct tr2_peer *peer)
{
	struct tr2_tracee **place, *tracee;

	place = tr2_vec_try_add(&tracing->tracees, sizeof(*place));
	if (!place)
		return NULL;
	tracee = tr2_tracee_new(peer, tracing);
	if (tracee)
		*place = tracee;
	else
		tracing->tracees.count--;
	return tracee;
}

/* Does nothing if the provider can't take part now. */
void tr2_tracing_join(struct tr2_peer *peer)
{
	struct tr2_tracing *tracing = &peer->manager->tracing;
	struct tr2_tracee *tracee;

	if (peer->role != TR2_PEER_PROVIDER || peer->fd < 0 ||
	    peer->terminating || tracing->state == TR2_TRACING_NONE ||
	    tracing->state == TR2_TRACING_ENDING)
		return;
	tracee = add_tracee(tracing, peer);
	if (tracee && tr2_tracing_runs(peer->manager))
		tr2_tracee_start(tracee, TRACE_START_CLEAR_ENTIRE_BUFFER);
}

/* -1: the answer comes when all providers have started. */
int tr2_tracing_start(struct tr2_peer *client, struct tr2_message *message)
{
	struct tr2_tracing *tracing = &client->manager->tracing;
	const int start_mode = message->packet.data16;

	if ((tracing->state != TR2_TRACING_INITIALIZED &&
	     tracing->state != TR2_TRACING_STOPPED) ||
	    start_mode > TRACE_START_RETAIN_BUFFER)
		return EINVAL;
	tracing->state = TR2_TRACING_STARTING;
	tr2_tracing_kernel_start(client->manager);
	for (size_t i = 0; i < tracing->tracees.count; i++)
		tr2_tracee_start(tr2_tracing_tracee(tracing, i), start_mode);
	return -1;
}

int tr2_tracing_stop(struct tr2_peer *client, struct tr2_message *message)
{
	struct tr2_tracing *tracing = &client->manager->tracing;

	(void)message;
	if (tracing->state != TR2_TRACING_STARTED)
		return EINVAL;
	tracing->state = TR2_TRACING_STOPPING;
	for (size_t i = 0; i < tracing->tracees.count; i++)
		tr2_tracee_stop(tr2_tracing_tracee(tracing, i));
	return -1;
}

/* -1: the answer comes when the archive is complete. */
int tr2_tracing_end(struct tr2_peer *client, struct tr2_message *message)
{
	struct tr2_tracing *tracing = &client->manager->tracing;

	(void)message;
	if (tracing->state != TR2_TRACING_INITIALIZED &&
	    tracing->state != TR2_TRACING_STOPPED)
		return EINVAL;
	tracing->state = TR2_TRACING_ENDING;
	return -1;
}

/*
 * The provider releases its buffer; until it has confirmed that, it gets no
 * new one.
 */
static void dismiss_tracee(struct tr2_tracee *tracee)
{
	struct tr2_peer *peer = tracee->peer;

	if (peer) {
		peer->tracee = NULL;
		peer->terminating = true;
		peer->deadline = tr2_manager_deadline(peer->manager);
		tr2_peer_send(peer, TRACE_TERMINATE, 0, 0, 0, NULL, 0, -1);
	}
	tr2_tracee_free(tracee);
}

/*
 * Also the normal end of a tracing: everything is released, and the state is
 * NONE again.
 */
void tr2_tracing_abandon(struct tr2_manager *manager)
{
	struct tr2_tracing *tracing = &manager->tracing;

	for (size_t i = 0; i < tracing->tracees.count; i++)
		dismiss_tracee(tr2_tracing_tracee(tracing, i));
	tr2_tracing_kernel_end(tracing);
	tr2_vec_release(&tracing->tracees);
	free(tracing->categories);
	tr2_outlet_close(&tracing->output);
	memset(tracing, 0, sizeof(*tracing));
	tracing->output.fd = -1;
}

/* A result: counts, name, NUL, and what was wrong ("" if nothing). */
void tr2_tracing_tell(const struct tr2_tracing *tracing,
		      const struct tr2_archive_source *source, pid_t pid,
		      tr2_wrong *wrong)
{
	struct tr2_result_counts counts = {
		.pid = (uint64_t)pid,
		.events = source->events,
		.bytes = source->bytes,
	};
	char text[sizeof(counts) + sizeof(source->name) + 256];
	size_t len = sizeof(counts);

	memcpy(text, &counts, len);
	len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%c%s",
				source->name, '\0', wrong ? wrong : "");
	tr2_peer_send(tracing->client, TRACE_RESULT_IS, 0, source->id,
		      source->dropped, text, len, -1);
}

/*
 * The archive is closed before the client gets the results: when it has them,
 * its archive is complete.
 */
static void tell_end(struct tr2_manager *manager)
{
	struct tr2_tracing *tracing = &manager->tracing;
	struct tr2_peer *client = tracing->client;
	int error = tracing->archive.stopped ? EPIPE : 0;
	const struct tr2_tracee *tracee;

	tr2_outlet_close(&tracing->output);
	for (size_t i = 0; i < tracing->tracees.count && client->fd >= 0; i++) {
		tracee = tr2_tracing_tracee(tracing, i);
		tr2_tracing_tell(tracing, &tracee->source, tracee->pid,
				 tracee->wrong);
	}
	if (client->fd >= 0)
		tr2_tracing_kernel_tell(tracing);
	if (client->fd < 0)
		return; /* its tracing was abandoned */
	tr2_tracing_abandon(manager);
	tr2_peer_done(client, error, 0);
}

static bool wants_finish(const struct tr2_tracing *tracing,
			 const struct tr2_tracee *tracee)
{
	return !tracee->finished && (tracee->state == TR2_TRACEE_GONE ||
				     tracing->state == TR2_TRACING_ENDING);
}

bool tr2_tracing_is_full(const struct tr2_manager *manager)
{
	const struct tr2_tracing *tracing = &manager->tracing;

	return tr2_outlet_waiting(&tracing->output) >=
	       manager->options.queue_bytes;
}

/* If the client wants no more of the archive, it still gets its answers. */
static void flush_archive(struct tr2_tracing *tracing)
{
	if (!tr2_outlet_flush(&tracing->output))
		return;
	tr2_outlet_close(&tracing->output);
	tracing->archive.stopped = 1;
}

/*
 * Read buffers while the queue has room. If the client is slow, the records
 * wait in the providers' buffers.
 */
static void read_buffers(struct tr2_manager *manager)
{
	struct tr2_tracing *tracing = &manager->tracing;
	struct tr2_tracee *tracee;
	size_t i;

	for (i = 0; i < tracing->tracees.count && !tr2_tracing_is_full(manager);
	     i++) {
		tracee = tr2_tracing_tracee(tracing, i);
		if (wants_finish(tracing, tracee))
			tr2_tracee_finish(tracee, &tracing->archive);
		else if (tracee->saving)
			tr2_tracee_save(tracee, &tracing->archive);
		flush_archive(tracing);
	}
}

/*
 * A provider that has not yet released its last buffer counts, too: it will
 * take part when it has.
 */
static bool any_waiting(const struct tr2_manager *manager)
{
	const struct tr2_peer *peer;

	for (size_t i = 0; i < manager->peers.count; i++) {
		peer = tr2_manager_peer(manager, i);
		if (peer->fd >= 0 && peer->deadline)
			return true;
	}
	return false;
}

static bool all_finished(const struct tr2_tracing *tracing)
{
	for (size_t i = 0; i < tracing->tracees.count; i++)
		if (!tr2_tracing_tracee(tracing, i)->finished)
			return false;
	return !tr2_outlet_waiting(&tracing->output);
}

/* Answer the client when its request is complete. */
static void go_on(struct tr2_manager *manager)
{
	struct tr2_tracing *tracing = &manager->tracing;

	if (tracing->state == TR2_TRACING_STARTING && !any_waiting(manager)) {
		tracing->state = TR2_TRACING_STARTED;
		tr2_peer_done(tracing->client, 0, 0);
	} else if (tracing->state == TR2_TRACING_STOPPING &&
		   !any_waiting(manager)) {
		tr2_tracing_kernel_step(manager, UINT64_MAX);
		tracing->state = TR2_TRACING_STOPPED;
		tr2_peer_done(tracing->client, 0, 0);
	} else if (tracing->state == TR2_TRACING_ENDING &&
		   all_finished(tracing)) {
		tell_end(manager);
	}
}

void tr2_tracing_step(struct tr2_manager *manager, uint64_t now)
{
	struct tr2_tracing *tracing = &manager->tracing;

	if (tracing->state == TR2_TRACING_NONE)
		return;
	flush_archive(tracing);
	read_buffers(manager);
	tr2_tracing_kernel_step(manager, now);
	go_on(manager);
}

uint64_t tr2_tracing_next(const struct tr2_manager *manager)
{
	const struct tr2_tracing *tracing = &manager->tracing;

	return tracing->kernel && tracing->state <= TR2_TRACING_STOPPED
		       ? tracing->kernel_next
		       : UINT64_MAX;
}
