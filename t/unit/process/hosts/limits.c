/*
 * Hosts with limits: of descriptors, from few to many, and of the size of
 * files, set after the library was initialized. They live.
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#include "process/hosts/host_kit.h"
#include "trace/outside/outside.h"

static rlim_t limit;

static int with_few(void)
{
	struct rlimit files;
	int fd, count = 0;

	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = limit;
	if (files.rlim_max < limit)
		files.rlim_max = limit;
	if (setrlimit(RLIMIT_NOFILE, &files))
		return 77;
	be_traced("GIT_TRACE2_EVENT", value);
	say_events(1);
	for (fd = 10; fd < ALL; fd++)
		count += !before[fd] && is_open(fd);
	files.rlim_cur = 12;
	setrlimit(RLIMIT_NOFILE, &files); /* it goes on above that */
	say_events(1);
	return trace2_dropped() || count != 1 ? 2 : 0;
}

static void test_few(void)
{
	static const rlim_t limits[] = { 20, 64, 1024, 4096, 1000000 };
	char name[80];
	size_t i;
	int code;

	for (i = 0; i < 5; i++) {
		limit = limits[i];
		snprintf(name, sizeof(name), "a limit of %d descriptors",
			 (int)limit);
		code = run_host(with_few);
		if (code == 77)
			tap_skip(name, "the hard limit is lower");
		else
			tap_int(code, 0, name);
	}
}

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
	be_traced(target, value);
	say_events(1);
	limit_size(1);
	write_own();
	write_own();
	return 2;
}

static void test_sizes(void)
{
	size_t i;

	value = path_of(1, "", "sized");
	for (i = 0; i < 3; i++) {
		target = targets[i];
		limit = 1;
		for (events = 1; events < 5000; events += 2499) {
			tap_int(run_host(with_late_limit), 0,
				name_of("a late limit of sizes", target));
			tap_int(run_host(with_limit_in_child), 0,
				name_of("a limit in a child", target));
		}
		tap_int(run_host(with_limit_in_burst), 0,
			name_of("a limit in a burst", target));
		make_own(A_FILE);
		tap_int(run_host(with_own_limit), 1000 + SIGXFSZ,
			name_of("a host at its own limit", target));
		close(hosts);
		close(peer);
	}
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MANY_NAMES_KB (1024 * 1024) /* the sanitizer keeps what is freed */
#else
#define MANY_NAMES_KB (16 * 1024)
#endif

/* The C library keeps each value that a variable ever had. */
static int with_many_names(void)
{
	struct rusage first, last;
	const char *name;
	char own[20];
	int i;

	be_traced("GIT_TRACE2_EVENT", value);
	trace2_cmd_name("first");
	getrusage(RUSAGE_SELF, &first);
	for (i = 0; i < 60000; i++) {
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

static void test_many_names(void)
{
	value = "/dev/null";
	tap_int(run_host(with_many_names), 0,
		"many names cost little memory, and none is exported then");
}

static int which;

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

	be_traced("GIT_TRACE2_CHROME", value);
	say_events(10);
	setrlimit(RLIMIT_AS, &none);
	say_events(300);
	trace2_cmd_exit(0);
	return count_written() + trace2_dropped() >= 310 ? 0 : 2;
}

static void test_no_addresses(void)
{
	value = path_of(1, "", "none-left");
	tap_int(run_host(with_no_addresses_left), 0,
		"what no memory is left for is counted");
}

static void test_addresses(void)
{
	static const char *const few[] = { "GIT_TRACE2_FXT",
					   "GIT_TRACE2_CHROME" };
	size_t i;

	for (i = 0; i < 2; i++) {
		target = few[i];
		value = path_of(1, "", target);
		limit = (rlim_t)120 << 20;
		which = RLIMIT_AS;
		tap_int(run_host(with_few_addresses), 0,
			name_of("few addresses", target));
		which = RLIMIT_DATA;
		tap_int(run_host(with_few_addresses), 0,
			name_of("little memory", target));
	}
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
	be_traced(target, value);
	say_events(1);
	return count_lost_in_child(1);
}

/* The agent has a file by TRACE_EVENT_CATEGORIES, and none in the child. */
static int with_lost_agent(void)
{
	setenv("TRACE_EVENT_CATEGORIES", "*", 1);
	setenv("TRACE_EVENT_FILE_PATTERN", value, 1);
	tr2_outside_begin();
	be_traced("GIT_TRACE2_CHROME", "");
	say_events(1);
	return trace2_is_enabled() ? count_lost_in_child(1) : -1;
}

/* The first child opens the sentinel; the second one finds it. */
static int with_full_directory(void)
{
	setenv("GIT_TRACE2_MAX_FILES", "3", 1);
	be_traced(target, value);
	say_events(1);
	return count_lost_in_child(0) ? -1 : count_lost_in_child(0);
}

static void make_directory(const char *prefix)
{
	char name[80];

	snprintf(name, sizeof(name), "%s-%s", prefix, target);
	value = path_of(1, "", name);
	if (mkdir(value, 0700))
		abort();
}

static void test_lost_agent(void)
{
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	tap_skip("a child counts what it loses without an agent",
		 "a sanitizer's lock may be the agent's as the host forks");
	(void)with_lost_agent;
#else
	value = path_of(1, "", "agent-${pid}.json");
	tap_int(run_host(with_lost_agent), 4,
		"a child counts what it loses without an agent");
#endif
}

static void test_lost_children(void)
{
	static const char *const own[] = {
		"GIT_TRACE2_EVENT",
		"GIT_TRACE2_FXT",
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
		"GIT_TRACE2_CHROME",
#endif
	};
	size_t i;

	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		target = own[i];
		make_directory("own");
		/* The version, and three. */
		tap_int(run_host(with_lost_child), 4,
			name_of("a child counts what it loses without a file",
				target));
		make_directory("full");
		tap_int(run_host(with_full_directory), 0,
			name_of("a child of a full directory loses nothing",
				target));
	}
}

int main(void)
{
	kit_begin();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	(void)test_addresses;
	(void)test_no_addresses;
	tap_skip("few addresses", "the sanitizer needs terabytes of them");
#else
	test_addresses();
	test_no_addresses();
#endif
	test_many_names();
	test_lost_children();
	test_lost_agent();
	value = path_of(1, "", "few");
	test_few();
	test_sizes();
	return kit_done();
}
