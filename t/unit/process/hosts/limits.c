/*
 * What a host may limit or demand: descriptors, from few to many, the size of
 * files and addresses, set after the library was initialized; floating-point
 * exceptions that are fatal, that of an inexact result too; and forks again and
 * again, of which nothing stays. The hosts live, and what is lost is counted.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#include "trace/event.h"
#include "trace/outside/outside.h"
#include "process/hosts/host_kit.h"

#define FEW 10
#define MANY 60

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#define MANY_NAMES_KB (1024 * 1024) /* the sanitizer keeps what is freed */
#else
#define IS_SANITIZED 0
#define MANY_NAMES_KB (16 * 1024)
#endif

static const char *const all[] = { "GIT_TRACE2", "GIT_TRACE2_PERF",
				   "GIT_TRACE2_EVENT", "GIT_TRACE2_FXT",
				   "GIT_TRACE2_CHROME" };
enum { TEXTS = 7, EVENT = 4, FXT = 8, CHROME = 16, EACH = 31 };

static rlim_t limit;
static unsigned which; /* resource */

/*
 * ---- Descriptors
 */

static int with_few(void)
{
	struct rlimit files;
	int count = 0;

	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = limit;
	if (files.rlim_max < limit)
		files.rlim_max = limit;
	if (setrlimit(RLIMIT_NOFILE, &files))
		return 77;
	be_traced(target, value);
	say_events(1);
	for (int fd = 10; fd < ALL; fd++)
		count += !before[fd] && is_open(fd);
	files.rlim_cur = 12;
	setrlimit(RLIMIT_NOFILE, &files); /* it goes on above that */
	say_events(1);
	return trace2_dropped() || count != 1 ? 2 : 0;
}

