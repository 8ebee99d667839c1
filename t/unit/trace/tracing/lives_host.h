/*
 * lives_host.h - commands of a life about its process: threads, children,
 * signals, what else traces there, and what the agent's clients do.
 */
#ifndef UNIT_TRACE_TRACING_LIVES_HOST_H
#define UNIT_TRACE_TRACING_LIVES_HOST_H

#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

#include "ending/death.h"
#include "kit/life_process.h"
#include "kit/trace/tracing.h"
#include "trace2.h"
#include "trace/agent/agent.h"

static int threads;

/*
 * ---- Threads, of which the system may have none
 */

static int has_no_threads, thread_tries;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
		   void *(*run)(void *), void *data)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		    void *);

	thread_tries++;
	if (has_no_threads)
		return EAGAIN;
	*(void **)(void *)&next = dlsym(RTLD_NEXT, "pthread_create");
	return next(thread, attributes, run, data);
}

static void have_no_threads(char **word)
{
	has_no_threads = !*word[0];
}

/* The system was asked for a thread less often. */
static void expect_few_tries(char **word)
{
	expect_that(thread_tries < script_number(word[0], 0), "tries");
}

static void expect_agent_thread(SCRIPT_NONE)
{
	expect_that(tr2_agent_has_thread(), "the agent's thread");
}

static void let_time_pass(char **word)
{
	const struct timespec ms = { 0, 1000000 * script_number(word[0], 0) };

	nanosleep(&ms, NULL);
}

static void end_quickly(char **word)
{
	quick_exit((int)script_number(word[0], 0));
}

static void *do_nothing(void *none)
{
	return none;
}

/* A sanitizer begins its own thread beside the first one. */
static void count_threads(SCRIPT_NONE)
{
	pthread_t thread;

	tap_need(!pthread_create(&thread, NULL, do_nothing, NULL) &&
		 !pthread_join(thread, NULL));
	threads = kit_threads();
}

static void expect_threads(char **word)
{
	expect_that(kit_threads() - threads == script_number(word[0], 0),
		    "threads");
}

static void leave_handler(int number)
{
	_exit(number);
}

static void handle_signal(char **word)
{
	signal(find_signal(word[0]), *word[1] ? SIG_IGN : leave_handler);
}

static void leave_signals(SCRIPT_NONE)
{
	trace2_leave_signals();
}

/* How many of the five are at their default. */
static void expect_defaults(char **word)
{
	static const int all[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
	struct sigaction action;
	int count = 0, i;

	for (i = 0; i < 5; i++) {
		sigaction(all[i], NULL, &action);
		count += action.sa_handler == SIG_DFL;
	}
	expect_that(count == script_number(word[0], 0), "handlers");
}

/* Trace2 beside it, to the file `event`. */
static void begin_trace2(char **word)
{
	char path[128];

	tap_need(getcwd(path, sizeof(path) - 16));
	setenv(word[0], strcat(path, "/event"), 1);
	trace2_initialize();
}

/* The engine is the program's own for a while. */
static void own_engine(char **word)
{
	static const struct trace_handler_ops ops = { 0 };
	static uint64_t buffer[1024];
	static struct trace_handler handler = { &ops };

	if (!*word[0])
		trace_start_engine(&handler, TRACE_BUFFERING_MODE_ONESHOT,
				   buffer, sizeof(buffer));
	expect_that(TRACE_ENABLED(), "the engine goes on");
	if (*word[0])
		trace_stop_engine(0);
}

static void limit_size(char **word)
{
	const rlim_t most = (rlim_t)script_number(word[0], 0);
	const struct rlimit limit = { most, most };

	setrlimit(RLIMIT_FSIZE, &limit);
}

/*
 * ---- Clients
 */

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

static void stay_inside(struct tr2_agent_client *client, uint64_t dropped)
{
	(void)client;
	(void)dropped;
	for (;;)
		pause();
}

/*
 * `client slow`: the program's own, which holds up the agent; `client
 * library`: the C library plays one that the program has loaded.
 */
static void add_client(char **word)
{
	static struct tr2_agent_client client = { .categories = "a",
						  .event = take_record,
						  .name = take_name,
						  .flush = stay_inside };

	client.caller = !strcmp(word[0], "library")
				? dlsym(RTLD_DEFAULT, "qsort")
				: (const void *)(uintptr_t)add_client;
	expect_that(client.caller && !tr2_agent_add(&client), "a client");
}

#endif
