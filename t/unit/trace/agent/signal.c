/*
 * Signals while a program traces at run time: the process dies of them, and
 * what was traced before is in the file.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, RTLD_DEFAULT */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "ending/death.h"
#include "trace2.h"
#include "trace/agent/agent.h"
#include "kit/trace/tracing.h"

static const int watched[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

#define WATCHED (sizeof(watched) / sizeof(*watched))

static int signo;
static struct trace_tracing *tracing;

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void begin_agent(void)
{
	tracing = kit_tracing("a");
	trace_tracing_enable(tracing);
}

static void trace_some(int count)
{
	int i;

	for (i = 0; i < count; i++)
		TRACE_INSTANT("a", "one", TRACE_SCOPE_THREAD, "i", TA_INT32(i));
}

/* Returns the status of a child that runs this. */
static int status_of(void (*run)(void))
{
	static const struct rlimit none = { 0, 0 };
	int status = -1;
	pid_t pid;

	unlink("trace.1.json");
	fflush(stdout);
	pid = fork();
	if (!pid) {
		setrlimit(RLIMIT_CORE, &none); /* of SIGQUIT */
		run();
		_exit(77);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

static int count_written(void)
{
	return kit_count("trace.1.json", KIT_HAS("one"));
}

static void trace_and_die(void)
{
	begin_agent();
	trace_some(100);
	raise(signo);
}

static void test_each(void)
{
	size_t i;

	for (i = 0; i < WATCHED; i++) {
		signo = watched[i];
		if (status_of(trace_and_die) != 1000 + signo ||
		    count_written() != 100)
			break;
	}
	tap_int((int)i, WATCHED, "a signal that kills loses nothing");
	signo = SIGKILL;
	tap_int(status_of(trace_and_die), 1000 + SIGKILL,
		"a signal that nobody can handle kills");
}

/*
 * A record whose text can't be read yet: the thread is inside the record
 * when the signal kills the process.
 */
static void die_inside(int number)
{
	(void)number;
	raise(SIGTERM);
}

static void die_inside_record(void)
{
	char *page =
		mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	begin_agent();
	trace_some(100);
	signal(SIGSEGV, die_inside);
	TRACE_INSTANT("a", "never", TRACE_SCOPE_THREAD, "text",
		      TA_CHAR_ARRAY(page, 8));
}

static void *trace_all_the_time(void *unused)
{
	const struct timespec pause = { 0, 10000 };

	for (;;) {
		TRACE_INSTANT("a", "more", TRACE_SCOPE_THREAD);
		nanosleep(&pause, NULL);
	}
	return unused;
}

static void die_among_others(void)
{
	pthread_t thread;

	begin_agent();
	pthread_create(&thread, NULL, trace_all_the_time, NULL);
	trace_some(100);
	raise(SIGTERM);
}

static void test_inside(void)
{
	tap_int(status_of(die_inside_record), 1000 + SIGTERM,
		"a thread may be killed inside a record");
	tap_int(count_written(), 100, "and the records before it are kept");
	tap_int(kit_count("trace.1.json", KIT_HAS("never")), 0,
		"though not that one");
	tap_int(status_of(die_among_others), 1000 + SIGTERM,
		"other threads may go on");
	tap_int(count_written(), 100, "which is no harm to the first one");
}

/* A client that holds up the agent. */
static void stay_inside(struct tr2_agent_client *client, uint64_t dropped)
{
	(void)client;
	(void)dropped;
	for (;;)
		pause();
}

static void take_record(struct tr2_agent_client *client,
			const struct trace_reader_record *record)
{
	(void)client;
	(void)record;
}

static void take_name(struct tr2_agent_client *client,
		      const struct trace_reader_record *record, int place)
{
	(void)client;
	(void)record;
	(void)place;
}

static void die_of_a_slow_client(void)
{
	static struct tr2_agent_client client = { .categories = "a",
						  .event = take_record,
						  .name = take_name,
						  .flush = stay_inside };

	client.caller = (const void *)(uintptr_t)die_of_a_slow_client;
	tr2_agent_add(&client);
	trace_some(1);
	raise(SIGTERM);
}

static void test_slow(void)
{
	uint64_t start = now_ms();

	tap_int(status_of(die_of_a_slow_client), 1000 + SIGTERM,
		"a client that stays does not keep the process alive");
	start = now_ms() - start;
	tap_ok(start >= 1000 && start < 4000, "nor for longer than needed");
}

/*
 * What the host does with signals
 */

/* How many of the signals are at their default. */
static int count_defaults(void)
{
	struct sigaction action;
	int count = 0;
	size_t i;

	for (i = 0; i < WATCHED; i++) {
		sigaction(watched[i], NULL, &action);
		count += action.sa_handler == SIG_DFL;
	}
	return count;
}

static void leave_handler(int number)
{
	_exit(number);
}

static void handle_some(void)
{
	struct sigaction action;

	signal(SIGTERM, leave_handler);
	signal(SIGHUP, SIG_IGN);
	begin_agent();
	sigaction(SIGTERM, NULL, &action);
	if (action.sa_handler != leave_handler || count_defaults())
		_exit(1);
	sigaction(SIGHUP, NULL, &action);
	if (action.sa_handler != SIG_IGN)
		_exit(2);
	signal(SIGINT, leave_handler);
	trace_tracing_destroy(tracing);
	if (count_defaults() != 2) /* all but those three */
		_exit(3);
	raise(SIGTERM);
}

static void leave_all(void)
{
	trace2_leave_signals();
	begin_agent();
	_exit(count_defaults());
}

static void leave_later(void)
{
	begin_agent();
	if (count_defaults())
		_exit(9);
	trace2_leave_signals();
	trace_tracing_destroy(tracing);
	begin_agent();
	_exit(count_defaults());
}

static void begin_nothing(void)
{
	tracing = kit_tracing("a");
	_exit(count_defaults());
}

/* A child has no agent, and none of its handlers. */
static void fork_child(void)
{
	int status;

	begin_agent();
	if (!fork())
		_exit(count_defaults());
	wait(&status);
	_exit(count_defaults() ? 9 : WEXITSTATUS(status));
}

static void test_hosts(void)
{
	tap_int(status_of(handle_some), SIGTERM,
		"signals that the host handles stay its own");
	tap_int(status_of(leave_all), 5, "signals may be left alone");
	tap_int(status_of(leave_later), 5, "also later, and for good");
	tap_int(status_of(begin_nothing), 5,
		"an object that is not enabled handles none");
	tap_int(status_of(fork_child), 5, "a forked child handles none");
}

/* The C library plays a library that the program has loaded. */
static void add_for_library(void)
{
	static struct tr2_agent_client client = { .categories = "a",
						  .event = take_record,
						  .name = take_name,
						  .flush = stay_inside };

	client.caller = dlsym(RTLD_DEFAULT, "qsort");
	if (!client.caller || tr2_agent_add(&client))
		_exit(9);
	_exit(count_defaults());
}

/*
 * Trace2 beside it: both write what they have to, whichever began first.
 */

static const char *event_file(void)
{
	static char path[128];

	if (!*path && getcwd(path, sizeof(path) - 16))
		strcat(path, "/event");
	return path;
}

static void begin_trace2(void)
{
	setenv("GIT_TRACE2_EVENT", event_file(), 1);
	trace2_initialize();
}

static void trace_first(void)
{
	begin_agent();
	begin_trace2();
	trace_some(100);
	raise(SIGTERM);
}

static void trace_last(void)
{
	begin_trace2();
	begin_agent();
	trace_some(100);
	raise(SIGTERM);
}

/* The handler comes in the middle of a record, and writes another one. */
static void die_inside_of_chrome(void)
{
	char *page =
		mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	setenv("GIT_TRACE2_CHROME", event_file(), 1);
	trace2_initialize();
	trace_some(100);
	signal(SIGSEGV, die_inside);
	TRACE_INSTANT("a", "never", TRACE_SCOPE_THREAD, "text",
		      TA_CHAR_ARRAY(page, 8));
}

static void test_inside_of_chrome(void)
{
	unlink(event_file());
	tap_int(status_of(die_inside_of_chrome), 1000 + SIGTERM,
		"a signal may come in the middle of a record");
	tap_ok(kit_count(event_file(), KIT_HAS("one")) == 100 &&
		       kit_count(event_file(), "\"signo\":15") == 1,
	       "and Chrome's file has it");
}

/* Without the agent, trace2 still handles them. */
static void trace_no_more(void)
{
	begin_agent();
	begin_trace2();
	trace_tracing_destroy(tracing);
	raise(SIGTERM);
}

static void test_both(void (*run)(void), int traced, const char *name)
{
	unlink(event_file());
	tap_ok(status_of(run) == 1000 + SIGTERM && count_written() == traced &&
		       kit_count(event_file(), "\"signo\":15") == 1,
	       name);
}

int main(void)
{
	size_t i;

	/* A shell makes a program in the background ignore some. */
	for (i = 0; i < WATCHED; i++)
		signal(watched[i], SIG_DFL);
	kit_begin();
	tap_run(test_each, test_inside, test_slow, test_hosts);
	tap_int(status_of(add_for_library), 5,
		"what a library traces handles no signal");
	test_both(trace_first, 100, "Trace2 may begin later");
	test_both(trace_last, 100, "or before");
	test_inside_of_chrome();
	test_both(trace_no_more, 0, "and may go on alone");
	kit_end();
	return tap_done();
}