/* What a child loses whose own file can't be opened. */
static int count_lost_in_child(int is_limited)
{
	const struct rlimit none = { 3, 3 };
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		alarm(20);
		if (is_limited)
			setrlimit(RLIMIT_NOFILE, &none);
		say_events(3);
		_exit((int)trace2_dropped());
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int with_lost_child(void)
{
	if (mkdir(value, 0700))
		return -1;
	be_traced(target, value);
	say_events(1);
	return count_lost_in_child(1);
}

/* The agent has a file by TRACE_EVENT_CATEGORIES, and none in the child. */
static int with_lost_agent(void)
{
	setenv("TRACE_EVENT_CATEGORIES", "*", 1);
	setenv("TRACE_EVENT_FILE_PATTERN", path_of(2, "", "agent-${pid}.json"),
	       1);
	tr2_outside_begin();
	be_traced("GIT_TRACE2_CHROME", "");
	say_events(1);
	return trace2_is_enabled() ? count_lost_in_child(1) : -1;
}

/* The first child opens the sentinel; the second one finds it. */
static int with_full_directory(void)
{
	if (mkdir(value, 0700))
		return -1;
	setenv("GIT_TRACE2_MAX_FILES", "3", 1);
	be_traced(target, value);
	say_events(1);
	return count_lost_in_child(0) ? -1 : count_lost_in_child(0);
}

/*
 * ---- Sizes of files
 */

static void limit_size(rlim_t size)
{
	struct rlimit sizes;

	getrlimit(RLIMIT_FSIZE, &sizes);
	sizes.rlim_cur = size;
	setrlimit(RLIMIT_FSIZE, &sizes);
}

static int with_late_limit(void)
{
	be_traced(target, value);
	say_events(events);
	limit_size(limit);
	say_events(3);
	return trace2_dropped() ? 0 : 2;
}

static int with_limit_in_child(void)
{
	int status;
	pid_t pid;

	be_traced(target, value);
	say_events(events);
	pid = fork();
	if (!pid) {
		limit_size(limit);
		say_events(3);
		_exit(trace2_dropped() ? 0 : 2);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 4 : WEXITSTATUS(status);
}

static void *say_much(void *unused)
{
	say_events(20000);
	return unused;
}

/* Another thread is in the middle of a burst. */
static int with_limit_in_burst(void)
{
	pthread_t thread;

	be_traced(target, value);
	pthread_create(&thread, NULL, say_much, NULL);
	poll(NULL, 0, 1);
	limit_size(limit);
	pthread_join(thread, NULL);
	say_events(1);
	return trace2_dropped() ? 0 : 2;
}

/* What the host writes itself kills it, as it always did. */
static int with_own_limit(void)
{
	make_own(A_FILE);
	be_traced(target, value);
	say_events(1);
	limit_size(1);
	write_own();
	write_own();
	return 2;
}

/*
 * ---- Memory
 */

/* The C library keeps each value that a variable ever had. */
static int with_many_names(void)
{
	struct rusage first, last;
	const char *name;
	char own[20];

	be_traced(target, "/dev/null");
	trace2_cmd_name("first");
	getrusage(RUSAGE_SELF, &first);
	for (int i = 0; i < 60000; i++) {
		snprintf(own, sizeof(own), "name-%d", i);
		trace2_cmd_name(own);
		if (i == 100 && !strstr(getenv("GIT_TRACE2_PARENT_NAME"), own))
			return 2;
	}
	getrusage(RUSAGE_SELF, &last);
	name = getenv("GIT_TRACE2_PARENT_NAME");
	if (!name || *name || !getenv("GIT_TRACE2_PARENT_SID"))
		return 3;
	return last.ru_maxrss - first.ru_maxrss < MANY_NAMES_KB ? 0 : 4;
}

/* The library maps its buffers when it is initialized. */
static int with_few_addresses(void)
{
	const struct rlimit addresses = { limit, limit };

	setrlimit(which, &addresses);
	be_traced(target, value);
	say_events(1000);
	return trace2_dropped() || !malloc(limit / 2) ? 2 : 0;
}

/* How many of the host's events are in its file. */
static unsigned long count_written(void)
{
	FILE *log = fopen(value, "r");
	unsigned long count = 0;
	char line[1000];

	while (log && fgets(line, sizeof(line), log))
		count += strstr(line, "an event of the host's") != NULL;
	return count;
}

/* What is in the buffer by then can't be read out of it. */
static int with_no_addresses_left(void)
{
	const struct rlimit none = { 4096, RLIM_INFINITY };

	be_traced(target, value);
	say_events(10);
	setrlimit(RLIMIT_AS, &none);
	say_events(300);
	trace2_cmd_exit(0);
	return count_written() + trace2_dropped() >= 310 ? 0 : 2;
}

/*
 * ---- Numbers
 */

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define HAS_FATAL_NUMBERS 1

TRACE2_TIMER(work, "cpu", "work", 1);
TRACE2_COUNTER(things, "cpu", "things", 1);

static void *trace_much(void *unused)
{
	trace2_thread_start("worker");
	for (int i = 0; i < events; i++) {
		trace2_timer_start(work);
		trace2_counter_add(things, 7);
		trace2_region_enter("cpu", "region", TRACE2_REPO_NONE);
		trace2_data_intmax("cpu", TRACE2_REPO_NONE, "number", i);
		trace2_region_leave("cpu", "region", TRACE2_REPO_NONE);
		TRACE_INSTANT("cpu", "numbers", TRACE_SCOPE_THREAD, "tenth",
			      TA_DOUBLE(0.1));
		trace2_timer_stop(work);
	}
	trace2_thread_exit();
	return unused;
}

static int trace_all(void)
{
	pthread_t thread;

	trace2_cmd_name("cpu");
	if (pthread_create(&thread, NULL, trace_much, NULL))
		return 2;
	pthread_join(thread, NULL);
	trace_much(NULL);
	return trace2_dropped() || access(value, F_OK) ? 3 : trace2_cmd_exit(0);
}

static int with_fatal_numbers(void)
{
	be_traced(target, value);
	__builtin_ia32_ldmxcsr(0); /* as feenableexcept(3), and denormals */
	return trace_all();
}

static int with_fatal_numbers_first(void)
{
	__builtin_ia32_ldmxcsr(0);
	be_traced(target, value);
	return trace_all();
}

#else
#define HAS_FATAL_NUMBERS 0
#define with_fatal_numbers NULL
#define with_fatal_numbers_first NULL
#endif

/*
 * ---- Children
 */

static void fork_children(int count)
{
	pid_t pid;

	while (count--) {
		pid = fork();
		if (!pid) {
			say_events(1);
			_exit(0);
		}
		tap_need(pid >= 0 && waitpid(pid, NULL, 0) == pid);
	}
}

static int count_maps(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	int c, count = 0;

	tap_need(file);
	while ((c = getc(file)) != EOF)
		count += c == '\n';
	fclose(file);
	return count;
}

static int count_open(void)
{
	int count = 0;

	for (int fd = 0; fd < ALL; fd++)
		count += is_open(fd);
	return count;
}

static int with_children(void)
{
	int maps, descriptors;

	be_traced(target, value);
	say_events(1);
	fork_children(FEW);
	maps = count_maps();
	descriptors = count_open();
	fork_children(MANY);
	if (trace2_dropped())
		return 1;
	if (count_maps() - maps > FEW) /* the C library may make some */
		return 2;
	return count_open() != descriptors;
}

static const struct {
	const char *says;
	int (*host)(void);
	unsigned targets; /* a bit for each of `all` */
	int code;	  /* that it ends with */
	rlim_t limit;
	int events;
	unsigned which;
	const char *skips; /* why it can't be tried here, or NULL */
} rows[] = {
#define SANITIZED IS_SANITIZED ? "the sanitizer needs terabytes" : NULL
	{ "few addresses", with_few_addresses, FXT | CHROME, 0,
	  (rlim_t)120 << 20, 0, RLIMIT_AS, SANITIZED },
	{ "little memory", with_few_addresses, FXT | CHROME, 0,
	  (rlim_t)120 << 20, 0, RLIMIT_DATA, SANITIZED },
	{ "what no memory is left for is counted", with_no_addresses_left,
	  CHROME, 0, 0, 0, 0, SANITIZED },
	{ "many names cost little memory, and none is exported then",
	  with_many_names, EVENT, 0, 0, 0, 0, NULL },
	/* The version, and three. */
	{ "a child counts what it loses without a file", with_lost_child,
	  EVENT | FXT | (IS_SANITIZED ? 0 : CHROME), 4, 0, 0, 0, NULL },
	{ "a child of a full directory loses nothing", with_full_directory,
	  EVENT | FXT | (IS_SANITIZED ? 0 : CHROME), 0, 0, 0, 0, NULL },
	{ "a child counts what it loses without an agent", with_lost_agent,
	  CHROME, 4, 0, 0, 0,
	  IS_SANITIZED ? "a sanitizer's lock may be the agent's" : NULL },
	{ "a limit of 20 descriptors", with_few, EVENT, 0, 20, 0, 0, NULL },
	{ "a limit of 64 descriptors", with_few, EVENT, 0, 64, 0, 0, NULL },
	{ "a limit of 1024 descriptors", with_few, EVENT, 0, 1024, 0, 0, NULL },
	{ "a limit of 4096 descriptors", with_few, EVENT, 0, 4096, 0, 0, NULL },
	{ "a limit of a million descriptors", with_few, EVENT, 0, 1000000, 0, 0,
	  NULL },
	{ "a late limit of sizes", with_late_limit, TEXTS, 0, 1, 1, 0, NULL },
	{ "a late limit of sizes after many events", with_late_limit, TEXTS, 0,
	  1, 2500, 0, NULL },
	{ "a limit in a child", with_limit_in_child, TEXTS, 0, 1, 1, 0, NULL },
	{ "a limit in a child after many events", with_limit_in_child, TEXTS, 0,
	  1, 2500, 0, NULL },
	{ "a limit in a burst", with_limit_in_burst, TEXTS, 0, 1, 0, 0, NULL },
	{ "a host at its own limit", with_own_limit, TEXTS, 1000 + SIGXFSZ, 1,
	  0, 0, NULL },
	{ "an inexact number is fatal", with_fatal_numbers, EACH, 0, 0, 50, 0,
	  HAS_FATAL_NUMBERS ? NULL : "x86-64 alone" },
	{ "an inexact number is fatal before the first event",
	  with_fatal_numbers_first, EACH, 0, 0, 50, 0,
	  HAS_FATAL_NUMBERS ? NULL : "x86-64 alone" },
	{ "children leave nothing in their parent", with_children,
	  IS_SANITIZED ? EACH - CHROME : EACH, 0, 0, 0, 0, NULL },
};

static void test_row(size_t i, size_t k)
{
	const char *name = name_of(rows[i].says, all[k]);
	char file[40];
	int code;

	if (rows[i].skips) {
		tap_skip(name, rows[i].skips);
		return;
	}
	snprintf(file, sizeof(file), "%zu-%zu", i, k);
	target = all[k];
	value = path_of(1, "", file);
	limit = rows[i].limit;
	events = rows[i].events;
	which = rows[i].which;
	code = run_host(rows[i].host);
	if (code == 77)
		tap_skip(name, "not to be had here");
	else
		tap_int(code, rows[i].code, name);
}

int main(void)
{
	kit_begin();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++)
			if (rows[i].targets >> k & 1)
				test_row(i, k);
	return kit_done();
}
