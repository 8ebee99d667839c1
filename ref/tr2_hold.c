#include "tr2_hold.h"

#include <errno.h>
#include <time.h>

static const int held_signals[] = { SIGPIPE, SIGXFSZ };

#define HELD (sizeof(held_signals) / sizeof(*held_signals))

void tr2_hold_begin(struct tr2_hold *hold)
{
	sigset_t all, pending;

	sigemptyset(&all);
	for (size_t i = 0; i < HELD; i++)
		sigaddset(&all, held_signals[i]);
	pthread_sigmask(SIG_BLOCK, &all, &hold->mask);

	hold->mine = all;
	for (size_t i = 0; i < HELD; i++) {
		/* What was not blocked can't have been pending. */
		if (!sigismember(&hold->mask, held_signals[i]))
			continue;
		sigpending(&pending);
		if (sigismember(&pending, held_signals[i]))
			sigdelset(&hold->mine, held_signals[i]);
	}
}

/* A write may also be cut short by the very thing that raises the signal. */
static int may_have_raised(ssize_t put, size_t len)
{
	if (put < 0)
		return errno == EPIPE || errno == EFBIG;
	return (size_t)put < len;
}

void tr2_hold_end(const struct tr2_hold *hold, ssize_t put, size_t len)
{
	const struct timespec now = { 0, 0 };
	int error = errno;

	if (may_have_raised(put, len))
		while (sigtimedwait(&hold->mine, NULL, &now) < 0 &&
		       errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &hold->mask, NULL);
	errno = error;
}
