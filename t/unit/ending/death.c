/* The handler that the parts of the library share, without the parts. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "kit/tap.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "ending/death.h"
#include "host/host.h"

static void (*meanwhile)(void); /* while a default action is restored */

/* In the place of the C library's. */
int sigaction(int signo, const struct sigaction *action, struct sigaction *old)
{
	static int (*next)(int, const struct sigaction *, struct sigaction *);
	void (*call)(void) = meanwhile;
	void *found;

	if (!next) {
		found = dlsym(RTLD_NEXT, "sigaction");
		memcpy(&next, &found, sizeof(next));
	}
	if (call && action && action->sa_handler == SIG_DFL) {
		meanwhile = NULL;
		call();
	}
	return next(signo, action, old);
}

static char notes[256];
static int is_immortal;

int raise(int signo)
{
	char text[16];

	snprintf(text, sizeof(text), "raise %d; ", signo);
	strcat(notes, text);
	errno = EXDEV;
	return is_immortal ? 0 : -1;
}

static const char *take_output(void)
{
	static char text[sizeof(notes)];

	strcpy(text, notes);
	*notes = '\0';
	return text;
}

static int before_process(int signo)
{
	sigset_t set;

	strcat(notes, signo == SIGTERM ? "process; " : "process?; ");
	pthread_sigmask(SIG_SETMASK, NULL, &set);
	if (!sigismember(&set, signo))
		strcat(notes, "open; ");
	return 7;
}

static void after_process(int result)
{
	strcat(notes, result == 7 ? "lives; " : "lives?; ");
}

static int before_agent(int signo)
{
	(void)signo;
	strcat(notes, "agent; ");
	return 0;
}

static const struct tr2_death process = { before_process, after_process };
static const struct tr2_death agent = { before_agent, NULL };

/* Delivers it without raise(3), which is the test's own. */
static const char *deliver_signal(int signo)
{
	take_output();
	pthread_kill(pthread_self(), signo);
	return take_output();
}

static int has_handler(int signo, void (*handler)(int))
{
	struct sigaction action;

	sigaction(signo, NULL, &action);
	return action.sa_handler == handler;
}

