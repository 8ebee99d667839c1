#define _GNU_SOURCE
/* How test-tool runs threads and children, and how it fails. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <stdlib.h>
#include "kit/file.h"
#include "kit/limits.h"
#include "kit/tap.h"
#include "kit/command.h"
#include "kit/directory.h"
#include "tool/tool.h"
#include <limits.h>
#include <stdbool.h>

static char ended_said[1 << 16], ended_traced[1 << 16];

static int ends_faked; /* does it run in the world of fake/host.h? */

/* Returns the exit status, or 128 and the number of the signal. */
static int end_child(void (*part)(void))
{
	char log[96];
	pid_t pid;
	int status;

	snprintf(log, sizeof(log), "%s/log", directory_path);
	unlink("log");
	fflush(stdout);
	pid = fork();
	if (!pid) {
		tap_need(freopen("said", "w", stderr));
		setenv("GIT_TRACE2", log, 1);
		if (ends_faked)
			setenv("TEST_TOOL_FAKE_HOST", "1", 1);
		fake_host_install("x");
		trace2_initialize_fl("x.c", 1);
		part();
		fflush(stderr);
		_exit(77);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	snprintf(ended_said, sizeof(ended_said), "%s", file_text("said"));
	snprintf(ended_traced, sizeof(ended_traced), "%s", file_text("log"));
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

/*
 * ---- Threads
 */

static pthread_key_t key; /* its destructor runs when a thread ends */
static int done, wanted, data;
static int runs[FAKE_TURNS_MAX + 1];
static char ends[FAKE_TURNS_MAX + 2];
static int ended, early; /* how many have ended; before all were done */

static void note_end(void *place)
{
	ends[ended++] = *(char *)place;
	early += __atomic_load_n(&done, __ATOMIC_ACQUIRE) != wanted;
}

static void note_run(int place, void *given)
{
	static char places[FAKE_TURNS_MAX + 1];

	places[place] = (char)('0' + place);
	pthread_setspecific(key, &places[place]);
	runs[place] += given == &data;
	__atomic_add_fetch(&done, 1, __ATOMIC_ACQ_REL);
}

static void run_threads(int count, int expected)
{
	done = ended = early = 0;
	wanted = expected;
	memset(runs, 0, sizeof(runs));
	memset(ends, 0, sizeof(ends));
	tool_threads(count, note_run, &data);
}

static int count_runs(int count)
{
	int i, once = 0;

	for (i = 0; i < count; i++)
		once += runs[i] == 1;
	return once;
}

static void test_places(void)
{
	run_threads(5, 5);
	tap_ok(done == 5 && count_runs(5) == 5,
	       "each thread has a place of its own");
	tap_str(ends, "01234", "threads end in the order of their places");
	tap_int(early, 0, "no thread ends before all have done their work");
	run_threads(1, 1);
	tap_str(ends, "0", "one thread is enough");
	run_threads(0, 0);
	tap_int(done, 0, "there may be no thread to run");
	run_threads(-1, 0);
	tap_int(done, 0, "there are never less than none");
	run_threads(FAKE_TURNS_MAX + 1, FAKE_TURNS_MAX);
	tap_ok(done == FAKE_TURNS_MAX &&
		       count_runs(FAKE_TURNS_MAX) == FAKE_TURNS_MAX,
	       "there are at most 64 threads");
}

static void have_no_threads(void)
{
	limit_threads(1);
	tool_threads(2, note_run, &data);
}

static void test_no_threads(void)
{
	char said[128];

	tap_int(end_child(have_no_threads), 125,
		"without threads a program ends");
	snprintf(said, sizeof(said), "pthread_create: %s\n", strerror(0));
	tap_ok(!strncmp(ended_said, said, strlen("pthread_create: ")),
	       "which call has failed is said");
}

static void run_tests_of_threads(void)
{
	enter_directory();
	pthread_key_create(&key, note_end);
	tap_run(test_places, test_no_threads);
	leave_directory();
}

/*
 * ---- Spawn
 */

static struct trace2_child child = TRACE2_CHILD_INIT;

/* Returns its exit code, 128 and the number of its signal, or -1 and errno. */
static int run_child(const char **argv)
{
	int status;
	pid_t pid;

	fflush(stdout);
	kit_divert(1);
	kit_divert(2);
	status = tool_spawn(&child, argv, &pid) ? -1 : tool_wait(pid);
	kit_restore(2);
	kit_restore(1);
	if (status == -1)
		return -1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

static int run_words(const char *first, const char *second, const char *third)
{
	const char *argv[] = { first, second, third, NULL };

	return run_child(argv);
}

static int run_script(const char *text)
{
	return run_words("sh", "-c", text);
}

static void test_endings(void)
{
	tap_int(run_script("exit 3"), 3,
		"an exit status is the code of a child");
	tap_int(run_script("kill -9 $$"), 128 + 9,
		"the signal that ends a child is known");
	tap_int(tool_wait(1), -1,
		"a process that is no child cannot be waited for");
}

/* Whoever starts us may ignore the signal, or may have asked to forget. */
static void test_forgotten(void)
{
	struct sigaction forget = { .sa_flags = SA_NOCLDWAIT };

	signal(SIGCHLD, SIG_IGN);
	tap_int(run_script("exit 3"), 3,
		"a child's end is known though SIGCHLD is ignored");
	signal(SIGCHLD, SIG_IGN);
	tap_int(run_script("kill -9 $$"), 128 + 9,
		"a signal is known though SIGCHLD is ignored");
	sigaction(SIGCHLD, &forget, NULL);
	tap_int(run_script("exit 3"), -1,
		"an end that is forgotten is no code");
	tap_int(errno, ECHILD, "an end that is forgotten is an error");
	signal(SIGCHLD, SIG_DFL);
}

static char *repeat_text(const char *piece, size_t count, const char *end)
{
	const size_t len = strlen(piece);
	char *text = malloc(count * len + strlen(end) + 1);
	size_t i;

	for (i = 0; i < count; i++)
		memcpy(text + i * len, piece, len);
	strcpy(text + count * len, end);
	return text;
}

static void test_long(void)
{
	char *name = repeat_text("./", 3000, "here");
	char *path = repeat_text("/d", 3000, ":/usr/bin:/bin");
	const char *argv[] = { "sh", "-c", repeat_text(" ", 5000, "exit 7"),
			       NULL };

	if (!getenv("TEST_UNDER_VALGRIND")) { /* which has an errno of its own */
		tap_int(run_words(name, NULL, NULL), -1,
			"a path that is too long is not cut");
		tap_int(errno, ENAMETOOLONG,
			"a path that is too long is an error");
	}
	setenv("PATH", path, 1);
	tap_int(run_script("exit 4"), 4, "a long entry of PATH is passed over");
	setenv("PATH", "/usr/bin:/bin", 1);
	tap_int(run_child(argv), 7, "a long word is passed to its end");
	free(name);
	free(path);
	free((char *)argv[2]);
}

/* Its descriptors would be the next two. */
static void test_pipe(void)
{
	const int next = dup(0), after = dup(0);
	char text[128];
	const char *argv[] = { "sh", "-c", text, NULL };
	pid_t pid;

	close(next);
	close(after);
	snprintf(text, sizeof(text),
		 "cd /proc/$$/fd && test ! -e %d -a ! -e %d", next, after);
	tap_ok(!tool_spawn(&child, argv, &pid) && !tool_wait(pid),
	       "a child inherits no descriptor of ours");
	tap_int(dup(0), next, "no descriptor stays open");
	close(next);
}

static void run_tests_of_spawn(void)
{
	/* A shell makes its background processes ignore SIGINT and SIGQUIT. */
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	enter_directory();
	setenv("PATH", "/usr/bin:/bin", 1);
	tap_run(test_endings, test_forgotten, test_long, test_pipe);
	leave_directory();
}

static void run_both(void)
{
	tap_run(run_tests_of_threads, run_tests_of_spawn);
}

/*
 * ---- Usage
 */

static bool has_traced(const char *text)
{
	return strstr(ended_traced, text) != NULL;
}

static void make_error(void)
{
	tool_error("a.c", 7, "no %s", "x");
}

static void die_of_x(void)
{
	tool_die("a.c", 7, "no %s", "x");
}

static void test_errors(void)
{
	tap_int(end_child(make_error), 77, "after an error a program goes on");
	tap_str(ended_said, "error: no x\n", "an error is said");
	tap_ok(has_traced(" a.c:7 ") && has_traced("error no x\n"),
	       "an error is traced with its place");
	tap_ok(!has_traced("exit "), "an error is no exit");
	tap_int(end_child(die_of_x), 128, "who dies has the code 128");
	tap_str(ended_said, "fatal: no x\n", "why it dies is said");
	tap_ok(has_traced("error no x\n") && has_traced("code:128\n") &&
		       has_traced("atexit "),
	       "why it dies, and the exit, are traced");
}

/* What is left in the value is -7. */
static int read_int(const char *text, int *value)
{
	*value = -7;
	return tool_int(value, text);
}

static void test_numbers(void)
{
	int value;

	tap_ok(!read_int("0", &value) && value == 0, "0 is a number");
	tap_ok(!read_int("-12", &value) && value == -12,
	       "a number may be negative");
	errno = ERANGE;
	tap_ok(!read_int("2147483647", &value) && value == INT_MAX,
	       "an earlier error is none of a number");
	tap_ok(read_int("", &value) && read_int(NULL, &value) &&
		       read_int("x", &value) && read_int("1x", &value) &&
		       read_int("1 ", &value) && read_int("0x1", &value),
	       "a text that is no number is refused");
	tap_ok(read_int("99999999999999999999", &value) &&
		       read_int("-99999999999999999999", &value) && value == -7,
	       "a number that is too long is refused");
}

static void run_usage(void)
{
	enter_directory();
	tap_run(test_errors, test_numbers);
	leave_directory();
}

int main(void)
{
	tap_run(run_both, run_usage);
	return tap_done();
}
