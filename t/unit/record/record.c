/* Recordings of commands that write EVENT lines, from begin to end. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kit/directory.h"
#include "kit/file.h"
#include "record/record.h"

#define HINT "; to see where the time went, type:\ntrace2 summary "
#define EVENT(name, more)                                            \
	"{\"event\":\"" name "\",\"sid\":\"s\",\"thread\":\"main\"," \
	"\"time\":\"2026-01-01T00:00:00.000000Z\"" more "}\n"
#define LOG                                                   \
	EVENT("version", ",\"evt\":\"4\",\"exe\":\"2.47.0\"") \
	EVENT("start", ",\"t_abs\":0.001,\"argv\":[\"git\"]") \
	EVENT("exit", ",\"t_abs\":0.002,\"code\":0")          \
	EVENT("atexit", ",\"t_abs\":0.003,\"code\":0")
/* Until the test has made a file, at most a minute. */
#define WAIT(name)                                               \
	"i=0; while test ! -e " name " && test $i -lt 6000; do " \
	"sleep 0.01; i=$((i + 1)); done; "
#define WRITE "cat ../log >>\"$GIT_TRACE2_EVENT\"; "

static char messages[8192];
static pid_t recorder;

static double find_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A recorder changes its own signals and children, so it has a process. */
static void begin_record(char **argv)
{
	int argc = 0, error;

	while (argv[argc])
		argc++;
	fflush(stdout);
	recorder = fork();
	if (recorder)
		return;
	error = open("../messages", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	dup2(error, STDERR_FILENO);
	close(error);
	exit(tr2_record_main(argc, argv));
}

/* Returns the exit status, or a signal's number and 128. */
static int end_record(void)
{
	int status;

	waitpid(recorder, &status, 0);
	snprintf(messages, sizeof(messages), "%s", kit_text("../messages"));
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

#define RECORD(...) begin_record((char *[]){ "record", __VA_ARGS__, NULL })

static int run_script(const char *output, const char *script)
{
	RECORD("-o", (char *)output, "--", "sh", "-c", (char *)script);
	return end_record();
}

static int has_message(const char *part)
{
	return strstr(messages, part) != NULL;
}

static void clear_directory(void)
{
	if (chdir(".."))
		abort();
	remove_all("work");
	if (mkdir("work", 0700) || chdir("work"))
		abort();
}

static void test_log(void)
{
	tap_int(run_script("a.event", WRITE), 0, "a command is recorded");
	tap_str(messages, "the record is in a.event" HINT "a.event\n",
		"which is told, and nothing else");
	tap_str(kit_text("a.event"), LOG, "its events are in the log");
	tap_int(run_script("a.event", WRITE "exit 3"), 3,
		"its status becomes the recorder's");
	tap_str(kit_text("a.event"), LOG, "and an earlier log is replaced");
	tap_int(run_script("a.event", WRITE "kill -9 $$"), 128 + 9,
		"a signal's number is in the status as a shell has it");
	RECORD("--", "sh", "-c", WRITE);
	tap_int(end_record(), 0, "the output need not have a name");
	tap_str(list_names("."), "a.event trace.event ",
		"then the log is named for it");
	clear_directory();
}

static void test_outputs(void)
{
	tap_int(run_script("a.html", WRITE), 0, "a page is an output");
	tap_str(messages, "the record is in a.html; open it in a browser\n",
		"which is told how to see");
	tap_int(run_script("a.json", WRITE), 0,
		"JSON is one of a command without trace points");
	tap_ok(has_message(
		       "the record is in a.json; open it in https://ui.perf"),
	       "with a hint, too");
	tap_int(run_script("a.fxt", WRITE), 0, "and an archive is");
	tap_str(list_names("."), "a.fxt a.html a.json ",
		"each of them is all that is left");
	clear_directory();
}

static void test_nothing(void)
{
	tap_int(run_script("a.event", ":"), 1, "no event is a failure");
	tap_ok(has_message(
		       "trace2 record: nothing was recorded: expected git 2.22 or "
		       "later, or a program that links libtrace2: sh\n"),
	       "which tells what was expected");
	tap_ok(has_message("env -i"), "and what may be the reason");
	tap_int(run_script("a.html", "exit 3"), 3,
		"unless the command fails itself");
	tap_int(run_script("a.fxt", ":"), 1, "the same without trace points");
	RECORD("--", "sh", "-c", ":");
	tap_int(end_record(), 1, "and without a name");
	tap_str(list_names("."), "", "nothing is left of all these");
}

/* Under valgrind posix_spawn() does not tell why a program can't be run. */
static void test_not_run(void)
{
	if (getenv("TEST_UNDER_VALGRIND")) {
		tap_skip("a command that can't be run",
			 "valgrind has no vfork()");
		return;
	}
	RECORD("-o", "a.event", "--", "no-such-command");
	tap_int(end_record(), 127, "a command that is not found has 127");
	tap_str(messages,
		"trace2 record: no-such-command: No such file or "
		"directory\n",
		"with a message");
	write_file("text", "");
	RECORD("-o", "a.fxt", "--", "./text");
	tap_int(end_record(), 126, "one that can't be run has 126");
	unlink("text");
}

static void test_no_command(void)
{
	test_not_run();
	RECORD("-o", "a.event");
	tap_int(end_record(), 2, "a log needs a command");
	RECORD("-o", "a.event", "--bad", "--", "true");
	tap_int(end_record(), 2, "an unknown option of record is refused");
	write_file("a.fxt.partial", "mine");
	RECORD("-o", "a.fxt", "--", "touch", "it-ran");
	tap_int(end_record(), 1, "a partial archive is not replaced");
	tap_ok(has_message("trace2 record: a.fxt"),
	       "which is told by the archive's name");
	unlink("a.fxt.partial");
	write_file("a.event.partial", "mine");
	RECORD("-o", "a.event", "--", "touch", "it-ran");
	tap_int(end_record(), 1, "nor is a partial log");
	RECORD("-o", "none/a.fxt", "--", "touch", "it-ran");
	tap_int(end_record(), 1, "an archive needs its directory");
	tap_str(list_names("."), "a.event.partial ", "the command never runs");
	clear_directory();
}

/* Wait until the command has written that it runs. */
static void await_file(const char *path)
{
	const struct timespec pause = { 0, 5000000 };

	while (!has_file(path))
		nanosleep(&pause, NULL);
}

static void test_duration(void)
{
	double from = find_now();

	RECORD("-o", "a.event", "--duration", "0.3", "--", "sh", "-c",
	       WRITE "" WAIT("done") "exit 4");
	await_file("a.event");
	tap_ok(find_now() - from >= 0.3, "a recording may have a duration");
	tap_str(kit_text("a.event"), LOG, "after it the log is there");
	tap_int(waitpid(recorder, NULL, WNOHANG), 0,
		"while the command goes on");
	write_file("done", "");
	tap_int(end_record(), 4, "the recorder ends with the command");
	unlink("done");
	RECORD("-o", "b.event", "--duration", "60", "--", "sh", "-c", WRITE);
	tap_int(end_record(), 0, "a command may end before that");
	tap_ok(find_now() - from < 50, "and so does the recorder");
	RECORD("-o", "c.event", "--duration", "0.2", "--", "sh", "-c",
	       "sleep 0.5");
	tap_int(end_record(), 1, "no event until then is a failure");
	tap_ok(has_message(
		       "nothing was recorded before the time of --duration was "
		       "over: sh\n"),
	       "which is told with the command");
	tap_str(list_names("."), "a.event b.event ", "and leaves no log");
	clear_directory();
}

static void test_signals(void)
{
	RECORD("-o", "a.event", "--", "sh", "-c",
	       WRITE "trap 'exit 5' TERM; touch ready; " WAIT("never"));
	await_file("ready");
	kill(recorder, SIGTERM);
	tap_int(end_record(), 5, "the command gets the recorder's signal");
	tap_str(kit_text("a.event"), LOG, "and its log is kept");
	unlink("ready");
	RECORD("-o", "b.event", "--", "sh", "-c",
	       WRITE "touch ready; " WAIT("done") "exit 6");
	await_file("ready");
	kill(recorder, SIGINT);
	tap_int(waitpid(recorder, NULL, WNOHANG), 0,
		"SIGINT is the terminal's, which sends it to the command");
	write_file("done", "");
	tap_int(end_record(), 6, "so the recorder waits for the command");
	tap_str(kit_text("b.event"), LOG, "and keeps its log, too");
	clear_directory();
}

/* git's maintenance goes on after git. */
static void test_rest(void)
{
	tap_int(run_script("a.event", WRITE "{ sleep 0.3; " WRITE "} & exit 7"),
		7, "a process may outlive the command");
	tap_str(kit_text("a.event"), LOG LOG, "its events are waited for");
	RECORD("-o", "b.event", "--timeout", "0.2", "--", "sh", "-c",
	       WRITE "sleep 60 >/dev/null 2>&1 & echo $! >rest");
	tap_int(end_record(), 0, "but a recording does not last for ever");
	tap_ok(has_message(
		       "a process of the command still runs; what it does from "
		       "now on may be missing\n"),
	       "which is told of what goes on");
	kill(atoi(kit_text("rest")), SIGKILL);
	clear_directory();
}

int main(void)
{
	enter_directory();
	write_file("log", LOG);
	if (mkdir("work", 0700) || chdir("work"))
		abort();
	unsetenv("TMPDIR");
	unsetenv("GIT_TRACE2_EVENT");
	signal(SIGINT, SIG_DFL);
	test_log();
	test_outputs();
	test_nothing();
	test_no_command();
	test_duration();
	test_signals();
	test_rest();
	leave_directory();
	return tap_done();
}
