/* The signals that end a recording, and what is given up after one. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "lib/common/signals.h"
#include "record/record_part.h"

#define ANSWER_MS 5000
#define TIME_IS_UP (-1) /* not a signal: our own alarm after one */

/* One that is ignored would come all the same if it were blocked. */
static void list_endings(sigset_t *set)
{
	static const int endings[] = { SIGINT, SIGTERM, SIGHUP };

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (!tr2_signal_is_ignored(endings[i]))
			sigaddset(set, endings[i]);
}

static int open_signals(const sigset_t *set)
{
	return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void block_signals(const sigset_t *set, sigset_t *old)
{
	sigset_t blocked = *set;

	sigaddset(&blocked, SIGPIPE); /* write(2) fails with EPIPE instead */
	pthread_sigmask(SIG_BLOCK, &blocked, old);
}

/* Others may send SIGALRM, too; a timer's comes from the kernel. */
static int read_signal(struct tr2_ending *ending, int fd)
{
	struct signalfd_siginfo info;
	bool is_alarm;

	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return 0;
	is_alarm = info.ssi_signo == SIGALRM && info.ssi_code == SI_KERNEL;
	return is_alarm && ending->signo ? TIME_IS_UP : (int)info.ssi_signo;
}

void tr2_ending_begin(struct tr2_ending *ending, unsigned answer_ms)
{
	sigset_t set;

	ending->grace_ms = 2 * (answer_ms ? answer_ms : ANSWER_MS);
	list_endings(&set);
	sigaddset(&set, SIGALRM);
	ending->fd = open_signals(&set);
	sigaddset(&set, SIGCHLD);
	ending->all = open_signals(&set);
	signal(SIGCHLD, SIG_DFL); /* ignored, it would hide the command's end */
	block_signals(&set, &ending->old);
}

static void set_alarm(unsigned ms)
{
	const struct itimerval timer = {
		.it_value = { ms / 1000, ms % 1000 * 1000 },
	};

	setitimer(ITIMER_REAL, &timer, NULL);
}

void tr2_ending_prolong(const struct tr2_ending *ending)
{
	if (ending->signo)
		set_alarm(ending->grace_ms);
}

/* An alarm that has come already was for another wait. */
static void forget_alarm(void)
{
	static const struct timespec now;
	sigset_t alarm;

	set_alarm(0);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigtimedwait(&alarm, NULL, &now);
}

/* Before the tracing has begun there is nothing to be lost. */
static void note_signal(struct tr2_ending *ending, int signo)
{
	if (!ending->recording || signo == TIME_IS_UP)
		ending->over = true;
	else
		ending->news = signo;
	if (!ending->signo) {
		ending->signo = signo;
		forget_alarm();
		set_alarm(ending->grace_ms);
	}
}

void tr2_ending_forget(struct tr2_ending *ending)
{
	set_alarm(0);
	ending->interrupted |= ending->signo == SIGINT;
	ending->signo = 0;
	ending->news = 0;
}

/* A command that talks to a terminal goes on after SIGINT, and so do we. */
void tr2_ending_await(struct tr2_ending *ending)
{
	struct pollfd polls = { .fd = ending->all, .events = POLLIN };
	const int patience = ending->interrupted ? (int)ending->grace_ms : -1;

	if (poll(&polls, 1, patience))
		return;
	fputs("trace2 record: still waiting for the command, which goes on "
	      "after SIGINT; SIGTERM ends it\n",
	      stderr);
	ending->interrupted = false; /* said once */
}

void tr2_ending_take(struct tr2_ending *ending)
{
	int signo;

	while ((signo = read_signal(ending, ending->all)))
		if (signo != SIGCHLD)
			note_signal(ending, signo);
}

bool tr2_ending_look(void *context)
{
	struct tr2_ending *ending = context;
	int signo;

	while ((signo = read_signal(ending, ending->fd))) {
		note_signal(ending, signo);
		/* Whoever waits for `all` shall hear of it, too. */
		kill(getpid(), SIGCHLD);
	}
	return ending->over;
}

void tr2_ending_die(const struct tr2_ending *ending)
{
	set_alarm(0);
	signal(ending->signo, SIG_DFL);
	raise(ending->signo);
	pthread_sigmask(SIG_SETMASK, &ending->old, NULL);
}
