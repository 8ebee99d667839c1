"""Hosts that make tracing hard: clocks that stand or go back, forks and exits
inside of calls, hooks that trace, and very many threads."""

import json

import pytest
from outside_kit import ARCHIVE, build, place  # noqa: F401

pytestmark = pytest.mark.linked

CLOCK = """
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <trace2.h>
static int back;
int clock_gettime(clockid_t id, struct timespec *now)
{
	int failed = (int)syscall(SYS_clock_gettime, id, now);

	if (getenv("STAND"))
		*now = (struct timespec){ .tv_sec = 1577836800 };
	else if (id == CLOCK_MONOTONIC && back)
		now->tv_sec -= 1000000;
	return failed;
}
int main(int argc, char **argv)
{
	const char *words[] = { "x", NULL };
	struct trace2_child child = TRACE2_CHILD_INIT;

	(void)argc;
	child.argv = words;
	trace2_initialize();
	trace2_cmd_start(argv);
	trace2_child_start(&child);
	trace2_region_enter("c", "l", 0);
	usleep(1000);
	back = 1;
	trace2_region_leave("c", "l", 0);
	trace2_child_exit(&child, 0);
	return trace2_cmd_exit(0);
}
"""

# An application that traces in its own read and write, as a preloaded object
# does, and forks before its children have traced.
HOOKS = """
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <trace2.h>
#include <unistd.h>
static __thread int in;
static long traced(long number, int fd, const void *p, size_t n)
{
	long r;

	if (in)
		return syscall(number, fd, p, n);
	in = 1;
	trace2_region_enter("io", "io", 0);
	r = syscall(number, fd, p, n);
	trace2_region_leave("io", "io", 0);
	in = 0;
	return r;
}
ssize_t write(int fd, const void *p, size_t n) { return traced(SYS_write, fd, p, n); }
ssize_t read(int fd, void *p, size_t n) { return traced(SYS_read, fd, p, n); }
int main(int argc, char **argv)
{
	int i, status, bad = 0;

	(void)argc;
	alarm(60);
	trace2_initialize();
	trace2_cmd_start(argv);
	for (i = 0; i < 10; i++) {
		pid_t child = fork();

		if (!child && fork())
			_exit(0);
		if (!child) {
			trace2_printf("grandchild");
			exit(0);
		}
		waitpid(child, &status, 0);
		bad |= status;
		child = fork();
		if (!child) {
			alarm(10);
			usleep(30000);
			trace2_printf("child");
			exit(0);
		}
		waitpid(child, &status, 0);
		bad |= status;
	}
	return bad != 0;
}
"""

# An application that has trace points in functions that an event needs.
NEEDS = """
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <trace/event.h>
#include <trace2.h>
#define POINT TRACE_INSTANT("app", __func__, TRACE_SCOPE_THREAD)
pid_t getpid(void) { POINT; return (pid_t)syscall(SYS_getpid); }
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	POINT;
	return syscall(SYS_rt_sigprocmask, how, set, old, 8L) ? 1 : 0;
}
int clock_gettime(clockid_t id, struct timespec *now)
{
	POINT;
	return (int)syscall(SYS_clock_gettime, id, now);
}
int nanosleep(const struct timespec *time, struct timespec *rest)
{
	POINT;
	return (int)syscall(SYS_nanosleep, time, rest);
}
static void *point(void *unused) { POINT; return unused; }
int main(void)
{
	pthread_t thread;
	int i;

	trace2_initialize();
	for (i = 0; i < 4; i++)
		if (pthread_create(&thread, NULL, point, NULL) ||
		    pthread_join(thread, NULL))
			return 1;
	return 0;
}
"""

