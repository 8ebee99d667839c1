/* A file that the environment asks for, each time in another process. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/stat.h>

#include "host/host.h"
#include "kit/trace/tracing.h"
#include "trace/outside/outside.h"

static void write_point(const char *text)
{
	TRACE_INSTANT("app", "point", TRACE_SCOPE_THREAD, "text",
		      TA_STRING(text));
}

static void set_categories(const char *categories, const char *pattern)
{
	setenv("TRACE_EVENT_CATEGORIES", categories, 1);
	setenv("TRACE_EVENT_FILE_PATTERN", pattern, 1);
}

/* Run this in a process without a past; returns its exit status. */
static int run_anew(void (*run)(void))
{
	int status = -1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		run();
		exit(errno == 77 ? 0 : 9);
	}
	waitpid(child, &status, 0);
	return status;
}

static void begin_outside(void)
{
	errno = 77;
	tr2_outside_begin();
}

static void trace_one(void)
{
	begin_outside();
	write_point("one");
}

static void fork_one(void)
{
	trace_one();
	if (!fork()) {
		write_point("child");
		exit(0);
	}
	if (!fork())
		exit(0);
	while (wait(NULL) > 0)
		errno = 77;
	errno = 77;
}

/* Returns how many files of the folder have that in them. */
static int count_files(const char *part)
{
	DIR *here = opendir(".");
	struct dirent *entry;
	int count = 0;

	while (here && (entry = readdir(here)))
		if (entry->d_type == DT_REG)
			count += kit_count(entry->d_name, part) > 0;
	if (here)
		closedir(here);
	return count;
}

static int count_names(const char *start)
{
	DIR *here = opendir(".");
	struct dirent *entry;
	int count = 0;

	while (here && (entry = readdir(here)))
		count += !strncmp(entry->d_name, start, strlen(start));
	if (here)
		closedir(here);
	return count;
}

static void test_file(void)
{
	set_categories("app", "one.json");
	tap_int(run_anew(trace_one), 0, "a file costs a process nothing");
	tap_int(kit_count("one.json", KIT_HAS("point")), 1,
		"the points of the process are in it");
	tap_int(kit_count("one.json", "\n]\n"), 1, "and it is complete");
	set_categories("none", "two.json");
	tap_int(run_anew(trace_one), 0, "other categories may be asked for");
	tap_int(kit_count("two.json", KIT_HAS("point")), 0, "and only these");
	set_categories("*", "three.json");
	run_anew(trace_one);
	tap_int(kit_count("three.json", KIT_HAS("point")), 1,
		"an asterisk is every category");
	set_categories("app", "");
	run_anew(trace_one);
	tap_int(count_files(KIT_HAS("point")), 3,
		"without a pattern there is a default");
}

static void change_directory(void)
{
	begin_outside();
	if (mkdir("sub", 0700) || chdir("sub"))
		exit(1);
	errno = 77;
	write_point("one");
	if (!fork()) {
		write_point("child");
		exit(0);
	}
	wait(NULL);
}

static void test_directory(void)
{
	set_categories("app", "moved.json");
	tap_int(run_anew(change_directory), 0, "a process may move");
	tap_int(kit_count("moved.json", KIT_HAS("point")), 1,
		"its file stays where the process began");
	tap_int(count_files("\"child\""), 1, "and so does its child's");
}

static void begin_nowhere(void)
{
	if (mkdir("gone", 0700) || chdir("gone") || rmdir("../gone"))
		exit(1);
	errno = 77;
	trace_one();
	if (tr2_outside_has_file())
		errno = 78;
}

static void trace_without_file(void)
{
	trace_one();
	if (tr2_outside_has_file())
		errno = 78;
}

static void test_fork_handler(void)
{
	set_categories("app", "fork.json");
	tap_int(run_anew(fork_one), 0, "a process may fork");
	tap_int(kit_count("fork.json", KIT_HAS("point")), 1,
		"the parent's file is its own");
	tap_int(count_files("\"child\""), 2, "a child has a file if it traces");
	tap_int(count_names("fork"), 2, "and none if it does not");
}

/* As many programs as may follow one another by exec(2). */
static void follow_many(void)
{
	char name[32];
	FILE *file;
	int i;

	for (i = 1; i <= 1000; i++) {
		snprintf(name, sizeof(name), "many.%d.json", i);
		file = fopen(name, "w");
		fprintf(file, "[\n{\"ph\":\"M\",\"pid\":%d,\n", getpid());
		fclose(file);
	}
	trace_one();
}

static void test_many_files(void)
{
	set_categories("app", "many.${rotation}.json");
	run_anew(follow_many);
	tap_int(kit_count("many.1001.json", KIT_HAS("point")), 1,
		"the file after a thousand others is begun");
}

static void trace_three(void)
{
	begin_outside();
	write_point("one");
	write_point("two");
	write_point("three");
}

static int count_second_file(const char *events, const char *pattern)
{
	char name[32];

	snprintf(name, sizeof(name), "%s.${rotation}", pattern);
	setenv("TRACE_EVENT_EVENTS_PER_FILE", events, 1);
	set_categories("app", name);
	run_anew(trace_three);
	unsetenv("TRACE_EVENT_EVENTS_PER_FILE");
	snprintf(name, sizeof(name), "%s.2", pattern);
	return kit_count(name, KIT_HAS("point"));
}

static void test_events(void)
{
	tap_int(count_second_file("2", "some"), 1,
		"after as many events as were asked for the next file begins");
	tap_ok(count_second_file("0", "all") <= 0,
	       "0 events in a file are any number");
	tap_ok(count_second_file("2x", "wrong") <= 0,
	       "what is no number of events is ignored");
}

