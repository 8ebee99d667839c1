/* The world in which every run writes the same bytes: clocks and processes. */
#include "tool/fake/world_kit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/utsname.h>
#include <time.h>

#define WALL UINT64_C(1767323045000000) /* 2026-01-02T03:04:05Z */
#define HOUR UINT64_C(3600000000000)	/* ns */

/*
 * ---- Time
 */

static int use_primes(void)
{
	static const uint64_t primes[] = { 2,  3,  5,  7,  11, 13, 17, 19,
					   23, 29, 31, 37, 41, 43, 47, 53 };
	uint64_t before = begin_world("a"), now;
	size_t i;

	for (i = 0; i < sizeof(primes) / sizeof(primes[0]); i++) {
		fake_tick();
		now = tr2_host->mono_ns();
		if (now - before != primes[i] * 1000)
			return 0;
		before = now;
	}
	return 1;
}

static int use_clocks(void)
{
	uint64_t mono = begin_world("a"), wall = tr2_host->wall_us();

	if (wall != WALL || !(mono % 1000))
		return 0;
	fake_sleep(HOUR); /* takes no time */
	fake_sleep(999);
	return tr2_host->mono_ns() - mono == HOUR + 999 &&
	       tr2_host->wall_us() - wall == HOUR / 1000 &&
	       tr2_host->mono_ns() - mono == HOUR + 999;
}

static int use_given_clock(void)
{
	setenv("TEST_TOOL_FAKE_CLOCK", "1234567890123456", 1);
	begin_world("a");
	return tr2_host->wall_us() == UINT64_C(1234567890123456);
}

static int use_facts(void)
{
	char name[64] = "", thread[32];
	struct utsname names;

	begin_world("a");
	return !tr2_host->hostname(name, sizeof(name)) &&
	       !strcmp(name, "host.example") &&
	       tr2_host->utc_offset(WALL) == 19800 &&
	       !tr2_host->uname(&names) && !strcmp(names.sysname, "System") &&
	       !strcmp(names.release, "1.2.3") &&
	       !strcmp(names.machine, "machine") &&
	       tr2_host->thread(thread, sizeof(thread)) == 1000 &&
	       !strcmp(thread, "thread 1") &&
	       tr2_host->thread(thread, sizeof(thread)) == 1000 &&
	       !tr2_host->has_constant_ticks;
}

static void *ask_thread(void *context)
{
	char name[32];
	const int is_second = tr2_host->thread(name, sizeof(name)) == 1064 &&
			      !strcmp(name, "thread 2");

	return is_second ? context : NULL;
}

/* A thread that asks later has another number, and no process has it. */
static int use_threads(void)
{
	char name[32];
	pthread_t thread;
	void *found = NULL;

	begin_world("a");
	tr2_host->thread(name, sizeof(name));
	pthread_create(&thread, NULL, ask_thread, name);
	pthread_join(thread, &found);
	return found == name;
}

/* What the world does not replace is the system's, and one file is open. */
static int use_rest(void)
{
	int next = dup(0), after;

	close(next);
	setenv("UNIT_A", "b", 1);
	begin_world("a");
	after = dup(0);
	return after == next && !strcmp(tr2_host->getenv("UNIT_A"), "b");
}

static void test_time(void)
{
	tap_int(run_child(use_primes), 1, "each tick is the next prime number");
	tap_int(run_child(use_clocks), 1,
		"a sleep moves both clocks, and nothing else does");
	tap_int(run_child(use_given_clock), 1,
		"the time of the begin may be given");
	tap_int(run_child(use_facts), 1,
		"the host's name, zone, system and threads are fixed");
	tap_int(run_child(use_threads), 1, "threads have numbers in turn");
	tap_int(run_child(use_rest), 1, "all else is as in the system");
}

/*
 * ---- Processes
 */

/* Does the system tell this about the process? */
static int is_told(pid_t pid, const char *want)
{
	char text[128];
	ssize_t len = tr2_host->process_stat(pid, text, sizeof(text));

	return len == (ssize_t)strlen(want) && !strcmp(text, want);
}

#define REST " 1 1 0 -1 4194304 0\n"

static int use_ancestors(void)
{
	begin_world("dir/program");
	return tr2_host->getpid() == 1000 &&
	       is_told(0, "1000 (program) S 300" REST) &&
	       is_told(1000, "1000 (program) S 300" REST) &&
	       is_told(300, "300 (sh) S 200" REST) &&
	       is_told(200, "200 ((a) b) S 1" REST) &&
	       is_told(1, "1 (init) S 0" REST);
}

static int use_names(void)
{
	begin_world("sixteen-bytes-or-more");
	return is_told(0, "1000 (sixteen-bytes-o) S 300" REST);
}

static int use_unknown(void)
{
	char text[128];

	begin_world("a");
	return tr2_host->process_stat(1001, text, sizeof(text)) < 0 &&
	       errno == ENOENT;
}

