/*
 * lives_host.h - commands of a life about its process: threads, children,
 * signals, files, what else traces there, and what the agent's clients do.
 */
#ifndef UNIT_TRACE_TRACING_LIVES_HOST_H
#define UNIT_TRACE_TRACING_LIVES_HOST_H

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include "ending/death.h"
#include "host/host.h"
#include "kit/directory.h"
#include "kit/life_process.h"
#include "kit/trace/tracing.h"
#include "trace2.h"
#include "trace/agent/agent.h"
#include "trace/outside/outside.h"

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

/* Nobody gives up a lock that is not taken. */
int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	static int (*next)(pthread_mutex_t *);

	if (!next)
		*(void **)(void *)&next =
			dlsym(RTLD_NEXT, "pthread_mutex_unlock");
	if (!pthread_mutex_trylock(mutex))
		_exit(LIFE_WRONG);
	return next(mutex);
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
 * ---- Odd events
 */

static void trace_escapes(SCRIPT_NONE)
{
	static const char *const quoted[] = { "q\"\\\n" };
	const struct trace_arg arg = { "k\"", TA_STRING("\xf0\x9f\x8e\x89") };
	const struct trace_event event = {
		.type = FXT_INSTANT,
		.category = "q\"\\\n",
		.name = "n\"\\\t",
		.args = &arg,
		.arg_count = 1,
	};
	struct trace_tracing *tracing = trace_tracing_create(quoted, 1);

	trace_tracing_enable(tracing);
	trace_event_write(&event);
	trace_tracing_destroy(tracing);
}

/* Records that no buffer has room for. */
static void trace_too_much(SCRIPT_NONE)
{
	static char bytes[TRACE_MAX_BLOB_SIZE + 1];

	TRACE_BLOB_EVENT("a", "big", bytes, sizeof(bytes));
}

static void die_inside(int number)
{
	(void)number;
	raise(SIGTERM);
}

/* Its text can't be read, so a signal comes in the middle of the record. */
static void trace_unreadable(SCRIPT_NONE)
{
	char *page =
		mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	signal(SIGSEGV, die_inside);
	TRACE_INSTANT("a", "never", TRACE_SCOPE_THREAD, "text",
		      TA_CHAR_ARRAY(page, 8));
}

/*
 * ---- Files
 */

/* `has trace.1.json 3 one`, while the process lives. */
static void expect_count(char **word)
{
	char part[64];

	snprintf(part, sizeof(part), "\"%s\"", word[2]);
	expect_that(kit_count(word[0], part) == script_number(word[1], 0),
		    "what the file has");
}

/* Until it is there, but no longer than ten seconds. */
static void await_part(char **word)
{
	const struct timespec step = { 0, 10000000 };
	int tries;

	for (tries = 0; tries < 1000 && !kit_count(word[0], word[1]); tries++)
		nanosleep(&step, NULL);
	expect_that(kit_count(word[0], word[1]), "what the file has in time");
}

static void expect_no_file(char **word)
{
	expect_that(!has_file(word[0]), "no file");
}

/*
 * ---- The environment asks for a file
 */

static void begin_outside(SCRIPT_NONE)
{
	errno = EDOM;
	tr2_outside_begin();
	expect_that(errno == EDOM, "errno of a begin");
}

/* `has-file 0`: the process has none. */
static void expect_file(char **word)
{
	expect_that(tr2_outside_has_file() == script_number(word[0], 1),
		    "the file");
}

/* The process gives its file up, and nothing of it is left. */
static void expect_nothing(SCRIPT_NONE)
{
	tr2_outside_yield();
	expect_that(!tr2_outside_has_file() && !TRACE_ENABLED(), "nothing");
}

/* As a child whose file could not be begun. */
static void lose_file(SCRIPT_NONE)
{
	tr2_outside_note_file(false);
}

static void make_directory(char **word)
{
	expect_that(!mkdir(word[0], 0700) && !chdir(word[0]), "a directory");
}

static void remove_directory(SCRIPT_NONE)
{
	char path[256];

	expect_that(getcwd(path, sizeof(path)) && !rmdir(path),
		    "a directory that goes");
}

/*
 * `earlier many 1000`, `earlier twice.json`: files of programs that this
 * process was before.
 */
static void put_earlier_files(char **word)
{
	const long count = script_number(word[1], 1);
	char name[64], text[64];

	snprintf(text, sizeof(text), "[\n{\"ph\":\"M\",\"pid\":%d,\"tid\":1}\n",
		 getpid());
	for (long i = 1; i <= count; i++) {
		snprintf(name, sizeof(name), *word[1] ? "%s.%ld.json" : "%s",
			 word[0], i);
		write_file(name, text);
	}
}

static int memory_calls, memory_fails_at, memory_blocks; /* atomic */

/* New memory has no zeros: what is true there was not set. */
static void *fail_once(void *old, size_t size)
{
	const int call = __atomic_add_fetch(&memory_calls, 1, __ATOMIC_RELAXED);
	const int fails_at =
		__atomic_load_n(&memory_fails_at, __ATOMIC_RELAXED);
	void *memory;

	if (call == fails_at || fails_at < 0)
		return NULL;
	memory = realloc(old, size);
	if (old || !memory)
		return memory;
	__atomic_fetch_add(&memory_blocks, 1, __ATOMIC_RELAXED);
	return memset(memory, 1, size);
}

static void free_block(void *block)
{
	__atomic_fetch_sub(&memory_blocks, block != NULL, __ATOMIC_RELAXED);
	free(block);
}

/* Before there are threads, which read where the host is. */
static void watch_memory(void)
{
	static struct tr2_host host;

	host = tr2_host_system;
	host.realloc = fail_once;
	host.free = free_block;
	tr2_host = &host;
}

/* `memory 2`: that call fails; `memory -1`: each does. */
static void fail_memory(char **word)
{
	__atomic_store_n(&memory_calls, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&memory_fails_at, (int)script_number(word[0], 0),
			 __ATOMIC_RELAXED);
}

/* `blocks`, then `blocks 0`: so many more, after `memory 0`. */
static void count_blocks(char **word)
{
	static int before;

	expect_that(!*word[0] ||
			    memory_blocks - before == script_number(word[0], 0),
		    "blocks of memory");
	before = memory_blocks;
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

static const char *inside; /* a part, or none */

static void stay_inside(struct tr2_agent_client *client, uint64_t dropped)
{
	(void)client;
	(void)dropped;
	if (*inside && !alarm(10))
		run_part(inside);
	for (;;)
		pause();
}

/*
 * `client slow PART`: the program's own, which holds up the agent after the
 * part; `client library`: the C library plays one that the program has loaded.
 */
static void add_client(char **word)
{
	static struct tr2_agent_client client = { .categories = "a",
						  .event = take_record,
						  .name = take_name,
						  .flush = stay_inside };

	inside = word[1];
	client.caller = !strcmp(word[0], "library")
				? dlsym(RTLD_DEFAULT, "qsort")
				: (const void *)(uintptr_t)add_client;
	expect_that(client.caller && !tr2_agent_add(&client), "a client");
}

#endif
