#include "host/hold.h"

#include <errno.h>
#include <time.h>

#include "host/cancel.h"

/* What was not blocked can't have been pending. */
static int was_pending(const struct tr2_hold *hold, int signo)
{
	sigset_t pending;

	if (!sigismember(&hold->mask, signo))
		return 0;
	sigpending(&pending);
	return sigismember(&pending, signo);
}

void tr2_hold_begin(struct tr2_hold *hold)
{
	sigset_t all;

	hold->cancel = tr2_cancel_forbid();
	sigemptyset(&all);
	sigaddset(&all, SIGPIPE);
	sigaddset(&all, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &all, &hold->mask);

	hold->mine = all;
	if (was_pending(hold, SIGPIPE))
		sigdelset(&hold->mine, SIGPIPE);
	if (was_pending(hold, SIGXFSZ))
		sigdelset(&hold->mine, SIGXFSZ);
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
		while (sigtimedwait(&hold->mine, NULL, &now) == -1 &&
		       errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &hold->mask, NULL);
	tr2_cancel_allow(hold->cancel);
	errno = error;
}
