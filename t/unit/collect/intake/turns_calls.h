/* turns_calls.h - the calls that wait, accept and read, as turns.txt has them. */
#ifndef UNIT_INTAKE_TURNS_CALLS_H
#define UNIT_INTAKE_TURNS_CALLS_H

#include "collect/intake/intake_kit.h"

#include <poll.h>
#include <sys/socket.h>

/* What programs do before the next turn. */
static void play_turn(void);

static struct {
	int timeout; /* of this turn */
	struct pollfd polled[8];
	int polled_count;
	bool poll_fails;  /* in this turn, by a signal */
	int accept_error; /* of the next one */
	int accepted[4];  /* the intake's side of connections */
	int accepted_last;
	int feed;	  /* gets bytes before those in its socket: */
	size_t feed_left; /* so many */
	char feed_last;	  /* the last byte of each read; others are x */
	int recv_error;	  /* then its reads fail with this errno, once */
	int recv_calls;	  /* on it */
} fake;

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	const struct timespec none = { 0 };

	fake.timeout = timeout;
	fake.polled_count = count < 8 ? (int)count : 8;
	memcpy(fake.polled, fds, (size_t)fake.polled_count * sizeof(*fds));
	fake.poll_fails = false;
	play_turn();
	if (!fake.poll_fails)
		return ppoll(fds, count, &none, NULL);
	errno = EINTR;
	return -1;
}

/* The C library declares it in its own way. */
int kit_accept(int fd, struct sockaddr *address,
	       socklen_t *len) __asm__("accept");

/* A slow machine must not seem to have waited, so the clock goes back. */
int kit_accept(int fd, struct sockaddr *address, socklen_t *len)
{
	int got;

	if (fake.accept_error) {
		pass_time(UINT64_C(0) - 60 * CLOCK_SECOND);
		errno = fake.accept_error;
		fake.accept_error = 0;
		return -1;
	}
	got = accept4(fd, address, len, 0);
	if (got >= 0)
		fake.accepted[fake.accepted_last++ % 4] = got;
	return got;
}

ssize_t recv(int fd, void *bytes, size_t room, int flags)
{
	const size_t len = fake.feed_left < room ? fake.feed_left : room;

	if (fd != fake.feed)
		return recvfrom(fd, bytes, room, flags, NULL, NULL);
	fake.recv_calls++;
	if (len) {
		fake.feed_left -= len;
		memset(bytes, 'x', len - 1);
		((char *)bytes)[len - 1] = fake.feed_last;
		return (ssize_t)len;
	}
	if (!fake.recv_error)
		return recvfrom(fd, bytes, room, flags, NULL, NULL);
	errno = fake.recv_error;
	fake.recv_error = 0;
	return -1;
}

#endif
