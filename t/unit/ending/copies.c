/* The handlers of several copies of the library, which pass a signal on. */
#define _XOPEN_SOURCE 700
#include "ending/copies.h"

#include <signal.h>

#include "kit/tap.h"

static struct tr2_copies first, second, third;
static char notes[64];

/* The last one in the row stands for the death of the process. */
static void pass_on(const struct tr2_copies *copies, const char *name,
		    int signo)
{
	strcat(notes, name);
	if (!tr2_copies_pass_on(copies, signo))
		strcat(notes, ".");
}

static void on_first(int signo)
{
	pass_on(&first, "1", signo);
}

static void on_second(int signo)
{
	pass_on(&second, "2", signo);
}

static void on_third(int signo)
{
	pass_on(&third, "3", signo);
}

static void on_host(int signo)
{
	(void)signo;
	strcat(notes, "host");
}

/* signal(3) may put it back after a signal. */
static void handle_by(void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };

	sigemptyset(&action.sa_mask);
	sigaction(SIGHUP, &action, NULL);
}

static const char *deliver_signal(void)
{
	*notes = '\0';
	raise(SIGHUP);
	return notes;
}

static void test_row(void)
{
	tr2_copies_install(&first, SIGHUP, on_first);
	tr2_copies_install(&second, SIGHUP, on_second);
	tr2_copies_install(&third, SIGHUP, on_third);
	tap_str(deliver_signal(), "321.", "a later copy passes the signal on");
	tr2_copies_install(&first, SIGHUP, on_first);
	tr2_copies_install(&third, SIGHUP, on_third);
	tap_str(deliver_signal(), "321.", "a handler is in the row once");
	tr2_copies_remove(&second, SIGHUP, on_second);
	tap_str(deliver_signal(), "321.", "one in the middle stays");
	tr2_copies_remove(&third, SIGHUP, on_third);
	tap_str(deliver_signal(), "21.", "the last one gives the signal back");
	tr2_copies_remove(&second, SIGHUP, on_second);
	tr2_copies_remove(&first, SIGHUP, on_first);
}

static void test_host(void)
{
	struct sigaction action;

	sigaction(SIGHUP, NULL, &action);
	tap_ok(action.sa_handler == SIG_DFL,
	       "after the first one it has its default action");
	handle_by(on_host);
	tr2_copies_install(&first, SIGHUP, on_first);
	tap_str(deliver_signal(), "host", "a handler of the host's stays");
	tr2_copies_remove(&first, SIGHUP, on_first);
	tap_str(deliver_signal(), "host", "and is not taken away");
	handle_by(SIG_IGN);
	tr2_copies_install(&first, SIGHUP, on_first);
	tap_str(deliver_signal(), "", "nor is a signal that is ignored");
}

/* The host's handler may block any signals but just those of the mark. */
static void test_mark(void)
{
	struct sigaction action = { .sa_handler = on_host };

	sigfillset(&action.sa_mask);
	sigaction(SIGHUP, &action, NULL);
	tr2_copies_install(&first, SIGHUP, on_first);
	tap_str(deliver_signal(), "host",
		"a handler that blocks all is no copy's");
	handle_by(SIG_DFL);
	tr2_copies_install(&first, SIGHUP, on_first);
	handle_by(SIG_DFL);
	tr2_copies_install(&first, SIGHUP, on_first);
	tap_str(deliver_signal(), "1.",
		"whom the host has removed may come again");
}

int main(void)
{
	signal(SIGHUP, SIG_DFL); /* also below nohup(1) */
	tap_run(test_row, test_host, test_mark);
	return tap_done();
}
