/* The signals that end a recording: what each of them does, and when. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/record_part.h"

#define ANSWER_MS 1500

static struct tr2_ending ending;
static sigset_t usual;

static void begin_ending(bool recording)
{
	ending = (struct tr2_ending){ .recording = recording };
	tr2_ending_begin(&ending, ANSWER_MS);
}

/* What was sent and not read is forgotten. */
static void end_ending(void)
{
	tr2_ending_take(&ending);
	tr2_ending_forget(&ending);
	close(ending.fd);
	close(ending.all);
	sigprocmask(SIG_SETMASK, &usual, NULL);
}

static int is_readable(int fd)
{
	struct pollfd polls = { .fd = fd, .events = POLLIN };

	return poll(&polls, 1, 0) == 1;
}

/* To the thread's process, as other processes send it. */
static void send_signal(int signo)
{
	kill(getpid(), signo);
}

/* Milliseconds until SIGALRM comes, or 0. */
static long read_alarm(void)
{
	struct itimerval timer;

	getitimer(ITIMER_REAL, &timer);
	return timer.it_value.tv_sec * 1000 + timer.it_value.tv_usec / 1000;
}

/* As after the time that is left. */
static void pass_time(void)
{
	const struct itimerval timer = { .it_value = { 0, 1000 } };

	setitimer(ITIMER_REAL, &timer, NULL);
	poll(&(struct pollfd){ .fd = ending.fd, .events = POLLIN }, 1, 5000);
}

static bool is_grace(long ms)
{
	return ms > ANSWER_MS && ms <= 2 * ANSWER_MS;
}

static int is_blocked(int signo)
{
	sigset_t set;

	sigprocmask(SIG_SETMASK, NULL, &set);
	return sigismember(&set, signo);
}

static void test_begin(void)
{
	begin_ending(true);
	tap_int((int)ending.grace_ms, 2 * ANSWER_MS,
		"twice the time of an answer is left");
	tap_ok(is_blocked(SIGINT) && is_blocked(SIGTERM) &&
		       is_blocked(SIGHUP) && is_blocked(SIGPIPE) &&
		       is_blocked(SIGCHLD) && is_blocked(SIGALRM),
	       "the signals of an ending are blocked");
	tap_ok(!is_blocked(SIGQUIT) && !is_blocked(SIGUSR1),
	       "other ones are not");
	tap_int(sigismember(&ending.old, SIGINT), 0,
		"the mask of before is kept");
	tap_int(is_readable(ending.fd) + is_readable(ending.all), 0,
		"nothing has come yet");
	end_ending();
	ending = (struct tr2_ending){ 0 };
	tr2_ending_begin(&ending, 0);
	tap_int((int)ending.grace_ms, 10000,
		"an answer may take 5 seconds by default");
	end_ending();
}

static void test_first(void)
{
	begin_ending(true);
	send_signal(SIGTERM);
	tap_int(is_readable(ending.fd) + is_readable(ending.all), 2,
		"both descriptors tell that a signal has come");
	tr2_ending_take(&ending);
	tap_int(ending.signo, SIGTERM, "the first signal is noted");
	tap_int(ending.news, SIGTERM, "and is news for the command");
	tap_int(ending.over, false, "what was traced is still written");
	tap_ok(is_grace(read_alarm()), "for the time that is left");
	tap_int(is_readable(ending.fd) + is_readable(ending.all), 0,
		"and no descriptor tells it twice");
	send_signal(SIGINT);
	tr2_ending_take(&ending);
	tap_ok(ending.signo == SIGTERM && !ending.over,
	       "a second signal ends nothing");
	tap_int(ending.news, SIGINT, "but the command may hear of it");
	end_ending();
}

static void test_alarm(void)
{
	begin_ending(true);
	send_signal(SIGALRM);
	tr2_ending_take(&ending);
	tap_ok(ending.signo == SIGALRM && !ending.over,
	       "an alarm that somebody sends is a signal as others are");
	end_ending();
	begin_ending(true);
	send_signal(SIGINT);
	tr2_ending_take(&ending);
	send_signal(SIGALRM);
	tr2_ending_take(&ending);
	tap_ok(!ending.over && ending.news == SIGALRM,
	       "also after the first signal, when time is left");
	pass_time();
	tr2_ending_take(&ending);
	tap_int(ending.over, true, "if nothing moves for a time it is over");
	tap_int(ending.signo, SIGINT, "because of the first signal");
	end_ending();
}

/* A timer that whoever started us has set comes from the kernel, too. */
static void test_early_alarm(void)
{
	begin_ending(true);
	pass_time();
	tr2_ending_take(&ending);
	tap_ok(ending.signo == SIGALRM && !ending.over,
	       "an alarm of somebody else's timer is a signal as others are");
	end_ending();
}

/* The command has been told of the signal. */
static void test_old_news(void)
{
	begin_ending(true);
	send_signal(SIGTERM);
	tr2_ending_take(&ending);
	ending.news = 0;
	ending.grace_ms = 90000;
	tr2_ending_prolong(&ending);
	tap_ok(read_alarm() > 80000,
	       "there is more time when the command has heard of the signal");
	pass_time();
	tr2_ending_take(&ending);
	tap_int(ending.over, true, "and it ends as before");
	end_ending();
}

static void test_before(void)
{
	begin_ending(false);
	send_signal(SIGHUP);
	tr2_ending_take(&ending);
	tap_int(ending.over, true,
		"before the recording the first signal gives up");
	tap_int(ending.signo, SIGHUP, "which is noted");
	end_ending();
}

