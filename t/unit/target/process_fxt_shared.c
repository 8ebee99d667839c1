/* The FXT target and the program's own tracing, whichever comes first. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/wait.h>

#include "target/process_fxt_kit.h"
#include "trace/agent.h"
#include "trace/event.h"
#include "trace/tracing.h"

static struct trace_tracing *tracing;

static void enable_tracing(void)
{
	static const char *const categories[] = { "mine", "both" };

	if (!tracing)
		tracing = trace_tracing_create(categories, 2);
	if (trace_tracing_enable(tracing))
		_exit(8);
}

/* The kit keeps only the last function of an exit, which may be tracing's. */
static void (*end_program)(int code);

static void begin_life(void)
{
	begin_program();
	end_program = process_exit;
}

static void trace_some(const char *key)
{
	trace2_data_string_fl("main.c", 2, "both", 0, key, "value");
	trace2_data_string_fl("main.c", 3, "other", 0, key, "value");
	TRACE_INSTANT("mine", "point", TRACE_SCOPE_THREAD);
}

static int enable_before(void)
{
	enable_tracing();
	begin_life();
	trace_some("one");
	trace_tracing_destroy(tracing);
	trace_some("two");
	end_program(0);
	return trace2_dropped() != 0;
}

static int enable_after(void)
{
	begin_life();
	trace_some("one");
	enable_tracing();
	trace_some("two");
	trace_tracing_disable(tracing);
	trace_tracing_enable(tracing);
	trace_some("three");
	end_program(0);
	return trace2_dropped() != 0;
}

/* How often is that among what was told? */
static int count_told(const char *part)
{
	const char *at = told;
	int found = 0;

	for (; (at = strstr(at, part)); at += strlen(part))
		found++;
	return found;
}

static int count_in_file(const char *name, const char *part)
{
	static char text[1 << 16];
	const char *at = text;
	int fd = open(name, O_RDONLY), found = 0;
	ssize_t len = read(fd, text, sizeof(text) - 1);

	close(fd);
	text[len < 0 ? 0 : len] = '\0';
	for (; (at = strstr(at, part)); at += strlen(part))
		found++;
	return found;
}

static void begin_place(void)
{
	unlink("trace.1.json");
}

static void test_before(void)
{
	begin_place();
	trace_life(enable_before);
	tap_ok(count_told("both one") == 1 && count_told("other one") == 1 &&
		       count_told("mine point") == 2 &&
		       count_told("both two") == 1,
	       "FXT has all events though tracing was enabled before it");
	tap_ok(count_told("trace2 version") == 1 &&
		       count_told("trace2 atexit") == 1 && !count_told("! "),
	       "the archive is whole, from version to atexit");
	tap_ok(count_in_file("trace.1.json", "\"point\"") == 1,
	       "and the tracing object has its own file");
}

static void test_after(void)
{
	begin_place();
	trace_life(enable_after);
	tap_ok(count_told("both one") == 1 && count_told("both two") == 1 &&
		       count_told("other three") == 1 &&
		       count_told("mine point") == 3,
	       "FXT has all events though tracing is enabled after it");
	tap_ok(count_told("trace2 version") == 1 &&
		       count_told("trace2 atexit") == 1 && !count_told("! "),
	       "the archive stays whole where the engine changes hands");
	tap_ok(count_in_file("trace.1.json", "\"point\"") == 2 &&
		       count_in_file("trace.1.json", "\"two\"") == 1 &&
		       !count_in_file("trace.1.json", "\"one\""),
	       "a tracing object has what was traced since it was enabled");
}

/*
 * Forks, signals and limits
 */

static int fork_shared(void)
{
	int status = -1;
	pid_t child;

	begin_life();
	enable_tracing();
	trace_some("parent");
	child = fork();
	if (!child) {
		trace_some("child");
		enable_tracing();
		trace_some("grown");
		end_program(0);
		_exit(trace2_dropped() != 0);
	}
	waitpid(child, &status, 0);
	trace_some("after");
	end_program(0);
	return status;
}

static void test_fork(void)
{
	begin_place();
	trace_life(fork_shared);
	tap_ok(count_told("both parent") == 1 &&
		       count_told("both after") == 1 &&
		       !count_told("both child") && !count_told("! "),
	       "a shared archive has no event of a forked child");
	events_of("fxt-1000");
	tap_ok(count_told("both child") == 1 && count_told("both grown") == 1 &&
		       !count_told("both parent") && !count_told("! "),
	       "a forked child shares its own archive when it traces");
}

static int only_one_category(void)
{
	process_setenv("GIT_TRACE2_CATEGORIES", "other");
	begin_life();
	enable_tracing();
	trace_some("one");
	end_program(0);
	return trace2_dropped() != 0;
}

static void test_categories(void)
{
	begin_place();
	trace_life(only_one_category);
	tap_ok(count_told("other one") == 1 && !count_told("both one") &&
		       !count_told("mine"),
	       "FXT keeps its own categories beside a tracing object");
}

static int cut_while_shared(void)
{
	begin_life();
	enable_tracing();
	trace_some("one");
	trace_tracing_flush(true);
	if (truncate("fxt", 4096))
		return 9;
	trace_some("two");
	end_program(0);
	return trace2_dropped() == 0;
}

static void test_cut(void)
{
	struct stat st;

	begin_place();
	trace_life(cut_while_shared);
	tap_ok(!strstr(told, "ended") && !stat("fxt", &st) &&
		       st.st_size == 4096,
	       "a shared file that somebody cut stays as it is");
	tap_ok(count_in_file("trace.1.json", "\"two\"") == 1,
	       "and the other clients of the agent go on");
}

int main(void)
{
	kit_start();
	tap_run(test_before, test_after, test_fork, test_categories, test_cut);
	return kit_done();
}
