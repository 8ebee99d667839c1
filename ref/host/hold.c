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

static void begin_hold(struct tr2_hold *hold, const sigset_t *blocked)
{
	hold->cancel = tr2_cancel_forbid();
	pthread_sigmask(SIG_BLOCK, blocked, &hold->mask);

	sigemptyset(&hold->mine);
	sigaddset(&hold->mine, SIGPIPE);
	sigaddset(&hold->mine, SIGXFSZ);
	if (was_pending(hold, SIGPIPE))
		sigdelset(&hold->mine, SIGPIPE);
	if (was_pending(hold, SIGXFSZ))
		sigdelset(&hold->mine, SIGXFSZ);
}

void tr2_hold_begin(struct tr2_hold *hold)
{
	sigset_t ours;

	sigemptyset(&ours);
	sigaddset(&ours, SIGPIPE);
	sigaddset(&ours, SIGXFSZ);
	begin_hold(hold, &ours);
}

static sigset_t all_but_faults(void)
{
	static const int faults[] = { SIGSEGV, SIGBUS,	SIGFPE,
				      SIGILL,  SIGTRAP, SIGSYS };
	sigset_t all;

	sigfillset(&all);
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		sigdelset(&all, faults[i]);
	return all;
}

void tr2_hold_begin_all(struct tr2_hold *hold)
{
	const sigset_t all = all_but_faults();

	begin_hold(hold, &all);
}

void tr2_hold_block_all(void)
{
	const sigset_t all = all_but_faults();

	pthread_sigmask(SIG_BLOCK, &all, NULL);
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
