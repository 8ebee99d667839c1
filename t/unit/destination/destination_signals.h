/*
 * destination_signals.h - verbs of destination.c about signals that a write may
 * raise, and those that may interrupt one.
 */
#ifndef UNIT_DESTINATION_DESTINATION_SIGNALS_H
#define UNIT_DESTINATION_DESTINATION_SIGNALS_H

#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "destination/look.h"
#include "host/hold.h"
#include "kit/life.h"

static volatile sig_atomic_t signals; /* that came */
static int interruptions;	      /* of the next calls of sigtimedwait() */
static int waits_long, was_cancellable; /* inside of it */

static bool is_cancellable(void)
{
	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_setcancelstate(cancel, NULL);
	return cancel == PTHREAD_CANCEL_ENABLE;
}

/* In the place of the C library's. */
int sigtimedwait(const sigset_t *set, siginfo_t *info,
		 const struct timespec *limit)
{
	was_cancellable |= is_cancellable();
	waits_long |= limit->tv_sec || limit->tv_nsec;
	if (interruptions && interruptions--) {
		errno = EINTR;
		return -1;
	}
	return (int)syscall(SYS_rt_sigtimedwait, set, info, limit, NSIG / 8);
}

static const char *tell_waits(SCRIPT_NONE)
{
	return script_say("%s, %s", waits_long ? "waits" : "does not wait",
			  was_cancellable    ? "cancelled"
			  : is_cancellable() ? "not cancelled"
					     : "never cancelled");
}

/*
 * ---- Signals of the host's
 */

static void count_signal(int signo)
{
	(void)signo;
	signals++;
}

/* `signal PIPE handled`, `ignored`, `blocked` or `raised`. */
static const char *set_signal(char **word)
{
	const int signo = find_signal(word[0]);
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, signo);
	if (!strcmp(word[1], "handled"))
		signal(signo, count_signal);
	else if (!strcmp(word[1], "ignored"))
		signal(signo, SIG_IGN);
	else if (!strcmp(word[1], "blocked"))
		pthread_sigmask(SIG_BLOCK, &mask, NULL);
	else
		raise(signo);
	return NULL;
}

/* `default, blocked, pending`, as it is. */
static const char *tell_signal(char **word)
{
	const int signo = find_signal(word[0]);
	struct sigaction action;
	sigset_t mask, pending;

	sigaction(signo, NULL, &action);
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	sigpending(&pending);
	return script_say("%s%s%s",
			  action.sa_handler == SIG_DFL ? "default" : "own",
			  sigismember(&mask, signo) ? ", blocked" : "",
			  sigismember(&pending, signo) ? ", pending" : "");
}

static const char *count_signals(SCRIPT_NONE)
{
	return script_say_number(signals);
}

/* A file may get so long, and the signal for it kills. */
static const char *limit_size(char **word)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = (rlim_t)script_number(word[0], 0);
	setrlimit(RLIMIT_FSIZE, &limit);
	return NULL;
}

/*
 * ---- Writes
 */

/* The write end of a pipe whose reader is gone. */
static const char *open_dead_pipe(SCRIPT_NONE)
{
	const int reader = kit_pipe_as(8);

	kit_open(&dst, "8");
	close(8);
	close(reader);
	return NULL;
}

/* A write that claims to raise no signal. */
static const char *write_unheld(SCRIPT_NONE)
{
	dst.raises = 0;
	kit_seen.now_ns = 1000000;
	tr2_destination_is_due(&dst.look, &kit_seen);
	return script_say_yes(
		tr2_destination_write(&dst, "seven\n", 6, &kit_seen));
}

static void *write_as_handler(void *written)
{
	*(int *)written = tr2_destination_write_signal(&dst, "a line\n", 7);
	return NULL;
}

/* As a signal handler does; `busy`: while another thread writes. */
static const char *write_in_handler(char **word)
{
	pthread_t thread;
	int written = -1;

	if (!*word[0]) {
		write_as_handler(&written);
		return script_say_yes(written);
	}
	pthread_mutex_lock(&dst.lock);
	pthread_create(&thread, NULL, write_as_handler, &written);
	pthread_join(thread, NULL);
	pthread_mutex_unlock(&dst.lock);
	return script_say_yes(written);
}

static void *write_cancelled(void *line)
{
	pthread_cancel(pthread_self());
	kit_write(&dst, line);
	kit_write(&dst, line);
	pthread_testcancel();
	return NULL;
}

static const char *cancel_writer(SCRIPT_NONE)
{
	char line[] = "a line\n";
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, write_cancelled, line);
	pthread_join(thread, &result);
	return script_say_yes(result == PTHREAD_CANCELED);
}

/*
 * ---- What a write holds
 */

static struct tr2_hold hold;

/* Whatever was there before lies on the stack of the next call. */
static void fill_stack(void)
{
	volatile char bytes[4096];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)0xff;
}

/* The signals that are blocked then, and those that are the write's. */
static const char *begin_hold(SCRIPT_NONE)
{
	static char text[128];
	sigset_t mask;

	fill_stack();
	tr2_hold_begin(&hold);
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	*text = '\0';
	for (int signo = 1; signo < 32; signo++)
		if (sigismember(&mask, signo))
			sprintf(text + strlen(text), "%s%s ",
				signo == SIGPIPE   ? "PIPE"
				: signo == SIGXFSZ ? "XFSZ"
						   : "another",
				sigismember(&hold.mine, signo) ? "" : "(not)");
	return text;
}

/* `unhold PUT ERROR`: what the write of 7 bytes answered; errno then. */
static const char *end_hold(char **word)
{
	errno = script_value_of(word[1]);
	tr2_hold_end(&hold, script_number(word[0], 0), 7);
	return script_say_error(errno);
}

/* clang-format off */
#define DESTINATION_SIGNALS \
	{ "signal", set_signal }, { "signal-is", tell_signal }, \
	{ "signals", count_signals }, { "wait-is", tell_waits }, \
	{ "limit-to", limit_size }, { "dead-pipe", open_dead_pipe }, \
	{ "unheld", write_unheld }, { "in-handler", write_in_handler }, \
	{ "cancelled", cancel_writer }, { "hold", begin_hold }, \
	{ "unhold", end_hold }
/* clang-format on */

#endif
