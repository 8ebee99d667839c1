/*
 * Loaded before a program, this notes in the file that WAITS names how long
 * the program wanted to wait, in microseconds, whenever it waited to the end:
 * for descriptors that were not ready, or for nothing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int note(int result, long long us)
{
	const char *path = getenv("WAITS");
	const int saved = errno;
	int file;

	if (!result && us > 0 && path) {
		file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC,
			    0666);
		dprintf(file, "%lld\n", us);
		close(file);
	}
	errno = saved;
	return result;
}

static long long us_of(const struct timespec *wait)
{
	return wait ? wait->tv_sec * 1000000LL + wait->tv_nsec / 1000 : 0;
}

int poll(struct pollfd *polls, nfds_t count, int ms)
{
	return note(REAL(poll)(polls, count, ms), ms * 1000LL);
}

int ppoll(struct pollfd *polls, nfds_t count, const struct timespec *wait,
	  const sigset_t *mask)
{
	return note(REAL(ppoll)(polls, count, wait, mask), us_of(wait));
}

/* What a program calls that was compiled with _FORTIFY_SOURCE. */
int __poll_chk(struct pollfd *polls, nfds_t count, int ms, size_t size)
{
	(void)size;
	return poll(polls, count, ms);
}

int __ppoll_chk(struct pollfd *polls, nfds_t count, const struct timespec *wait,
		const sigset_t *mask, size_t size)
{
	(void)size;
	return ppoll(polls, count, wait, mask);
}

int select(int most, fd_set *in, fd_set *out, fd_set *odd, struct timeval *wait)
{
	const long long us = wait ? wait->tv_sec * 1000000LL + wait->tv_usec
				  : 0;

	return note(REAL(select)(most, in, out, odd, wait), us);
}

int pselect(int most, fd_set *in, fd_set *out, fd_set *odd,
	    const struct timespec *wait, const sigset_t *mask)
{
	return note(REAL(pselect)(most, in, out, odd, wait, mask), us_of(wait));
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int ms)
{
	return note(REAL(epoll_wait)(epoll, events, most, ms), ms * 1000LL);
}

int nanosleep(const struct timespec *wait, struct timespec *rest)
{
	return note(REAL(nanosleep)(wait, rest), us_of(wait));
}

int usleep(useconds_t us)
{
	return note(REAL(usleep)(us), us);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wait,
		    struct timespec *rest)
{
	return note(REAL(clock_nanosleep)(clock, flags, wait, rest),
		    flags & TIMER_ABSTIME ? 0 : us_of(wait));
}
