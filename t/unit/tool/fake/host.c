/* The world in which every run writes the same bytes: clocks and processes. */
#include "tool/fake/world_kit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/utsname.h>
#include <time.h>

/*
 * ---- Time
 */

/*
 * ---- Processes
 */

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
	tap_run(test_wrong);
	return tap_done();
}
