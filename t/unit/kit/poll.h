/*
 * poll.h - what the library asks of poll(2), for programs that define
 * _GNU_SOURCE: ppoll(2) answers in its place.
 */
#ifndef UNIT_KIT_POLL_H
#define UNIT_KIT_POLL_H

#include <poll.h>
#include <time.h>
#include <unistd.h>

/* What this thread last asked poll(2), and how often. */
static _Thread_local struct {
	int count;
	int fd;
	int timeout;
	int longest;
	int answers; /* at once, that there is room */
	int warning; /* the timeout of a warning */
} polled;

/* In the place of the C library's. */
int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	struct timespec limit = { .tv_nsec = timeout * 1000000L };

	if (!count) /* it waits for a lock */
		return ppoll(fds, count, &limit, NULL);
	if (fds->fd == STDERR_FILENO) {
		polled.warning = count == 1 ? timeout : -9;
		return ppoll(fds, count, &limit, NULL);
	}
	polled.count++;
	polled.fd = count == 1 && fds->events == POLLOUT ? fds->fd : -9;
	polled.timeout = timeout;
	if (timeout > polled.longest)
		polled.longest = timeout;
	return polled.answers
		       ? 1
		       : ppoll(fds, count, timeout < 0 ? NULL : &limit, NULL);
}

#endif
