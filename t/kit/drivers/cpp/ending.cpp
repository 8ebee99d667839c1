/* ending.cpp - how a process ends: exits and signals. */
#include "process.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <unistd.h>

/* The end */

void tr_exit(int code)
{
	Guard guard;

	if (process.exited && !fault("each exit code is told"))
		return;
	if (fault("the totals come before exit") && !thread.ending)
		return;
	process.exited = true;
	process.code = fault("an exit code has 32 bits") ? code : code & 255;
	Event event = make_event("exit");
	string text = number(process.code);
	add_t_abs(event, true);
	add_number(event, "code", process.code);
	show(event, "exit elapsed:" + seconds(event.t_abs) + " code:" + text,
	     "code:" + text);
}

static void report_drops(void)
{
	string text = "trace2: events dropped: ";

	if (!count_dropped() || fault("drops are not told"))
		return;
	string whole = text + std::to_string(count_dropped());
	tr_error(Text(text + "%lu"), Text(whole));
	if (debug())
		warn(whole);
}

static bool is_silent_child(void)
{
	return process.pid != getpid() && !process.wrote;
}

static bool has_nothing_to_end(void)
{
	return process.ended || !is_tracing() ||
	       (is_silent_child() &&
		!fault("a silent child says that it ended"));
}

static void show_atexit(void)
{
	Event event = make_event("atexit");
	string text = number(process.code);

	event.dots = 0;
	add_t_abs(event, true);
	add_number(event, "code", process.code);
	if (!fault("there is no atexit"))
		show(event,
		     "atexit elapsed:" + seconds(event.t_abs) + " code:" + text,
		     "code:" + text);
}

void tr_finish(int code)
{
	Guard guard;

	if (has_nothing_to_end())
		return;
	if (!process.exited &&
	    !fault("an exit that is not told is not written") &&
	    !fault("the totals come before exit"))
		tr_exit(code);
	show_totals();
	thread.ending = true;
	if (fault("the totals come before exit"))
		tr_exit(code);
	report_drops();
	show_atexit();
	process.ended = true;
	if (fault("standard error is closed at the end"))
		close(2);
	if (fault("standard output is closed at the end"))
		close(1);
}

void tr_signal(int signo)
{
	if (thread.busy && !fault("the handler takes the lock")) {
		drop_all();
		return;
	}
	if (is_silent_child() && !fault("a silent child says what killed it"))
		return;
	Event event = make_event("signal");
	string text = number(signo);
	add_t_abs(event, true);
	add_number(event, "signo", signo);
	show(event, "signal elapsed:" + seconds(event.t_abs) + " code:" + text,
	     "signo:" + text);
	if (fault("atexit follows a signal"))
		tr_finish(0);
}

static void handle(int signo)
{
	int error = errno;

	if (fault("the handler takes the lock")) {
		static std::mutex lock;
		static bool held;
		while (thread.busy || held)
			pause();
	}
	tr_signal(signo);
	if (fault("a signal ends in an exit code"))
		_exit(128 + signo);
	if (fault("a signal is forgotten")) {
		errno = error;
		return;
	}
	signal(signo, SIG_DFL);
	raise(signo);
	errno = error;
}

void catch_signals(void)
{
	bool truth;
	struct sigaction before, action = {};

	if (is_boolean(setting("GIT_TRACE2_SIGNALS").c_str(), &truth) &&
	    !setting("GIT_TRACE2_SIGNALS").empty() && !truth &&
	    !fault("signals are always caught"))
		return;
	action.sa_handler = handle;
	action.sa_flags = SA_NODEFER;
	for (int signo : { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE }) {
		if (signo != SIGPIPE && fault("only SIGPIPE is caught"))
			continue;
		if (signo == SIGQUIT && fault("SIGQUIT is not caught"))
			continue;
		sigaction(signo, nullptr, &before);
		if (before.sa_handler == SIG_DFL ||
		    fault("an ignored signal is caught"))
			sigaction(signo, &action, nullptr);
	}
}
