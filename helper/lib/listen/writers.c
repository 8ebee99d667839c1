#include "lib/listen/writers.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host/system.h"
#include "lib/common/memory.h"
#include "lib/files/clock.h"

#define RESTS_LEAST (UINT64_C(256) << 20)
#define READS 8 /* before the next connection's turn */
#define LAST_READS 4096
#define ACCEPTS 256	   /* before connections that are open have theirs */
#define LAST_ACCEPTS 65536 /* more than can wait */
#define CROWDED_MS 500	   /* until a connection is accepted again */
#define CROWDED_NS (CROWDED_MS * UINT64_C(1000000))
#define TELL_NS UINT64_C(60000000000) /* between two messages of a kind */
#define FAILED_MS 100 /* until a wait that failed is tried again */

/*
 * ---- Connections
 */

static void add_writer(struct tr2_writers *writers, int fd, bool stream)
{
	struct tr2_connection *writer =
		tr2_vec_add(&writers->items, sizeof(*writer));

	*writer = (struct tr2_connection){ .fd = fd, .stream = stream };
	writer->number = (unsigned)(writers->connections + writers->datagrams);
}

/* Root may do anything. If nobody can tell, the socket's mode decides. */
static bool is_allowed(const struct tr2_writers *writers, int fd)
{
	pid_t pid;
	uid_t uid;

	return writers->others || tr2_host_find_peer(fd, &pid, &uid) ||
	       uid == geteuid() || !uid;
}

static uint32_t count_connections(const struct tr2_writers *writers)
{
	return writers->items.count - writers->datagrams;
}

/* Tell at once, but not for each of many connections. */
static void tell_crowded(struct tr2_writers *writers, const char *what)
{
	uint64_t now = tr2_clock_now();

	if (writers->told && now - writers->told < TELL_NS)
		return;
	writers->told = now;
	fprintf(stderr,
		"trace2 %s: %s: %" PRIu32 " are open, and the limit on "
		"descriptors (ulimit -n) allows no more\n",
		writers->command, what, count_connections(writers));
}

static void admit_writer(struct tr2_writers *writers, int fd)
{
	if (!is_allowed(writers, fd)) {
		writers->refused++;
		close(fd);
		return;
	}
	if (count_connections(writers) >= writers->most) {
		writers->crowded++;
		close(fd);
		tell_crowded(writers, "connections are refused");
		return;
	}
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	writers->connections++;
	add_writer(writers, fd, true);
}

static void accept_writers(struct tr2_writers *writers, int listener, int most)
{
	int fd;

	for (; most; most--) {
		fd = accept(listener, NULL, NULL);
		if (fd >= 0)
			admit_writer(writers, fd);
		else if (errno != EINTR && errno != ECONNABORTED)
			break;
	}
	if (!most || errno == EAGAIN || errno == EWOULDBLOCK)
		return;
	writers->crowded_until = tr2_clock_now() + CROWDED_NS;
	if (errno == EMFILE || errno == ENFILE)
		tell_crowded(writers, "connections have to wait");
}

static void forget_ended(struct tr2_writers *writers)
{
	struct tr2_connection *writer = writers->items.items;
	uint32_t count = 0;

	for (uint32_t i = 0; i < writers->items.count; i++)
		if (writer[i].fd >= 0)
			writer[count++] = writer[i];
	writers->items.count = count;
}

/*
 * ---- What the owner calls
 */

/* A quarter of the machine's memory. */
static uint64_t find_rests_most(void)
{
#ifdef _SC_PHYS_PAGES
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	uint64_t most = (uint64_t)pages * (uint64_t)size / 4;

	if (pages > 0 && size > 0 && most > RESTS_LEAST)
		return most;
#endif
	return RESTS_LEAST;
}

void tr2_writers_begin(struct tr2_writers *writers)
{
	writers->scratch = tr2_must_grow(NULL, TR2_WRITER_DATAGRAM);
	if (!writers->rests_most)
		writers->rests_most = find_rests_most();
	for (uint32_t i = 0; i < writers->socket_count; i++) {
		if (writers->sockets[i].stream)
			continue;
		writers->datagrams++;
		add_writer(writers, writers->sockets[i].fd, false);
	}
}

static void add_poll(struct tr2_writers *writers, int fd)
{
	TR2_VEC_PUT(&writers->polls, struct pollfd, .fd = fd, .events = POLLIN);
}

/*
 * First the stop, then sockets that accept, then all writers. A descriptor may
 * also become free elsewhere in the process, so a socket that could not accept
 * has its turn again after a while.
 */
bool tr2_writers_wait(struct tr2_writers *writers, int stop_fd, int timeout_ms)
{
	const struct tr2_connection *writer = writers->items.items;
	bool crowded = tr2_clock_now() < writers->crowded_until;

	if (crowded && (timeout_ms < 0 || timeout_ms > CROWDED_MS))
		timeout_ms = CROWDED_MS;
	tr2_vec_clear(&writers->polls);
	add_poll(writers, stop_fd);
	for (uint32_t i = 0; i < writers->socket_count; i++)
		add_poll(writers, writers->sockets[i].stream && !crowded
					  ? writers->sockets[i].fd
					  : -1);
	for (uint32_t i = 0; i < writers->items.count; i++)
		add_poll(writers, writer[i].fd);
	/* After an interruption no descriptor counts as ready. */
	if (poll(writers->polls.items, writers->polls.count, timeout_ms) < 0 &&
	    errno != EINTR)
		tr2_clock_sleep(FAILED_MS);
	return !((struct pollfd *)writers->polls.items)->revents;
}

void tr2_writers_read(struct tr2_writers *writers)
{
	const struct pollfd *polled = writers->polls.items;
	struct tr2_connection *writer = writers->items.items;
	const uint32_t count = writers->socket_count;

	for (uint32_t i = 0; i < writers->items.count; i++)
		if (polled[1 + count + i].revents)
			tr2_writer_read(writers, &writer[i], READS);
	forget_ended(writers); /* their places are free */
	for (uint32_t i = 0; i < count; i++)
		if (polled[1 + i].revents)
			accept_writers(writers, writers->sockets[i].fd,
				       ACCEPTS);
}

static void read_all(struct tr2_writers *writers)
{
	struct tr2_connection *writer = writers->items.items;

	for (uint32_t i = 0; i < writers->items.count; i++)
		tr2_writer_read(writers, &writer[i], LAST_READS);
	forget_ended(writers);
}

static void accept_all(struct tr2_writers *writers)
{
	for (uint32_t i = 0; i < writers->socket_count; i++)
		if (writers->sockets[i].stream)
			accept_writers(writers, writers->sockets[i].fd,
				       LAST_ACCEPTS);
}

static void end_all(struct tr2_writers *writers)
{
	struct tr2_connection *writer = writers->items.items;

	for (uint32_t i = 0; i < writers->items.count; i++)
		tr2_writer_end(writers, &writer[i]);
	forget_ended(writers);
	writers->datagrams = 0;
}

void tr2_writers_end(struct tr2_writers *writers)
{
	bool crowded, more;

	writers->ending = true;
	read_all(writers);
	do {
		writers->crowded_until = 0;
		accept_all(writers);
		crowded = writers->crowded_until;
		more = count_connections(writers);
		read_all(writers);
		end_all(writers);
	} while (crowded && more);
	if (crowded)
		writers->calls->lose(writers->owner, NULL, TR2_LOST_TURN, 1);
	free(writers->scratch);
	tr2_vec_release(&writers->items);
	tr2_vec_release(&writers->polls);
}
