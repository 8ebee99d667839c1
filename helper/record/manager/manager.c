/* Connections, and the loop over them. */
#define _GNU_SOURCE
#include "record/manager/manager.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/clock.h"
#include "record/manager/manager_part.h"

static void hang_up_listener(struct tr2_manager *manager)
{
	if (manager->socket.fd >= 0)
		tr2_socket_close(&manager->socket);
	manager->socket.fd = -1;
}

/* Only the user who runs it may connect. */
int tr2_manager_listen(struct tr2_manager *manager, const char *path)
{
	struct tr2_socket *socket = &manager->socket;

	*socket = (struct tr2_socket){ .fd = -1,
				       .type = SOCK_SEQPACKET,
				       .mode = S_IRUSR | S_IWUSR };
	if (strlen(path) >= sizeof(socket->address.sun_path))
		return ENAMETOOLONG;
	socket->address.sun_family = AF_UNIX;
	strcpy(socket->address.sun_path, path);
	if (!tr2_socket_bind(socket))
		return 0;
	return errno == ENOTSOCK || errno == EISCONN ? EADDRINUSE : errno;
}

#define MS UINT64_C(1000000)
#define ANSWER_MS 5000u
#define QUEUE_BYTES ((size_t)16 << 20)
#define RETRY_MS 500u /* until a descriptor may be free */

/* Places in `polls`. Two entries for each peer follow: socket and process. */
enum { POLL_STOP, POLL_LISTENER, POLL_OUTPUT, POLL_PEERS };

uint64_t tr2_manager_deadline(const struct tr2_manager *manager)
{
	return tr2_clock_now() + manager->options.answer_ms * MS;
}

struct tr2_manager *tr2_manager_new(const struct tr2_manager_options *options)
{
	struct tr2_manager *manager = calloc(1, sizeof(*manager));

	if (!manager)
		return NULL;
	manager->options = *options;
	if (!manager->options.answer_ms)
		manager->options.answer_ms = ANSWER_MS;
	if (!manager->options.queue_bytes)
		manager->options.queue_bytes = QUEUE_BYTES;
	manager->socket.fd = -1;
	manager->tracing.output.fd = -1;
	return manager;
}

void tr2_manager_free(struct tr2_manager *manager)
{
	tr2_tracing_abandon(manager);
	for (size_t i = 0; i < manager->peers.count; i++)
		tr2_peer_free(tr2_manager_peer(manager, i));
	hang_up_listener(manager);
	tr2_vec_release(&manager->peers);
	tr2_vec_release(&manager->polls);
	free(manager);
}

/* Make entries to wait on so many peers. */
static int make_polls(struct tr2_manager *manager, size_t peers)
{
	while (manager->polls.count < POLL_PEERS + 2 * peers)
		if (!tr2_vec_try_add(&manager->polls, sizeof(struct pollfd)))
			return -1;
	return 0;
}

/*
 * Accept only processes of this user and of root. On failure the caller keeps
 * the descriptor.
 */
int tr2_manager_adopt(struct tr2_manager *manager, int fd)
{
	struct tr2_peer *peer, **place;
	pid_t pid;

	if (!tr2_message_peer(fd, &pid))
		return EPERM;
	peer = calloc(1, sizeof(*peer));
	place = peer && !make_polls(manager, manager->peers.count + 1)
			? tr2_vec_try_add(&manager->peers, sizeof(*place))
			: NULL;
	if (!place) {
		free(peer);
		return ENOMEM;
	}
	peer->manager = manager;
	peer->fd = peer->mail.fd = fd;
	peer->process = -1;
	peer->pid = pid;
	*place = peer;
	return 0;
}

static void tell_crowded(struct tr2_manager *manager)
{
	const struct tr2_manager_options *options = &manager->options;

	if (!manager->told_crowded && options->crowded)
		options->crowded(options->context);
	manager->told_crowded = true;
}

/*
 * poll(2) fails for more entries than the process may have descriptors. A peer
 * has two, even where the second one is no descriptor.
 */
static int accept_next(const struct tr2_manager *manager)
{
	const size_t entries = POLL_PEERS + 2 * (manager->peers.count + 1);
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit) && entries > limit.rlim_cur) {
		errno = EMFILE;
		return -1;
	}
	return accept4(manager->socket.fd, NULL, NULL, SOCK_CLOEXEC);
}

static void accept_all(struct tr2_manager *manager)
{
	int fd;

	while ((fd = accept_next(manager)) >= 0)
		if (tr2_manager_adopt(manager, fd))
			close(fd);
	/*
	 * Without a free descriptor, poll(2) would report the waiting
	 * connection again and again. Stop listening until a peer has gone, or
	 * for a while, because others may free one.
	 */
	manager->crowded = errno == EMFILE || errno == ENFILE;
	if (manager->crowded) {
		manager->retry = tr2_clock_now() + RETRY_MS * MS;
		tell_crowded(manager);
	}
}

static void poll_for(struct pollfd *entry, int fd, int events)
{
	entry->fd = fd;
	entry->events = (short)events;
	entry->revents = 0;
}

