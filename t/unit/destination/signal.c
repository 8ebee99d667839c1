/* Signals that a write may raise, and those that may interrupt one. */
#define _GNU_SOURCE /* syscall() */
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "kit/destination.h"
#include "destination/look.h"
#include "host/hold.h"

static struct tr2_destination dst;

/* Signals of which a test wants to know whether they came. */
static volatile sig_atomic_t signals;

static int interruptions; /* of the next calls */
static int waits_long;
static int was_cancellable; /* a thread, inside of sigtimedwait() */

static int is_cancellable(void)
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
	if (interruptions-- > 0) {
		errno = EINTR;
		return -1;
	}
	return (int)syscall(SYS_rt_sigtimedwait, set, info, limit, NSIG / 8);
}

static void count_signal(int signo)
{
	(void)signo;
	signals++;
}

/* The file may grow to 8 bytes: the first event fits, the next does not. */
static int past_the_limit(void)
{
	struct rlimit limit;
	sigset_t pending;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = 8;
	setrlimit(RLIMIT_FSIZE, &limit);
	unlink("file");
	if (!kit_open(&dst, kit_path("file")) || !kit_write(&dst, "five\n"))
		return 1;
	if (kit_write(&dst, "six six\n") || dst.dropped != 1)
		return 2;
	sigpending(&pending);
	return sigismember(&pending, SIGXFSZ) ? 3 : 0;
}

/* This write claims to raise a signal, but the signal is not held. */
static int raise_unheld(void)
{
	if (past_the_limit())
		return 1;
	signal(SIGXFSZ, count_signal);
	kit_open(&dst, kit_path("file"));
	dst.raises = 0;
	kit_seen.now_ns = 1000000;
	tr2_destination_is_due(&dst.look, &kit_seen);
	tr2_destination_write(&dst, "seven\n", 6, &kit_seen);
	return signals == 1 ? 0 : 2;
}

static void test_size_limit(void)
{
	tap_int(kit_in_child(raise_unheld), 0,
		"without a limit no signal is held");

	tap_int(kit_in_child(past_the_limit), 0,
		"a file at its size limit is a drop and no SIGXFSZ");
	kit_stderr();
}

/* Open the write end of a pipe whose reader is gone. */
static void open_dead_pipe(void)
{
	int reader = kit_pipe_as(8);

	kit_open(&dst, "8");
	close(8);
	close(reader);
}

static int is_pending(int signo)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, signo);
}

static int dead_pipe_by_default(void)
{
	struct sigaction action;

	open_dead_pipe();
	if (kit_write(&dst, "a line\n") || dst.dropped != 1)
		return 1;
	sigaction(SIGPIPE, NULL, &action);
	return action.sa_handler == SIG_DFL ? 0 : 2;
}

static int dead_pipe_with_handler(void)
{
	struct sigaction action = { .sa_handler = count_signal };

	sigaction(SIGPIPE, &action, NULL);
	open_dead_pipe();
	kit_write(&dst, "a line\n");
	if (signals)
		return 1;
	raise(SIGPIPE);
	return signals == 1 ? 0 : 2;
}

static int dead_pipe_while_blocked(void)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &mask, NULL);
	open_dead_pipe();
	kit_write(&dst, "a line\n");
	if (is_pending(SIGPIPE))
		return 1;
	raise(SIGPIPE);
	open_dead_pipe();
	kit_write(&dst, "a line\n");
	if (!is_pending(SIGPIPE))
		return 2;
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	return sigismember(&mask, SIGPIPE) ? 0 : 3;
}

static int writes;

/* A reader that goes while it reads: the write is short and raises. */
static ssize_t short_and_raise(int fd, const void *bytes, size_t len)
{
	if (fd < 10)
		return tr2_host_system.write(fd, bytes, len);
	if (writes++) {
		errno = EPIPE;
		return -1;
	}
	raise(SIGPIPE);
	return 3;
}

static int dying_pipe(void)
{
	kit_pipe_as(8);
	kit_open(&dst, "8");
	writes = 0;
	kit_host.write = short_and_raise;
	return kit_write(&dst, "a line\n") || dst.dropped != 1;
}

static int interrupted_at_dead_pipe(void)
{
	interruptions = 2;
	return dead_pipe_by_default();
}

static int dead_pipe_without_signal(void)
{
	sigset_t mask;

	signal(SIGPIPE, SIG_IGN);
	open_dead_pipe();
	kit_write(&dst, "a line\n");
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	return waits_long || sigismember(&mask, SIGPIPE);
}

/* Whatever was there before lies on the stack of the next call. */
static void fill_stack(void)
{
	volatile char bytes[4096];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)0xff;
}

static int holds_two_signals(void)
{
	struct tr2_hold hold;
	sigset_t mask;

	fill_stack();
	tr2_hold_begin(&hold);
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	tr2_hold_end(&hold, 1, 1);
	for (int signo = 1; signo < 32; signo++)
		if (sigismember(&mask, signo) !=
		    (signo == SIGPIPE || signo == SIGXFSZ))
			return signo;
	return 0;
}

/* What is pending already is not the write's. */
static int leaves_what_was_pending(int signo, int other)
{
	struct tr2_hold hold;
	sigset_t mask;
	int wrong;

	sigemptyset(&mask);
	sigaddset(&mask, signo);
	sigaddset(&mask, other);
	pthread_sigmask(SIG_BLOCK, &mask, NULL);
	raise(signo);
	fill_stack();
	tr2_hold_begin(&hold);
	wrong = sigismember(&hold.mine, signo) ||
		!sigismember(&hold.mine, other);
	tr2_hold_end(&hold, -1, 7);
	return wrong || !is_pending(signo);
}