static const int watched[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

static int count_defaults(void)
{
	int count = 0;

	for (size_t i = 0; i < sizeof(watched) / sizeof(*watched); i++)
		count += has_handler(watched[i], SIG_DFL);
	return count;
}

static void test_parts(void)
{
	tr2_death_join(TR2_DEATH_AGENT, &agent);
	tap_int(count_defaults(), 5, "a part that joins handles no signal yet");
	errno = EDOM;
	tr2_death_watch(TR2_DEATH_PROCESS);
	tap_ok(!count_defaults() && errno == EDOM,
	       "a part that watches does, and errno is kept");
	errno = EDOM;
	tap_str(deliver_signal(SIGTERM), "agent; raise 15; ",
		"only parts that have joined are called");
	tap_ok(has_handler(SIGTERM, SIG_DFL) && errno == EDOM,
	       "the signal has its default action then");
	tr2_death_join(TR2_DEATH_PROCESS, &process);
	tr2_death_watch(TR2_DEATH_PROCESS);
	tap_str(deliver_signal(SIGTERM), "process; agent; raise 15; lives; ",
		"the process writes before the agent passes on");
}

static void test_ends(void)
{
	tr2_death_watch(TR2_DEATH_PROCESS);
	tr2_death_watch(TR2_DEATH_AGENT);
	tr2_death_quit(TR2_DEATH_AGENT);
	tap_int(count_defaults(), 0, "the handler stays for another part");
	tap_str(deliver_signal(SIGTERM), "process; raise 15; lives; ",
		"and a part that quit is not called");
	tr2_death_watch(TR2_DEATH_PROCESS);
	signal(SIGINT, SIG_IGN);
	tr2_death_quit(TR2_DEATH_AGENT);
	tap_int(count_defaults(), 0, "who does not watch removes nothing");
	tr2_death_quit(TR2_DEATH_PROCESS);
	tap_int(count_defaults(), 4, "with the last part the handler goes");
	tap_ok(has_handler(SIGINT, SIG_IGN), "but not one of the host");
	signal(SIGINT, SIG_DFL);
}

static void watch_process(void)
{
	tr2_death_watch(TR2_DEATH_PROCESS);
}

static void test_race(void)
{
	tr2_death_watch(TR2_DEATH_AGENT);
	meanwhile = watch_process;
	tr2_death_quit(TR2_DEATH_AGENT);
	tap_int(count_defaults(), 0,
		"who begins while another one ends has the handler");
	tr2_death_quit(TR2_DEATH_PROCESS);
	tap_int(count_defaults(), 5, "until it ends as well");
}

static void test_early(void)
{
	tr2_death_watch_early(TR2_DEATH_AGENT);
	tap_ok(count_defaults() == 1 && has_handler(SIGINT, SIG_DFL),
	       "before the program runs, SIGINT is left to it");
	tr2_death_watch(TR2_DEATH_PROCESS);
	tap_int(count_defaults(), 0, "but not later");
	tr2_death_quit(TR2_DEATH_PROCESS);
	tr2_death_quit(TR2_DEATH_AGENT);
	tap_int(count_defaults(), 5, "and all are given back");
}

static void test_library(void)
{
	tr2_death_watch(TR2_DEATH_AGENT);
	tr2_death_spare_interrupt();
	tap_ok(count_defaults() == 1 && has_handler(SIGINT, SIG_DFL),
	       "a library that traces gives SIGINT back to its host");
	tr2_death_watch(TR2_DEATH_AGENT);
	tap_ok(has_handler(SIGINT, SIG_DFL), "and does not take it again");
	tr2_death_quit(TR2_DEATH_AGENT);
}

static void test_holding(void)
{
	sigset_t old, held;

	tr2_death_join(TR2_DEATH_PROCESS, &process);
	tr2_death_watch(TR2_DEATH_PROCESS);
	sigemptyset(&held);
	sigaddset(&held, SIGUSR1);
	pthread_sigmask(SIG_SETMASK, &held, NULL);
	tr2_death_hold(&old);
	tap_str(deliver_signal(SIGTERM), "", "a signal can be held back");
	pthread_sigmask(SIG_SETMASK, NULL, &held);
	tap_ok(sigismember(&held, SIGUSR1) && sigismember(&held, SIGPIPE) &&
		       !sigismember(&held, SIGSEGV),
	       "together with those that were held before");
	tr2_death_let_go(&old);
	tap_str(take_output(), "process; raise 15; lives; ", "and comes later");
	pthread_sigmask(SIG_SETMASK, NULL, &held);
	tap_ok(sigismember(&held, SIGUSR1) && !sigismember(&held, SIGPIPE),
	       "the mask is as it was");
}

static void test_leaving(void)
{
	tr2_death_watch(TR2_DEATH_PROCESS);
	signal(SIGHUP, SIG_IGN);
	tap_ok(!tr2_death_is_left(), "signals are not left alone at first");
	tr2_death_leave();
	tap_ok(tr2_death_is_left() && count_defaults() == 4,
	       "signals can be left alone");
	tr2_death_watch(TR2_DEATH_AGENT);
	tap_int(count_defaults(), 4, "from then on");
}

static pid_t pid;

static pid_t tell_pid(void)
{
	return pid;
}

/* What a fork makes of the handlers, if the child has this pid. */
static int count_in_child(pid_t number)
{
	pid = number;
	tr2_death_fork_child();
	return count_defaults();
}

static void test_first_process(void)
{
	const struct tr2_host *before = tr2_host;
	struct tr2_host host = *before;

	host.getpid = tell_pid;
	tr2_host = &host;
	pid = 1;
	tr2_death_watch(TR2_DEATH_PROCESS);
	tap_int(count_defaults(), 5,
		"the first process of a container does not die, and handles none");
	signal(SIGHUP, SIG_IGN);
	tap_int(count_in_child(2), 0, "its child dies, and handles them");
	tap_ok(has_handler(SIGHUP, SIG_IGN), "but one that is ignored");
	signal(SIGTERM, SIG_DFL);
	tap_int(count_in_child(3), 1, "a child of a child handles no more");
	tap_int(count_in_child(1), 4,
		"a child in a new container handles none");
	tap_int(count_in_child(4), 1, "and its own child those of before");
	tr2_death_quit(TR2_DEATH_PROCESS);
	tap_ok(count_in_child(1) == 4 && count_in_child(5) == 4,
	       "who watches none gets none");
	signal(SIGHUP, SIG_DFL);
	tr2_host = before;
}

int main(void)
{
	/* A shell makes a program in the background ignore some. */
	for (size_t i = 0; i < sizeof(watched) / sizeof(*watched); i++)
		signal(watched[i], SIG_DFL);
	is_immortal = 1;
	tap_run(test_parts, test_ends, test_race, test_early,
		test_first_process, test_holding, test_library, test_leaving);
	return tap_done();
}