/*
 * A pidfd becomes readable when its process ends. The order of the entries is
 * that of `peers`, on which the loop in tr2_manager_step() relies.
 */
static size_t prepare_polls(struct tr2_manager *manager, int stop_fd)
{
	struct pollfd *polls = manager->polls.items;
	struct tr2_outlet *output = &manager->tracing.output;
	struct tr2_peer *peer;

	poll_for(&polls[POLL_STOP], stop_fd, POLLIN);
	poll_for(&polls[POLL_LISTENER],
		 manager->crowded ? -1 : manager->socket.fd, POLLIN);
	poll_for(&polls[POLL_OUTPUT],
		 tr2_outlet_waiting(output) ? output->fd : -1, POLLOUT);
	polls += POLL_PEERS;
	for (size_t i = 0; i < manager->peers.count; i++, polls += 2) {
		peer = tr2_manager_peer(manager, i);
		poll_for(&polls[0], peer->fd,
			 tr2_outlet_waiting(&peer->mail) ? POLLIN | POLLOUT
							 : POLLIN);
		poll_for(&polls[1], peer->process, POLLIN);
	}
	return POLL_PEERS + 2 * manager->peers.count;
}

/* A dead process may have left messages: read them first. */
static void serve_peer(struct tr2_peer *peer, const struct pollfd *polls)
{
	bool dead = polls[1].revents;

	if (polls[0].revents & POLLOUT)
		tr2_peer_flush(peer);
	if (peer->fd >= 0 && (dead || polls[0].revents & ~POLLOUT))
		tr2_peer_read(peer, dead);
}

/*
 * Drop providers that did not answer in time. What one has that only lacks the
 * confirmation that it released its buffer was read.
 */
static void look_for_silent(struct tr2_manager *manager, uint64_t now)
{
	static tr2_wrong late[] = "provider.answer.time: "
				  "it did not answer in time";
	struct tr2_peer *peer;

	for (size_t i = 0; i < manager->peers.count; i++) {
		peer = tr2_manager_peer(manager, i);
		if (peer->deadline && peer->deadline <= now)
			tr2_peer_drop(peer, peer->terminating ? NULL : late);
	}
}

/*
 * Peers are freed only here, after all that were polled have been served:
 * dropping one while serving another only closes it.
 */
static void sweep_peers(struct tr2_manager *manager)
{
	struct tr2_peer **peers = manager->peers.items;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < manager->peers.count; i++) {
		if (peers[i]->fd < 0)
			tr2_peer_free(peers[i]);
		else
			peers[kept++] = peers[i];
	}
	if (kept < manager->peers.count)
		manager->crowded = false;
	manager->peers.count = kept;
}

/* The time of the next deadline; UINT64_MAX: there is none. */
static uint64_t next_turn(const struct tr2_manager *manager)
{
	uint64_t next = tr2_tracing_next(manager);
	const struct tr2_peer *peer;

	if (manager->crowded && manager->retry < next)
		next = manager->retry;
	for (size_t i = 0; i < manager->peers.count; i++) {
		peer = tr2_manager_peer(manager, i);
		if (peer->fd >= 0 && peer->deadline && peer->deadline < next)
			next = peer->deadline;
	}
	return next;
}

/*
 * The time-out for poll(2). Rounded up, so that the deadline has really
 * passed when poll returns; never more than a minute.
 */
static int compute_wait(const struct tr2_manager *manager, int timeout_ms)
{
	uint64_t next = next_turn(manager);
	uint64_t now = tr2_clock_now();
	uint64_t ms;

	if (next == UINT64_MAX)
		return timeout_ms;
	ms = next <= now ? 0 : (next - now) / MS + 1;
	if (timeout_ms >= 0 && ms > (uint64_t)timeout_ms)
		return timeout_ms;
	return ms > 60000 ? 60000 : (int)ms;
}

/*
 * New connections are accepted at the end, because `polls` has no entries for
 * them.
 */
int tr2_manager_step(struct tr2_manager *manager, int stop_fd, int timeout_ms)
{
	size_t i, peers = manager->peers.count;
	struct pollfd *polls;
	uint64_t now;

	if (make_polls(manager, peers))
		return 1;
	polls = manager->polls.items;
	if (poll(polls, prepare_polls(manager, stop_fd),
		 compute_wait(manager, timeout_ms)) < 0)
		return errno != EINTR;
	for (i = 0; i < peers; i++)
		serve_peer(tr2_manager_peer(manager, i),
			   polls + POLL_PEERS + 2 * i);
	now = tr2_clock_now();
	look_for_silent(manager, now);
	tr2_tracing_step(manager, now);
	sweep_peers(manager);
	manager->crowded = manager->crowded && now < manager->retry;
	i = polls[POLL_STOP].revents != 0;
	if (polls[POLL_LISTENER].revents)
		accept_all(manager);
	return (int)i;
}

void tr2_manager_run(struct tr2_manager *manager, int stop_fd)
{
	while (!tr2_manager_step(manager, stop_fd, -1))
		;
}