/* Else a cancelled thread would leave the signal to its host. */
static int is_not_cancelled(void)
{
	if (past_the_limit() || was_cancellable)
		return 1;
	return !is_cancellable();
}

static int leaves_sigpipe(void)
{
	return leaves_what_was_pending(SIGPIPE, SIGXFSZ);
}

static int leaves_sigxfsz(void)
{
	return leaves_what_was_pending(SIGXFSZ, SIGPIPE);
}

/* A write that writes nothing may have raised a signal, whatever errno is. */
static int takes_back_at_nothing(void)
{
	struct tr2_hold hold;

	tr2_hold_begin(&hold);
	raise(SIGPIPE);
	errno = 0;
	tr2_hold_end(&hold, 0, 7);
	return 0;
}

/* A signal that comes while a write is under way, and not from it. */
static int gives_back(ssize_t put, int error)
{
	struct sigaction action = { .sa_handler = count_signal };
	struct tr2_hold hold;

	signals = 0;
	sigaction(SIGPIPE, &action, NULL);
	tr2_hold_begin(&hold);
	raise(SIGPIPE);
	errno = error;
	tr2_hold_end(&hold, put, 7);
	return signals == 1 && errno == error ? 0 : 1;
}

static int gives_back_others(void)
{
	return gives_back(7, 0) || gives_back(-1, EAGAIN);
}

static void test_hold(void)
{
	tap_int(kit_in_child(interrupted_at_dead_pipe), 0,
		"a signal is taken back in spite of interruptions");
	tap_int(kit_in_child(dead_pipe_without_signal), 0,
		"a signal that does not come is not waited for");
	tap_int(kit_in_child(holds_two_signals), 0,
		"a write holds SIGPIPE and SIGXFSZ and no other signal");
	tap_int(kit_in_child(is_not_cancelled), 0,
		"a thread is not cancelled while its write holds signals");
	tap_int(kit_in_child(leaves_sigpipe), 0,
		"a SIGPIPE that was pending before a write stays");
	tap_int(kit_in_child(leaves_sigxfsz), 0,
		"a SIGXFSZ that was pending before a write stays");
	tap_int(kit_in_child(takes_back_at_nothing), 0,
		"a write of nothing has its signal taken back");
	tap_int(kit_in_child(gives_back_others), 0,
		"a signal that no write raised reaches the host");
	kit_stderr();
}

static int dead_socket(void)
{
	int peer = kit_socket_as(8, SOCK_STREAM);

	kit_open(&dst, "8");
	close(peer);
	return !kit_write(&dst, "a line\n") && dst.dropped == 1 ? 0 : 2;
}

static int dead_stderr(void)
{
	close(kit_pipe_as(STDERR_FILENO));
	kit_open(&dst, "1");
	kit_write(&dst, "a line\n"); /* and a warning, to the same pipe */
	return dst.dropped == 1 ? 0 : 2;
}

static void test_dead_readers(void)
{
	tap_int(kit_in_child(dead_pipe_by_default), 0,
		"a dead pipe is a drop, SIGPIPE stays at its default");
	tap_int(kit_in_child(dead_pipe_with_handler), 0,
		"a dead pipe does not call the host's SIGPIPE handler");
	tap_int(kit_in_child(dead_pipe_while_blocked), 0,
		"a dead pipe keeps the host's own pending SIGPIPE");
	tap_int(kit_in_child(dying_pipe), 0,
		"a pipe that dies in the middle of a line is a drop");
	tap_int(kit_in_child(dead_socket), 0, "a dead socket is a drop");
	tap_int(kit_in_child(dead_stderr), 0,
		"a dead standard error under debug kills nobody");
	kit_stderr();
}

static void *write_as_handler(void *written)
{
	*(int *)written = tr2_destination_write_signal(&dst, "a line\n", 7);
	return NULL;
}

static void test_signal_handler(void)
{
	int reader = kit_pipe_as(8);
	pthread_t thread;
	int written = -1;

	kit_open(&dst, "8");
	tap_int(tr2_destination_write_signal(&dst, "a line\n", 7), 1,
		"a signal handler writes to a free stream");
	pthread_mutex_lock(&dst.lock);
	pthread_create(&thread, NULL, write_as_handler, &written);
	pthread_join(thread, NULL);
	pthread_mutex_unlock(&dst.lock);
	tap_ok(!written && dst.dropped == 1 && dst.alive,
	       "a signal handler skips a busy stream");
	kit_close(&dst);
	close(8);
	close(reader);

	kit_open(&dst, "/dev/full");
	tap_int(tr2_destination_write_signal(&dst, "a line\n", 7), 0,
		"a signal handler's failed write is a drop");
	tap_str(kit_stderr(), "", "a signal handler never warns");
	kit_close(&dst);
}

static void *write_cancelled(void *line)
{
	pthread_cancel(pthread_self());
	kit_write(&dst, line);
	kit_write(&dst, line);
	pthread_testcancel();
	return NULL;
}

static void test_cancellation(void)
{
	char line[] = "a line\n";
	pthread_t thread;
	void *result;

	unlink("file");
	kit_open(&dst, kit_path("file"));
	pthread_create(&thread, NULL, write_cancelled, line);
	pthread_join(thread, &result);
	tap_str(kit_content("file"), "a line\na line\n",
		"a thread is not cancelled inside a write");
	tap_ok(result == PTHREAD_CANCELED,
	       "a thread is cancelled after the write");
	kit_close(&dst);
}

int main(void)
{
	kit_start();
	tap_run(test_size_limit, test_dead_readers, test_hold,
		test_signal_handler, test_cancellation);
	return kit_done();
}
