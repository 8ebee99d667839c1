/*
 * turns_kit.h - an intake in this thread, turn by turn: before it waits for
 * sockets, a test says what programs do meanwhile. A test may also answer the
 * calls that accept and read.
 */
#ifndef UNIT_INTAKE_TURNS_KIT_H
#define UNIT_INTAKE_TURNS_KIT_H

#include "collect/intake/receive_kit.h"

#include <poll.h>

/* What programs do before this turn, from 0. False: the service ends. */
static bool (*play_turn)(int turn);
static int turn;
static int poll_timeout;	/* of this turn */
static struct pollfd polled[8]; /* what was waited for */
static int polled_count;
static bool poll_fails; /* in this turn, by a signal */

static int accept_fails;  /* so often, */
static int accept_error;  /* with this errno */
static int accepted_last; /* the newest descriptor of a connection */
static int accept_calls;
static uint64_t accept_early; /* ns that the clock goes back at a failure */

/* Bytes of a connection that come before those in its socket. */
static int feed_fd = -1;
static size_t feed_left; /* how many */
static char feed_last;	 /* the last byte of each read; the others are x */
static int recv_error;	 /* then its reads fail with this errno, once */
static int recv_calls;	 /* on it */

static inline void stop_feed(void)
{
	feed_fd = -1;
	feed_left = 0;
	recv_error = recv_calls = 0;
}

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	const struct timespec none = { 0 };

	poll_timeout = timeout;
	polled_count = (int)count;
	memcpy(polled, fds, (count < 8 ? count : 8) * sizeof(*fds));
	poll_fails = false;
	if (!play_turn(turn++) && stop[1] >= 0) {
		close(stop[1]);
		stop[1] = -1;
	}
	if (!poll_fails)
		return ppoll(fds, count, &none, NULL);
	errno = EINTR;
	return -1;
}

/* The C library declares it in its own way. */
int kit_accept(int fd, struct sockaddr *address,
	       socklen_t *len) __asm__("accept");

int kit_accept(int fd, struct sockaddr *address, socklen_t *len)
{
	int got;

	accept_calls++;
	if (accept_fails) {
		accept_fails--;
		pass_time(UINT64_C(0) - accept_early);
		errno = accept_error;
		return -1;
	}
	got = accept4(fd, address, len, 0);
	if (got >= 0)
		accepted_last = got;
	return got;
}

static inline ssize_t feed_bytes(char *bytes, size_t room)
{
	size_t len = feed_left < room ? feed_left : room;

	feed_left -= len;
	memset(bytes, 'x', len - 1);
	bytes[len - 1] = feed_last;
	return (ssize_t)len;
}

ssize_t recv(int fd, void *bytes, size_t room, int flags)
{
	if (fd != feed_fd)
		return recvfrom(fd, bytes, room, flags, NULL, NULL);
	recv_calls++;
	if (feed_left)
		return feed_bytes(bytes, room);
	if (!recv_error)
		return recvfrom(fd, bytes, room, flags, NULL, NULL);
	errno = recv_error;
	recv_error = 0;
	return -1;
}

/* The newest connection has so many bytes before those in its socket. */
static inline void feed_connection(size_t len, char last)
{
	feed_fd = accepted_last;
	feed_left = len;
	feed_last = last;
	recv_calls = 0;
}

/* The service is begun. Returns its lines when it has ended. */
static inline const char *run_turns(bool (*play)(int turn))
{
	play_turn = play;
	turn = 0;
	tr2_collect_receive(&intake, stop[0]);
	stop_feed();
	return read_new();
}

/* Is this descriptor waited for? */
static inline bool is_polled(int fd)
{
	int i = 0;

	while (i < polled_count && polled[i].fd != fd)
		i++;
	return i < polled_count;
}

#endif