/* The name of a file that nobody can open. */
static void test_long_name(void)
{
	static char name[5000];

	memset(name, 'x', sizeof(name) - 1);
	set_categories("app", name);
	tap_int(run_anew(trace_without_file), 0,
		"a name that is too long costs a process nothing");
	tap_int(count_names("x"), 0, "and makes no file");
}

static void test_root(void)
{
	setenv("TRACE_EVENT_ROOT", "1", 1);
	set_categories("app", "root.json");
	run_anew(trace_one);
	tap_ok(access("root.json", F_OK) != 0,
	       "a process that is not the root has a pid in its file's name");
	setenv("TRACE_EVENT_ROOT", "", 1);
	run_anew(trace_one);
	tap_ok(access("root.json", F_OK) == 0, "none is the root of all");
	unsetenv("TRACE_EVENT_ROOT");
}

static void be_the_root(void)
{
	char own[16];

	snprintf(own, sizeof(own), "%d", getpid());
	setenv("TRACE_EVENT_ROOT", own, 1);
	trace_one();
}

static void test_own_root(void)
{
	set_categories("app", "own.json");
	run_anew(be_the_root);
	tap_int(kit_count("own.json", KIT_HAS("point")), 1,
		"the root's file has the plain name");
}

/* The exit status tells whether a signal has a handler, as it should. */
static void look_at_signals(void)
{
	const char *wanted = getenv("WANTED");
	struct sigaction action;

	begin_outside();
	sigaction(SIGTERM, NULL, &action);
	if ((action.sa_handler == SIG_DFL) != !wanted)
		errno = 78;
}

static void test_signals(void)
{
	set_categories("app", "signals.json");
	setenv("WANTED", "", 1);
	tap_int(run_anew(look_at_signals), 0, "signals have a handler");
	setenv("GIT_TRACE2_SIGNALS", "true", 1);
	tap_int(run_anew(look_at_signals), 0, "also if that is asked for");
	unsetenv("WANTED");
	setenv("GIT_TRACE2_SIGNALS", "0", 1);
	tap_int(run_anew(look_at_signals), 0, "unless they are left alone");
	unsetenv("GIT_TRACE2_SIGNALS");
}

/* As a child whose file could not be begun. */
static void lose_file(void)
{
	begin_outside();
	tr2_outside_note_file(false);
}

static void test_lost_file(void)
{
	set_categories("app", "lost.json");
	tap_int(run_anew(lose_file), 0, "a process may have lost its file");
	tap_int(kit_count("lost.json", "\n]\n"), 0, "which it does not end");
}

/* As a process that has become another program. */
static void begin_twice(void)
{
	FILE *before = fopen("twice.json", "w");

	fprintf(before, "[\n{\"ph\":\"M\",\"pid\":%d,\"tid\":1}\n", getpid());
	fclose(before);
	trace_one();
}

static void test_exec(void)
{
	set_categories("app", "twice.json");
	tap_int(run_anew(begin_twice), 0, "a process may become another one");
	tap_int(kit_count("twice.json", "\"tid\":1}"), 1,
		"its file stays as it is");
	tap_int(kit_count("twice.2.json", KIT_HAS("point")), 1,
		"and the next one has the next number");
}

/*
 * Failures
 */

static int calls, fail_at;

static void *fail_once(void *old, size_t size)
{
	int call = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);

	return call == fail_at ? NULL : realloc(old, size);
}

static void lack_memory(void)
{
	static struct tr2_host host;

	host = tr2_host_system;
	host.realloc = fail_once;
	tr2_host = &host; /* until the process ends */
	trace_one();
	if (tr2_outside_has_file())
		exit(errno == 77 ? 0 : 9);
	errno = 78;
}

static void test_memory(void)
{
	set_categories("app", "memory.json");
	for (fail_at = 1; fail_at < 3; fail_at++)
		tap_int(run_anew(lack_memory), 9 << 8,
			"without memory there is no file");
	fail_at = 0;
	tap_int(run_anew(lack_memory), 0, "with memory there is one");
}

static void begin_off(void)
{
	const int threads = kit_threads(); /* a sanitizer may have one */

	trace_one();
	tr2_outside_yield();
	if (tr2_outside_has_file() || TRACE_ENABLED() ||
	    kit_threads() != threads)
		errno = 78;
}

static void test_off(void)
{
	set_categories("", "off.json");
	tap_int(run_anew(begin_off), 0, "without categories nothing happens");
	unsetenv("TRACE_EVENT_CATEGORIES");
	tap_int(run_anew(begin_off), 0, "nor without the variable");
	set_categories("app", "none/off.json");
	tap_int(run_anew(begin_off), 0, "nor if there is no place for a file");
	tap_int(kit_said(begin_off), 0, "which prints nothing");
	unsetenv("TRACE_EVENT_CATEGORIES");
}

int main(void)
{
	kit_begin();
	tap_run(test_off, test_file, test_many_files, test_events,
		test_long_name, test_root, test_own_root, test_signals,
		test_exec, test_lost_file, test_memory);
	set_categories("app", "x.json");
	tap_int(run_anew(begin_nowhere), 0, "a process may begin nowhere");
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	tap_skip("a process may fork",
		 "a sanitizer's own locks may stay taken in the child");
	(void)test_fork_handler;
	(void)test_directory;
#else
	test_directory();
	test_fork_handler();
#endif
	kit_end();
	return tap_done();
}
