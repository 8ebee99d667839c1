/*
 * Every call on a small stack: how much of it the deepest one uses, with
 * every target. A thread with the least stack has twice as much.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include <pthread.h>
#include <sys/mman.h>
#include <sys/un.h>

#include "kit/destination.h"
#include "process/every_calls.h"
#include "trace/outside/outside.h"

#define KIB ((size_t)1024)
#define PAINTED (128 * KIB)
#define PAINT 0x5a
#define NEEDED (8 * KIB) /* as trace2.h says */

/* A sanitizer's frames are as large as it likes. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_MEASURED 0
#else
#define IS_MEASURED 1
#endif

static const struct target_row {
	const char *name;
	const char *variable;
	const char *prefix; /* of the value */
	const char *value;  /* below the directory; NULL: the prefix alone */
} rows[] = {
	{ "NORMAL in a file", "GIT_TRACE2", "", "normal" },
	{ "PERF in a file", "GIT_TRACE2_PERF", "", "perf" },
	{ "PERF to a stream", "GIT_TRACE2_PERF", "af_unix:stream:", "stream" },
	{ "EVENT in a file", "GIT_TRACE2_EVENT", "", "event" },
	{ "EVENT in a directory", "GIT_TRACE2_EVENT", "", "logs" },
	{ "EVENT in a full directory", "GIT_TRACE2_EVENT", "", "full" },
	{ "EVENT to datagrams", "GIT_TRACE2_EVENT", "af_unix:dgram:", "dgram" },
	{ "EVENT to nobody", "GIT_TRACE2_EVENT", "af_unix:", "nobody" },
	{ "EVENT to a descriptor", "GIT_TRACE2_EVENT", "9", NULL },
	{ "FXT in a file", "GIT_TRACE2_FXT", "", "fxt" },
	{ "FXT in a directory", "GIT_TRACE2_FXT", "", "logs" },
	{ "Chrome in a directory", "GIT_TRACE2_CHROME", "", "logs" },
	{ "categories of the environment", "TRACE_EVENT_CATEGORIES", "*",
	  NULL },
};
enum { ROWS = sizeof(rows) / sizeof(*rows) };

/*
 * The world of the hosts
 */

static void put_file(const char *name, const char *text)
{
	FILE *file = fopen(kit_path(name), "w");

	tap_need(file && fputs(text, file) >= 0 && !fclose(file));
}

static void put_dir(const char *name)
{
	kit_require(!mkdir(kit_path(name), 0777), "no directory");
}

static int listen_at(const char *name, int type)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, type, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s",
		 kit_path(name));
	if (fd < 0 || bind(fd, (void *)&address, sizeof(address)) ||
	    (type == SOCK_STREAM && listen(fd, 4096)))
		abort();
	return fd;
}

/* Ten levels of files, each included if three conditions have been tested. */
static void put_config(void)
{
	char name[40], text[600];

	for (int i = 0; i < 11; i++) {
		snprintf(name, sizeof(name), "include%d", i);
		snprintf(text, sizeof(text),
			 "[remote \"r%d\"]\nurl = https://h/%d\n"
			 "[includeIf \"gitdir:./r/**/x\"]\npath = none\n"
			 "[includeIf \"hasconfig:remote.*.url:no\"]\n"
			 "path = none\n[includeIf \"gitdir:~/**\"]\n"
			 "path = include%d\n[trace2]\nconfigParams = *\n",
			 i, i, i + 1);
		put_file(name, text);
	}
	put_file(".gitconfig", "[include]\npath = ~/include0\n"
			       "path = ~nobody/none\n[broken");
	put_dir("r");
	put_dir("r/.git");
	put_dir("r/.git/objects");
	put_dir("r/.git/refs");
	put_file("r/.git/HEAD", "ref: refs/heads/main\n");
	put_file("r/.git/config", "[core]\nbare = false\n"
				  "[include]\npath = ../../include0\n");
	put_dir("r/work");
	put_file("r/work/.git", "gitdir: ../.git\n");
}