EXIT = """
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <trace2.h>
static void leave(int signo) { (void)signo; exit(0); }
int main(int argc, char **argv)
{
	struct itimerval soon = { { 0, 0 }, { 0, 20000 } };

	(void)argc;
	signal(SIGALRM, leave);
	trace2_initialize();
	trace2_cmd_start(argv);
	setitimer(ITIMER_REAL, &soon, NULL);
	for (;;)
		trace2_data_intmax("c", 0, "k", 1);
}
"""

THREADS = """
#include <pthread.h>
#include <trace/event.h>
static void *point(void *unused)
{
	TRACE_INSTANT("app", "point", TRACE_SCOPE_THREAD);
	return unused;
}
int main(void)
{
	pthread_t thread;
	int i;

	for (i = 0; i < 16000; i++)
		if (pthread_create(&thread, NULL, point, NULL) ||
		    pthread_join(thread, NULL))
			return 1;
	return 0;
}
"""


@pytest.fixture(scope="module")
def compiled(place):  # noqa: F811
    def call(name, text):
        source = place / (name + ".c")
        source.write_text(text)
        return build(place, name, source, *ARCHIVE)

    return call


@pytest.mark.parametrize(("name", "value"), [
    ("GIT_TRACE2_EVENT", "{}/e"), ("GIT_TRACE2_FXT", "{}/f.fxt"),
    ("GIT_TRACE2_CHROME", "{}/c.json"), ("TRACE_EVENT_CATEGORIES", "*"),
])  # fmt: skip
def test_a_program_whose_clock_stands_still_ends(
    execute, compiled, scratch, name, value
):
    env = {"STAND": "1", name: value.format(scratch)}
    assert execute([compiled("clock", CLOCK)], env=env, timeout=20).returncode == 0


def test_no_time_goes_back_where_the_clock_does(execute, compiled, scratch):
    log = scratch / "log"
    execute([compiled("clock", CLOCK)], env={"GIT_TRACE2_EVENT": str(log)})
    events = [json.loads(line) for line in log.read_text().splitlines()]
    times = [e["t_abs"] for e in events if "t_abs" in e]
    assert times == sorted(times) and times[-1] < 10
    assert all(e.get("t_rel", 0) < 10 for e in events)


def test_a_child_that_traces_in_its_own_read_does_not_hang(
    execute, compiled, scratch
):
    done = execute([compiled("hooks", HOOKS)], cwd=scratch, timeout=70,
                   env={"TRACE_EVENT_CATEGORIES": "*"})  # fmt: skip
    assert done.returncode == 0


@pytest.mark.parametrize("name", ["TRACE_EVENT_CATEGORIES", "GIT_TRACE2_CHROME"])
def test_a_trace_point_in_a_function_that_an_event_needs_is_no_circle(
    execute, compiled, scratch, name
):
    path = str(scratch / "t.json")
    env = {"TRACE_EVENT_CATEGORIES": "*", "TRACE_EVENT_FILE_PATTERN": path}
    if name != "TRACE_EVENT_CATEGORIES":
        env = {name: path}
    done = execute([compiled("needs", NEEDS)], env=env, timeout=20)
    assert done.returncode == 0
    names = [e["name"] for e in json.loads((scratch / "t.json").read_text())]
    assert names.count("point") == 4


def test_an_exit_inside_of_a_call_completes_the_file(
    execute, compiled, scratch
):
    path = scratch / "c.json"
    execute([compiled("leaves", EXIT)], env={"GIT_TRACE2_CHROME": str(path)},
            timeout=20)  # fmt: skip
    names = [e["name"] for e in json.loads(path.read_text())]
    assert names.count("k") > 10


def test_a_program_may_begin_any_number_of_threads(execute, compiled, scratch):
    execute([compiled("threads", THREADS)], cwd=scratch, timeout=60,
            env={"TRACE_EVENT_CATEGORIES": "*",
                 "TRACE_EVENT_FILE_PATTERN": "t.json"})  # fmt: skip
    events = json.loads((scratch / "t.json").read_text())
    assert len([e for e in events if e["name"] == "point"]) == 16000
