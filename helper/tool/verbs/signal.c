/* Signals. */
#include "verbs.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define AT(line) "signal.c", (line)

static const struct {
	const char *name;
	int signo;
} signals[] = {
	{ "INT", SIGINT },   { "TERM", SIGTERM }, { "HUP", SIGHUP },
	{ "QUIT", SIGQUIT }, { "PIPE", SIGPIPE }, { "KILL", SIGKILL },
	{ "USR1", SIGUSR1 },
};

static int find_signal(const char *name)
{
	size_t i;

	for (i = 0; name && i < ARRAY_SIZE(signals); i++)
		if (!strcmp(signals[i].name, name))
			return signals[i].signo;
	tool_die(AT(1), "expect INT, TERM, HUP, QUIT, PIPE, KILL or USR1");
}

static void set_action(int signo, void (*handler)(int))
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	sigaction(signo, &action, NULL);
}

static void raise_now(int signo)
{
	fake_tick();
	raise(signo);
}

static int run_540signal(const char **argv)
{
	raise_now(find_signal(argv[0]));
	return 0;
}

static int run_541signal_region(const char **argv)
{
	int signo = find_signal(argv[0]);

	TRACE(region_enter, AT(20), "cat", "open", TRACE2_REPO_NONE);
	raise_now(signo);
	TRACE(region_leave, AT(21), "cat", "open", TRACE2_REPO_NONE);
	return 0;
}

/* This program ignores the signal after its start. */
static int run_542signal_ignored(const char **argv)
{
	int signo = find_signal(argv[0]);

	set_action(signo, SIG_IGN);
	raise_now(signo);
	TRACE(printf, AT(30), "still here");
	return 0;
}

/* The child ignores the signal from its first instruction. */
static int run_543ignore(const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;
	int signo = find_signal(argv[0]);

	if (!argv[1])
		tool_die(AT(40), "expect <signal> <child_command_line>");
	set_action(signo, SIG_IGN);
	child.argv = argv + 1;
	tool_exit(AT(41), tool_run(&child));
}

static void own_handler(int signo)
{
	static const char text[] = "handled\n";

	(void)signo;
	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		_exit(1);
}

static int run_544signal_handler(const char **argv)
{
	int signo = find_signal(argv[0]);

	set_action(signo, own_handler);
	raise_now(signo);
	TRACE(printf, AT(50), "still here");
	return 0;
}

static void known_thread(int place, void *data)
{
	(void)place;
	TRACE(thread_start, AT(60), "raises");
	raise_now(*(int *)data);
	TRACE(thread_exit, AT(61));
}

static void unknown_thread(int place, void *data)
{
	(void)place;
	raise_now(*(int *)data);
}

static int run_545signal_thread(const char **argv)
{
	int signo = find_signal(argv[0]);

	tool_threads(1, argv[1] ? unknown_thread : known_thread, &signo);
	return 0;
}

/* A real SIGPIPE: a pipe that nobody reads. */
static void run_546sigpipe(void)
{
	int ends[2];

	if (pipe(ends) < 0)
		tool_die(AT(70), "no pipe");
	close(ends[0]);
	fake_tick();
	if (write(ends[1], "x", 1) < 0)
		TRACE(printf, AT(71), "still here");
}

const struct verb verbs_signal[] = {
	VERB(540signal, "<signal>"),
	VERB(541signal_region, "<signal>"),
	VERB(542signal_ignored, "<signal>"),
	VERB(543ignore, "<signal> <child_command_line>"),
	VERB(544signal_handler, "<signal>"),
	VERB(545signal_thread, "<signal> [unknown]"),
	PLAIN(546sigpipe),
	{ .name = NULL },
};
