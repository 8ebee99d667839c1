/* A provider in a tracing: its buffer, and its packets. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "record/manager/manager_part.h"

/*
 * A put function of an archive: not 0 makes the archive stop. The unsent bytes
 * move to the front first. Their number is limited by tr2_tracing_is_full(),
 * not here.
 */
int tr2_outlet_put(void *context, const void *bytes, size_t len)
{
	struct tr2_outlet *output = context;
	struct tr2_buf *buf = &output->buf;

	if (output->fd < 0)
		return -1;
	if (output->start && buf->room - buf->len < len) {
		buf->len = tr2_outlet_waiting(output);
		memmove(buf->bytes, buf->bytes + output->start, buf->len);
		output->start = 0;
	}
	tr2_buf_add(buf, bytes, len);
	return buf->failed ? -1 : 0;
}

size_t tr2_outlet_waiting(const struct tr2_outlet *output)
{
	return output->buf.len - output->start;
}

/* MSG_NOSIGNAL: a client that has gone must not kill the manager. */
int tr2_outlet_flush(struct tr2_outlet *output)
{
	ssize_t sent;

	while (tr2_outlet_waiting(output)) {
		sent = send(output->fd, output->buf.bytes + output->start,
			    tr2_outlet_waiting(output),
			    MSG_DONTWAIT | MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return errno != EAGAIN;
		output->start += (size_t)sent;
	}
	return 0;
}

void tr2_outlet_close(struct tr2_outlet *output)
{
	if (output->fd >= 0)
		close(output->fd);
	tr2_buf_release(&output->buf);
	output->start = 0;
	output->fd = -1;
}

static tr2_wrong zero[] = "provider.packet.zero: a field must be zero";
static tr2_wrong turn[] = "provider.packet.turn: it is not its turn";

/*
 * All memory of the buffer is allocated now, and on the manager's account:
 * otherwise the program could be killed in the middle of a record when memory
 * runs out. The seals keep both sides from changing the size, so that reading
 * the mapping can't fail.
 */
static int make_buffer(uint64_t size)
{
	int fd = memfd_create("trace-buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int error;

	if (fd < 0)
		return -1;
	error = ftruncate(fd, (off_t)size) ? errno : 0;
	if (!error)
		error = posix_fallocate(fd, 0, (off_t)size);
	if (!error &&
	    !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return fd;
	close(fd);
	errno = error;
	return -1;
}

/* Why there is no buffer, according to errno. */
static tr2_wrong *explain_buffer(int error)
{
	if (error == EFBIG)
		return "its buffer is larger than the limit on the size of "
		       "files (ulimit -f)";
	if (error == EMFILE || error == ENFILE)
		return "no descriptor is left for its buffer (ulimit -n)";
	return "no memory for its buffer";
}

/* The manager only reads the buffer. */
static void *map_buffer(int fd, uint64_t size)
{
	void *buffer;

	if (fd < 0)
		return NULL;
	buffer = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	return buffer == MAP_FAILED ? NULL : buffer;
}

static void set_source(struct tr2_tracee *tracee,
		       const struct tr2_tracing *tracing)
{
	struct tr2_archive_source *source = &tracee->source;

	source->id = tracee->peer->id;
	strcpy(source->name, tracee->peer->name);
	source->buffer = tracee->buffer;
	source->size = tracing->size;
	source->mode = tracing->mode;
}

/*
 * If there is no buffer, the tracee is gone from the start, and its result
 * says why. The provider keeps its own descriptor, so ours is closed.
 */
struct tr2_tracee *tr2_tracee_new(struct tr2_peer *peer,
				  const struct tr2_tracing *tracing)
{
	struct tr2_tracee *tracee = calloc(1, sizeof(*tracee));
	int fd;

	if (!tracee)
		return NULL;
	fd = make_buffer(tracing->size);
	tracee->peer = peer;
	tracee->pid = peer->pid;
	tracee->buffer = map_buffer(fd, tracing->size);
	set_source(tracee, tracing);
	if (tracee->buffer) {
		peer->tracee = tracee;
		tr2_peer_send(peer, TRACE_INITIALIZE, (uint16_t)tracing->mode,
			      0, tracing->size, tracing->categories,
			      tracing->categories_len, fd);
	} else {
		tr2_tracee_gone(tracee, explain_buffer(errno));
		tracee->unread = true;
	}
	if (fd >= 0)
		close(fd);
	return tracee;
}

void tr2_tracee_start(struct tr2_tracee *tracee, int start_mode)
{
	if (!tracee->peer)
		return;
	/*
	 * If a start clears a part of the buffer, its records are counted from
	 * 0 again.
	 */
	if (start_mode != TRACE_START_RETAIN_BUFFER)
		tracee->source.wrapped = 0;
	if (start_mode == TRACE_START_CLEAR_ENTIRE_BUFFER)
		tracee->source.durable = 0;
	tracee->saving = false;
	tracee->state = TR2_TRACEE_STARTING;
	tracee->peer->deadline = tr2_manager_deadline(tracee->peer->manager);
	tr2_peer_send(tracee->peer, TRACE_START, (uint16_t)start_mode, 0, 0,
		      NULL, 0, -1);
}

void tr2_tracee_stop(struct tr2_tracee *tracee)
{
	if (tracee->state != TR2_TRACEE_STARTED &&
	    tracee->state != TR2_TRACEE_STARTING)
		return;
	/* STARTED may still be on its way. */
	tracee->stop_early = tracee->state == TR2_TRACEE_STARTING;
	tracee->state = TR2_TRACEE_STOPPING;
	tracee->peer->deadline = tr2_manager_deadline(tracee->peer->manager);
	tr2_peer_send(tracee->peer, TRACE_STOP, 0, 0, 0, NULL, 0, -1);
}

/*
 * A buffer with an error is not read again: the program is dropped, or (if it
 * has gone) the error becomes its result.
 */
static void save_buffer(struct tr2_tracee *tracee, struct tr2_archive *archive)
{
	tr2_wrong *wrong = tr2_archive_save(archive, &tracee->source,
					    tracee->save_wrapped,
					    tracee->save_durable);

	tracee->saving = false;
	if (!wrong)
		return;
	tracee->unread = true;
	if (tracee->peer)
		tr2_peer_drop(tracee->peer, wrong);
	else if (!tracee->wrong)
		tracee->wrong = wrong;
}

/*
 * The answer comes after the copy: it allows the program to overwrite the
 * part.
 */
void tr2_tracee_save(struct tr2_tracee *tracee, struct tr2_archive *archive)
{
	save_buffer(tracee, archive);
	if (tracee->peer)
		tr2_peer_send(tracee->peer, TRACE_PROVIDER_BUFFER_SAVED, 0,
			      tracee->save_wrapped, tracee->save_durable, NULL,
			      0, -1);
}

static void release_buffer(struct tr2_tracee *tracee)
{
	tr2_archive_source_release(&tracee->source);
	if (tracee->buffer)
		munmap(tracee->buffer, tracee->source.size);
	tracee->buffer = NULL;
}

/* Copies the rest of the buffer, also of a program that was killed. */
void tr2_tracee_finish(struct tr2_tracee *tracee, struct tr2_archive *archive)
{
	tr2_wrong *wrong = NULL;

	if (tracee->saving && !tracee->unread)
		save_buffer(tracee, archive);
	tracee->saving = false;
	if (!tracee->unread)
		wrong = tr2_archive_finish(archive, &tracee->source);
	if (!tracee->wrong)
		tracee->wrong = wrong;
	tracee->finished = true;
	release_buffer(tracee);
}

/*
 * The records up to now are kept: the buffer is still mapped here. A program
 * waits only for a moment, and nobody knows what one did that goes on untraced.
 */
void tr2_tracee_gone(struct tr2_tracee *tracee, tr2_wrong *wrong)
{
	if (!wrong &&
	    (tracee->state == TR2_TRACEE_STARTING || tracee->stop_early))
		wrong = "it ended, or traces itself, before this began";
	tracee->peer = NULL;
	tracee->state = TR2_TRACEE_GONE;
	tracee->wrong = wrong;
}

void tr2_tracee_free(struct tr2_tracee *tracee)
{
	release_buffer(tracee);
	free(tracee);
}

/*
 * If STOP was sent meanwhile, this STARTED is the awaited first answer, and
 * STOPPED comes next.
 */
static tr2_wrong *take_started(struct tr2_tracee *tracee,
			       const trace_provider_packet_t *packet)
{
	if (packet->data32 != TRACE_PROVIDER_FIFO_PROTOCOL_VERSION) {
		tracee->unread = true;
		return "provider.started.version: not a known version";
	}
	if (packet->data16 || packet->data64)
		return zero;
	if (tracee->stop_early) {
		tracee->stop_early = false;
		return NULL;
	}
	if (tracee->state != TR2_TRACEE_STARTING)
		return turn;
	tracee->state = TR2_TRACEE_STARTED;
	tracee->peer->deadline = 0;
	return NULL;
}

static tr2_wrong *take_stopped(struct tr2_tracee *tracee,
			       const trace_provider_packet_t *packet)
{
	if (packet->data16 || packet->data32 || packet->data64)
		return zero;
	if (tracee->state != TR2_TRACEE_STOPPING || tracee->stop_early)
		return turn;
	tracee->state = TR2_TRACEE_STOPPED;
	tracee->peer->deadline = 0;
	return NULL;
}

/* In other modes than streaming there is nothing to save, and no answer. */
static tr2_wrong *take_save(struct tr2_tracee *tracee,
			    const trace_provider_packet_t *packet)
{
	if (packet->data16)
		return zero;
	if (tracee->state != TR2_TRACEE_STARTED &&
	    tracee->state != TR2_TRACEE_STOPPING)
		return turn;
	if (tracee->source.mode != TRACE_BUFFERING_MODE_STREAMING)
		return NULL;
	if (tracee->saving)
		return "provider.save.outstanding: one is not answered yet";
	tracee->saving = true;
	tracee->save_wrapped = packet->data32;
	tracee->save_durable = packet->data64;
	return NULL;
}

/*
 * Some text without control characters, then only zeros. A name may be cut
 * inside a character, and need not be UTF-8.
 */
static bool is_alert(const char *text)
{
	const size_t len = strnlen(text, TRACE_PROVIDER_ALERT_BYTES);
	size_t i = len;

	while (i < TRACE_PROVIDER_ALERT_BYTES && !text[i])
		i++;
	return len > 0 && i == TRACE_PROVIDER_ALERT_BYTES &&
	       tr2_manager_is_plain(text, len, false);
}

/*
 * Alerts are passed on to the client of the tracing; without one they are
 * lost.
 */
static tr2_wrong *take_alert(struct tr2_tracee *tracee,
			     const trace_provider_packet_t *packet)
{
	const char *text = (const char *)&packet->data16;
	struct tr2_peer *client = tracee->peer->manager->tracing.client;

	if (!is_alert(text))
		return "provider.alert.text: not 1 to 14 characters and zeros";
	if (client)
		tr2_peer_send(client, TRACE_ALERT_IS, 0, tracee->source.id, 0,
			      text, strnlen(text, TRACE_PROVIDER_ALERT_BYTES),
			      -1);
	return NULL;
}

/* By the number of the packet, from TRACE_PROVIDER_STARTED on. */
static tr2_wrong *(*const takes[])(struct tr2_tracee *tracee,
				   const trace_provider_packet_t *packet) = {
	take_started,
	take_save,
	take_stopped,
	take_alert,
};
_Static_assert(TRACE_PROVIDER_SAVE_BUFFER == TRACE_PROVIDER_STARTED + 1 &&
		       TRACE_PROVIDER_STOPPED == TRACE_PROVIDER_STARTED + 2 &&
		       TRACE_PROVIDER_ALERT == TRACE_PROVIDER_STARTED + 3,
	       "a function for each packet, in the order of their numbers");

tr2_wrong *tr2_tracee_packet(struct tr2_tracee *tracee,
			     const trace_provider_packet_t *packet)
{
	return takes[packet->request - TRACE_PROVIDER_STARTED](tracee, packet);
}
