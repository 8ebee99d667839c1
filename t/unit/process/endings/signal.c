/*
 * Signals that end a process which lives.txt can't tell: on a stack of the
 * program's, beside a trace of its own, without room, and in a library.
 */
#include "process/process_kit.h"

#include <dlfcn.h>
#include <signal.h>

#include "process/process.h"
#include "trace/event.h"

static const int watched[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

#define WATCHED (sizeof(watched) / sizeof(*watched))

static int is_immortal;

/* In the place of the C library's. Process 1 of a container lives on. */
int raise(int number)
{
	return is_immortal ? 0 : pthread_kill(pthread_self(), number);
}

static void survive_signal(void)
{
	is_immortal = 1;
	pthread_kill(pthread_self(), SIGTERM);
}

/* The trace that the program has is not ours to write to. */
static int live_on_with_own_trace(void)
{
	process_own_trace();
	begin_program();
	survive_signal();
	TRACE_INSTANT("own", "word", TRACE_SCOPE_THREAD);
	return process_own_has("signo") || !process_own_has("word");
}

/* Its line has no room. */
static int live_on_far_away(void)
{
	static char file[9000];

	memset(file, 'x', sizeof(file) - 1);
	trace2_initialize_fl(file, 1);
	survive_signal();
	return trace2_dropped() != 1;
}

static void test_survivor(void)
{
	process_prepare();
	tap_int(kit_in_child(live_on_with_own_trace), 0,
		"a signal is not written to the program's own trace");
	process_prepare();
	tap_int(kit_in_child(live_on_far_away), 0,
		"a signal whose line has no room is a drop");
	tap_ok(!strstr(kit_content("event"), "signal"),
	       "a signal whose line has no room is not written");
}

/* Its stack is the one that the program set aside. */
static char *stack;
static size_t stack_size;

static ssize_t write_where(int fd, const void *bytes, size_t len)
{
	char here;

	if (&here < stack || &here >= stack + stack_size)
		return 0;
	return tr2_host_system.write(fd, bytes, len);
}

static int die_on_own_stack(void)
{
	stack_t set;

	memset(&set, 0, sizeof(set));
	stack_size = 1 << 16;
	stack = malloc(stack_size);
	set.ss_sp = stack;
	set.ss_size = stack_size;
	if (!stack || sigaltstack(&set, NULL))
		return 1;
	begin_program();
	kit_host.write = write_where;
	pthread_kill(pthread_self(), SIGTERM);
	return 0;
}

static void test_stack(void)
{
	tap_str(process_told_of(die_on_own_stack, 128 + SIGTERM),
		"version main main.c:1 evt:4 exe:1.0\n"
		"signal main main.c:1 t_abs:0.000000 signo:15\n",
		"a signal is written on the program's signal stack");
}

/* The C library plays a library that the program has loaded. */
static const char *wanted;

static int begin_by_library(void)
{
	struct sigaction action;
	int defaults = 0;
	size_t i;

	if (wanted)
		process_setenv("GIT_TRACE2_SIGNALS", wanted);
	begin_program();
	for (i = 0; i < WATCHED; i++)
		signal(watched[i], SIG_DFL);
	tr2_signal_watch(dlsym(RTLD_DEFAULT, "qsort"));
	for (i = 0; i < WATCHED; i++) {
		sigaction(watched[i], NULL, &action);
		defaults += action.sa_handler == SIG_DFL;
	}
	return defaults;
}

static void test_library(void)
{
	static const struct {
		const char *setting;
		int defaults;
		const char *name;
	} rows[] = {
		{ NULL, 5, "a library's tracing takes no signals" },
		{ "1", 0, "a user lets a library's tracing take signals" },
		{ "0", 5, "a user lets a library's tracing take no signals" },
		{ "x", 5, "a word that means nothing lets it take none" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		wanted = rows[i].setting;
		process_prepare();
		tap_int(kit_in_child(begin_by_library), rows[i].defaults,
			rows[i].name);
	}
}

int main(void)
{
	/* In the background of a shell some of them are ignored. */
	for (size_t i = 0; i < WATCHED; i++)
		signal(watched[i], SIG_DFL);
	kit_start();
	tap_run(test_survivor, test_stack, test_library);
	return kit_done();
}