static void put_world(void)
{
	put_config();
	put_dir("logs");
	put_dir("full");
	put_file("full/git-trace2-discard", "");
	listen_at("stream", SOCK_STREAM);
	listen_at("dgram", SOCK_DGRAM);
	tap_need(dup2(open("/dev/null", O_RDWR), 9) == 9);
	tap_need(!chdir(kit_path("r/work")));
	setenv("HOME", kit_dir, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CEILING_DIRECTORIES", kit_dir, 1);
	setenv("GIT_TRACE2_CONFIG_PARAMS", "*", 1);
	setenv("GIT_TRACE2_ENV_VARS", "HOME,PATH", 1);
	setenv("GIT_TRACE2_DST_DEBUG", "1", 1);
	setenv("GIT_TRACE2_MAX_FILES", "100000", 1);
	setenv("TRACE_EVENT_FILE_PATTERN", kit_path("${pid}.json"), 1);
	setenv("TRACE_KEY", kit_path("key"), 1);
}

/*
 * Threads that make calls
 */

struct deed {
	int first, last; /* calls, each on a thread of its own */
	int in_child;	 /* of the thread */
	int is_first;	 /* and it initializes, too */
};

static const struct deed *present;
static size_t *depths; /* of each call; shared */
static char *stack;

static size_t measure_depth(const char *top)
{
	const char *at = stack;

	while (at < top && *at == PAINT)
		at++;
	return (size_t)(top - at);
}

static void begin_tracing(void)
{
	tr2_outside_begin();
	trace2_initialize_clock();
	trace2_initialize();
}

static void make_call(int which)
{
	char *top = __builtin_frame_address(0);

	if (present->is_first)
		begin_tracing();
	every_call[which].make();
	depths[which] = measure_depth(top);
}

static void *be_thread(void *data)
{
	const int which = *(int *)data;
	int status;
	pid_t pid;

	if (!present->in_child) {
		make_call(which);
		return NULL;
	}
	pid = fork();
	if (!pid) {
		make_call(which);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
	return NULL;
}

static void run_thread(int which)
{
	pthread_attr_t attributes;
	pthread_t thread;

	memset(stack, PAINT, PAINTED);
	pthread_attr_init(&attributes);
	if (pthread_attr_setstack(&attributes, stack, PAINTED) ||
	    pthread_create(&thread, &attributes, be_thread, &which))
		_exit(98);
	pthread_join(thread, NULL);
}

static int be_host(void)
{
	alarm(60);
	if (!present->is_first) {
		begin_tracing();
		trace2_cmd_start(every_argv);
	}
	for (int i = present->first; i <= present->last; i++)
		run_thread(i);
	exit(0);
}

static void set_target(const struct target_row *row)
{
	for (size_t i = 0; i < ROWS; i++)
		unsetenv(rows[i].variable);
	setenv(row->variable,
	       row->value
		       ? kit_text("%s%s/%s", row->prefix, kit_dir, row->value)
		       : row->prefix,
	       1);
}

/* Is no depth 0, as after a crash, or larger than trace2.h says? */
static int is_good(const struct deed *deed)
{
	int ended, bad = 0;

	present = deed;
	memset(depths, 0, CALLS * sizeof(*depths));
	ended = kit_in_child(be_host);
	for (int i = deed->first; i <= deed->last; i++) {
		if (!ended && depths[i] && depths[i] <= NEEDED)
			continue;
		printf("# %s: ended with %d, %zu bytes of stack\n",
		       every_call[i].name, ended, depths[i]);
		bad++;
	}
	return !bad;
}

static int all_are_measured(int in_child)
{
	struct deed deed = { .last = CALLS - 1, .in_child = in_child };
	int bad = 0;

	if (in_child)
		return is_good(&deed);
	for (int i = 0; i < CALLS; i++) {
		deed.first = deed.last = i; /* some calls count once */
		bad += !is_good(&deed);
	}
	return !bad;
}

static void test_depth(const char *name)
{
	const struct deed first_call = { .is_first = 1 };

	tap_ok(all_are_measured(0),
	       kit_text("no call needs more stack than trace2.h says, %s",
			name));
	tap_ok(all_are_measured(1),
	       kit_text("no forked child needs more stack than trace2.h says, "
			"%s",
			name));
	tap_ok(is_good(&first_call),
	       kit_text("initialize needs no more stack than trace2.h says, %s",
			name));
}

/*
 * A handler on a stack of its own
 */

static const struct every_call *call_in_handler;

static void call_it(int signo)
{
	(void)signo;
	call_in_handler->make();
}

/* Memory that nothing can be written below. */
static char *put_guard(size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t whole = (size + page - 1) / page * page;
	char *memory = mmap(NULL, page + whole, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	tap_need(memory != MAP_FAILED && !mprotect(memory, page, PROT_NONE));
	return memory + page;
}

/* As large as trace2.h says, beside what the system puts there. */
static void set_handler_stack(void)
{
	size_t size = NEEDED + (size_t)MINSIGSTKSZ;
	stack_t own = { .ss_flags = 0 };

#ifdef _SC_MINSIGSTKSZ
	if (sysconf(_SC_MINSIGSTKSZ) > 0)
		size = NEEDED + (size_t)sysconf(_SC_MINSIGSTKSZ);
#endif
	own.ss_size = size;
	own.ss_sp = put_guard(size);
	tap_need(!sigaltstack(&own, NULL));
}

static int handle_on_own_stack(void)
{
	struct sigaction action = { .sa_handler = call_it,
				    .sa_flags = SA_ONSTACK };

	begin_tracing();
	set_handler_stack();
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	exit(0);
}

static int die_on_own_stack(void)
{
	setenv("GIT_TRACE2_SIGNALS", "1", 1);
	begin_tracing();
	set_handler_stack();
	raise(SIGTERM);
	return 0;
}

/* The system's least, in whole pages: there is no room for an event. */
static int die_on_least_stack(void)
{
	stack_t own = { .ss_size = 0 };

	setenv("GIT_TRACE2_SIGNALS", "1", 1);
	begin_tracing();
	do {
		own.ss_size += 4096;
		own.ss_sp = put_guard(own.ss_size);
	} while (sigaltstack(&own, NULL));
	raise(SIGTERM);
	return 0;
}

static void test_handlers(const char *name)
{
	int bad = 0;

	for (int i = 0; i < CALLS; i++) {
		call_in_handler = every_call + i;
		if (!kit_in_child(handle_on_own_stack))
			continue;
		printf("# %s in a handler fails\n", every_call[i].name);
		bad++;
	}
	tap_int(bad, 0,
		kit_text("every call works in a handler that has a stack of "
			 "its own, %s",
			 name));
}

static void test_row(const struct target_row *row)
{
	set_target(row);
	test_depth(row->name);
	if (row->value && !strcmp(row->value, "logs"))
		test_handlers(row->name);
	tap_int(kit_in_child(die_on_own_stack), 128 + SIGTERM,
		kit_text("a signal ends a thread with a stack for handlers, %s",
			 row->name));
	tap_int(kit_in_child(die_on_least_stack), 128 + SIGTERM,
		kit_text("and one whose stack has no room for it, %s",
			 row->name));
}

int main(void)
{
	if (!IS_MEASURED) {
		tap_skip("small stacks", "the sanitizer");
		return tap_done();
	}
	kit_start();
	put_world();
	depths = mmap(NULL, CALLS * sizeof(*depths), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	stack = mmap(NULL, PAINTED, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	tap_need(depths != MAP_FAILED && stack != MAP_FAILED);
	for (size_t i = 0; i < ROWS; i++)
		test_row(rows + i);
	return kit_done();
}
