/*
 * lives_signals.h - commands of a life about signals that come where no other
 * life has them: inside of a write or a call for memory, and to a library that
 * traces.
 */
#ifndef UNIT_PROCESS_LIVES_SIGNALS_H
#define UNIT_PROCESS_LIVES_SIGNALS_H

#include <dlfcn.h>

/* `begin-at FILE`: that is the place of what begins. */
static void begin_at(char **word)
{
	trace2_initialize_fl(word[0], 1);
}

/* A point in the program's own trace, which is there then. */
static void write_own(SCRIPT_NONE)
{
	TRACE_INSTANT("own", "word", TRACE_SCOPE_THREAD);
	expect_that(process_own_has("word"), "the program's own trace");
}

/*
 * ---- A library
 */

static void leave_defaults(SCRIPT_NONE)
{
	restore_signals();
}

/* The C library plays a library that the program has loaded. */
static void watch_library(SCRIPT_NONE)
{
	tr2_signal_watch(dlsym(RTLD_DEFAULT, "qsort"));
}

/*
 * ---- Handlers that exit
 */

static int pipe_end;

/* EVENT goes to the pipe 7, whose lines have a lock. */
static void make_pipe(SCRIPT_NONE)
{
	int ends[2];

	expect_that(!pipe(ends) && dup2(ends[1], 7) == 7, "a pipe");
	pipe_end = ends[0];
	fcntl(pipe_end, F_SETFL, O_NONBLOCK);
	process_setenv("GIT_TRACE2_EVENT", "7");
}

/* As exit(3) does. */
static void exit_in_handler(int number)
{
	(void)number;
	process_exit(7);
	_exit(7);
}

/* What the handler's exit has written is in the pipe, behind a whole line. */
static void exit_and_look(int number)
{
	static char log[65536];
	ssize_t got;

	(void)number;
	process_exit(7);
	got = read(pipe_end, log, sizeof(log) - 1);
	_exit(got > 0 && strstr(log, "\"name\":\"on\"}\n") &&
			      strstr(log, "\"event\":\"atexit\"")
		      ? 7
		      : 3);
}

/* `exit-on SEGV`, `exit-on ABRT look` */
static void exit_on_signal(char **word)
{
	signal(find_signal(word[0]),
	       *word[1] ? exit_and_look : exit_in_handler);
}

static int fault_at, fault_signal; /* that call for memory; the signal */

static void *realloc_and_raise(void *old, size_t size)
{
	if (fault_at && !--fault_at)
		pthread_kill(pthread_self(), fault_signal);
	return memory_realloc(old, size);
}

static void raise_in_memory(char **word)
{
	fault_signal = find_signal(word[0]);
	kit_host.realloc = realloc_and_raise;
}

#endif