static void test_children(void)
{
	begin_ending(false);
	send_signal(SIGCHLD);
	tap_ok(is_readable(ending.all) && !is_readable(ending.fd),
	       "the end of a child is told by one descriptor");
	tr2_ending_take(&ending);
	tap_ok(!ending.signo && !ending.news && !ending.over && !read_alarm(),
	       "and ends nothing");
	end_ending();
}

static void test_look(void)
{
	begin_ending(true);
	tap_int(tr2_ending_look(&ending), false, "no signal is no end");
	tap_int(is_readable(ending.all), 0, "and no news");
	send_signal(SIGTERM);
	tap_int(tr2_ending_look(&ending), false,
		"whoever waits for an answer goes on after a signal");
	tap_int(ending.signo, SIGTERM, "and has noted it");
	tap_int(is_readable(ending.all), 1,
		"whoever waits for the command hears of it, too");
	pass_time();
	tap_int(tr2_ending_look(&ending), true,
		"whoever waits in vain gives up");
	end_ending();
}

static void test_time(void)
{
	begin_ending(true);
	tr2_ending_prolong(&ending);
	tap_int(read_alarm(), 0, "without a signal nothing is given up");
	ending.grace_ms = 60500;
	send_signal(SIGTERM);
	tr2_ending_take(&ending);
	tap_ok(read_alarm() > 60000 && read_alarm() <= 60500,
	       "the time may have seconds and parts of one");
	ending.grace_ms = 90000;
	tr2_ending_prolong(&ending);
	tap_ok(read_alarm() > 89000, "what moves has all the time again");
	send_signal(SIGTERM);
	ending.grace_ms = 120000;
	tr2_ending_take(&ending);
	tap_ok(read_alarm() <= 90000, "a second signal gives no more time");
	tr2_ending_forget(&ending);
	tap_ok(!read_alarm() && !ending.signo && !ending.news,
	       "a signal can be forgotten");
	send_signal(SIGINT);
	tr2_ending_take(&ending);
	tap_int(ending.signo, SIGINT, "then the next one is the first");
	end_ending();
}

/* Returns 1 if the signal of a terminal that has this one comes and ends. */
static int take_key(int terminal)
{
	if (write(terminal, "\003", 1) != 1)
		return -1;
	poll(&(struct pollfd){ .fd = ending.fd, .events = POLLIN }, 1, 5000);
	tr2_ending_take(&ending);
	return ending.over;
}

/* As the first process of a terminal, of which we also have the other end. */
static int press_keys(void)
{
	int ours = posix_openpt(O_RDWR | O_NOCTTY), theirs;

	if (setsid() < 0 || grantpt(ours) || unlockpt(ours))
		return 9;
	theirs = open(ptsname(ours), O_RDWR);
	begin_ending(true);
	if (theirs < 0 || take_key(ours) || ending.signo != SIGINT)
		return 8;
	return take_key(ours);
}

/* Signals of a terminal come from the kernel, as that of a timer does. */
static void test_terminal(void)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(press_keys());
	waitpid(pid, &status, 0);
	tap_int(status, 0,
		"two keys of a terminal do not mean that time is up");
}

static void test_nohup(void)
{
	signal(SIGHUP, SIG_IGN);
	begin_ending(true);
	tap_ok(!is_blocked(SIGHUP) && is_blocked(SIGTERM),
	       "under nohup a terminal that goes ends nothing");
	end_ending();
	signal(SIGHUP, SIG_DFL);
}

/* Returns the signal of which a child dies, or minus its status. */
static int die_of(int signo, bool is_blocked_before)
{
	pid_t pid = fork();
	sigset_t set;
	int status;

	if (!pid) {
		sigemptyset(&set);
		sigaddset(&set, signo);
		if (is_blocked_before)
			sigprocmask(SIG_BLOCK, &set, NULL);
		signal(signo, SIG_IGN);
		begin_ending(false);
		ending.signo = signo;
		tr2_ending_prolong(&ending);
		tr2_ending_die(&ending);
		_exit(read_alarm() ? 1 : 3);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

static void test_die(void)
{
	tap_int(die_of(SIGTERM, false), SIGTERM, "it dies of the signal");
	tap_int(die_of(SIGINT, false), SIGINT, "whichever it was");
	tap_int(die_of(SIGTERM, true), -3,
		"unless whoever started it had blocked the signal");
}

static void test_plain_signals(void)
{
	int fd = tr2_record_signals();

	tap_ok(is_blocked(SIGINT) && is_blocked(SIGPIPE) &&
		       !is_blocked(SIGALRM) && !is_blocked(SIGCHLD),
	       "a command without a recording has no time limit");
	tap_int(is_readable(fd), 0, "it goes on");
	send_signal(SIGTERM);
	tap_int(is_readable(fd), 1, "until a signal ends it");
	signal(SIGTERM, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	close(fd);
	sigprocmask(SIG_SETMASK, &usual, NULL);
}

int main(void)
{
	signal(SIGHUP, SIG_DFL);
	sigprocmask(SIG_SETMASK, NULL, &usual);
	tap_run(test_begin, test_first, test_alarm, test_early_alarm,
		test_old_news, test_before, test_children, test_look, test_time,
		test_terminal, test_nohup, test_die, test_plain_signals);
	return tap_done();
}