/* A text that does not fit is cut as the system cuts it. */
static int use_short(void)
{
	char text[16];

	begin_world("program");
	if (tr2_host->process_stat(0, text, 10) != 9 ||
	    strcmp(text, "1000 (pro") != 0)
		return 0;
	return tr2_host->process_stat(1, text, sizeof(text)) == 15;
}

static int use_children(void)
{
	pid_t first, second;

	begin_world("mother");
	first = fake_child();
	second = fake_child();
	if (first != 1001 || second != 1002 || tr2_host->getpid() != 1000)
		return 0;
	fake_child_enter(second);
	return tr2_host->getpid() == 1002 &&
	       is_told(0, "1002 (mother) S 1000" REST) &&
	       is_told(first, "1001 (mother) S 1000" REST) &&
	       fake_child() == 1003 &&
	       is_told(1003, "1003 (mother) S 1002" REST);
}

/* An executed program finds the world by its number, and has another name. */
static int use_executed(void)
{
	char thread[32];
	uint64_t before;
	int fd;

	begin_world("mother");
	fake_tick();
	fake_child_enter(fake_child());
	before = tr2_host->mono_ns();
	fake_host_install("bin/daughter");
	fd = atoi(getenv("TEST_TOOL_FAKE_HOST"));
	fake_tick();
	return tr2_host->mono_ns() - before == 3000 &&
	       tr2_host->getpid() == 1001 &&
	       tr2_host->thread(thread, sizeof(thread)) == 1001 &&
	       is_told(0, "1001 (daughter) S 1000" REST) &&
	       is_told(1000, "1000 (mother) S 300" REST) && fd >= 100 &&
	       !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
}

/* As a program that was executed by another process than this one. */
static int use_given_world(void)
{
	char text[32];

	begin_world("mother");
	snprintf(text, sizeof(text), "%d:%d",
		 atoi(getenv("TEST_TOOL_FAKE_HOST")), (int)fake_child());
	setenv("TEST_TOOL_FAKE_HOST", text, 1);
	fake_host_install("daughter");
	return tr2_host->getpid() == 1001 &&
	       is_told(0, "1001 (daughter) S 1000" REST) &&
	       is_told(1000, "1000 (mother) S 300" REST);
}

/* A forked child moves the clock of its parent. */
static int use_forked(void)
{
	uint64_t before = begin_world("a");
	pid_t pid = fork();

	if (!pid) {
		fake_tick();
		_exit(fake_child() != 1001);
	}
	waitpid(pid, NULL, 0);
	return tr2_host->mono_ns() - before == 2000 && fake_child() == 1002;
}

static int use_all(void)
{
	int i, last = 0;

	begin_world("a");
	for (i = 0; i < 60; i++)
		last = fake_child();
	return last == 1060;
}

static int use_more(void)
{
	int i;

	begin_world("a");
	for (i = 0; i < 61; i++)
		fake_child();
	return 0;
}

static void test_processes(void)
{
	tap_int(run_child(use_ancestors), 1, "a process has three ancestors");
	tap_int(run_child(use_names), 1, "its name has 15 bytes at most");
	tap_int(run_child(use_unknown), 1, "other processes are not there");
	tap_int(run_child(use_short), 1, "what is told may be cut");
	tap_int(run_child(use_children), 1,
		"children have numbers in the order of their announcement");
	tap_int(run_child(use_executed), 1,
		"an executed program lives in the same world");
	tap_int(run_child(use_given_world), 1, "under the number it was given");
	tap_int(run_child(use_forked), 1, "so does a forked one");
	tap_int(run_child(use_all), 1, "a world may have 64 processes");
	tap_int(run_child(use_more), -6, "and never a process more");
}

/*
 * ---- No world
 */

/* A descriptor of nothing. */
static int use_wrong(void)
{
	setenv("TEST_TOOL_FAKE_HOST", "99:1000", 1);
	fake_host_install("a");
	return 0;
}

static int use_full_disk(void)
{
	setenv("TEST_TOOL_FAKE_HOST", "1", 1);
	limit_disk(100);
	fake_host_install("a");
	return 0;
}

static int use_few_descriptors(void)
{
	setenv("TEST_TOOL_FAKE_HOST", "1", 1);
	limit_files(50);
	fake_host_install("a");
	return 0;
}

static void test_wrong(void)
{
	tap_int(run_child(use_wrong), 125, "a world that is gone is no world");
	tap_ok(!strncmp(kit_said[2], "mmap: ", 6),
	       "and the system call is told");
	tap_int(run_child(use_full_disk), 125,
		"a world needs space for its file");
	tap_ok(!strncmp(kit_said[2], "tmpfile: ", 9),
	       "and the failure is told");
	tap_int(run_child(use_few_descriptors), 125,
		"a world needs a high descriptor");
	tap_ok(!strncmp(kit_said[2], "dup: ", 5), "which is named");
}

int main(void)
{
	unsetenv("TEST_TOOL_FAKE_HOST");
	unsetenv("TEST_TOOL_FAKE_CLOCK");
	unsetenv("TEST_TOOL_FAIL");
	tap_run(test_time, test_processes, test_wrong);
	return tap_done();
}
