/* The recorded command: how it is found, and its environment. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "kit/directory.h"
#include "record/record_part.h"

static struct tr2_command command;

/* Returns the errno value of the start; the status is the command's. */
static int run_command(const char *socket, const char *first,
		       const char *second, const char *third)
{
	char *argv[] = { strdup(first), second ? strdup(second) : NULL,
			 third ? strdup(third) : NULL, NULL };
	sigset_t none;
	int error, i;

	sigemptyset(&none);
	command = (struct tr2_command){ .status = -1 };
	error = tr2_command_start(&command, argv, socket, &none);
	while (!error && command.pid) {
		tr2_command_look(&command);
		poll(NULL, 0, 1);
	}
	for (i = 0; i < 3; i++)
		free(argv[i]);
	return error;
}

static int run_shell(const char *socket, const char *text)
{
	run_command(socket, "sh", "-c", text);
	return command.status;
}

static void test_status(void)
{
	tap_int(run_shell(NULL, "exit 3"), 3, "an exit status is kept");
	tap_int(run_shell(NULL, "kill -9 $$"), 128 + 9,
		"and a signal becomes one, as in a shell");
	/* Under valgrind the failure of exec looks like an exit status. */
	if (getenv("TEST_UNDER_VALGRIND"))
		return;
	tap_int(run_command(NULL, "./none", NULL, NULL), ENOENT,
		"a program that is missing is not found");
	tap_int(command.pid, 0, "and does not run");
	write_file("plain", "exit 0\n");
	tap_int(run_command(NULL, "./plain", NULL, NULL), EACCES,
		"a file that is no program can't be run");
}

static void test_environment(void)
{
	char far[256], text[512];

	unsetenv("TRACE_MANAGER");
	tap_int(run_shell(NULL, "test -z \"${TRACE_MANAGER+x}\""), 0,
		"without a manager no variable names one");
	setenv("TRACE_EVENT_CATEGORIES", "a", 1);
	tap_int(run_shell("/run/m", "test \"$TRACE_MANAGER $GIT_TRACE2_FXT\" "
				    "= '/run/m af_unix:/run/m'"),
		0, "it is told where its manager is");
	tap_int(getenv("TRACE_EVENT_CATEGORIES") == NULL, true,
		"and does not trace for itself");
	setenv("GIT_TRACE2_FXT", "mine", 1);
	tap_int(run_shell("/run/m", "test $GIT_TRACE2_FXT = mine"), 0,
		"a target of the user's own stays");
	unsetenv("GIT_TRACE2_FXT");
	write_file("near", "");
	snprintf(text, sizeof(text),
		 "test \"$TRACE_MANAGER $GIT_TRACE2_FXT\" = "
		 "'%s/near af_unix:%s/near'",
		 directory_path, directory_path);
	tap_int(run_shell("near", text), 0,
		"a manager nearby is found from other directories");
	unsetenv("GIT_TRACE2_FXT");
	memset(far, 'd', 100);
	far[100] = '\0';
	write_file(far, "");
	snprintf(text, sizeof(text), "test \"$TRACE_MANAGER\" = %s", far);
	tap_int(run_shell(far, text), 0,
		"unless the whole path is too long for a socket");
}

static void test_rest(void)
{
	pid_t pid;

	tap_int(tr2_command_has_rest(), false, "nothing is left of it");
	pid = fork();
	if (!pid) {
		pause();
		_exit(0);
	}
	tap_int(tr2_command_has_rest(), true, "a child that runs is left");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	tap_int(tr2_command_has_rest(), false, "until it has ended");
}

int main(void)
{
	enter_directory();
	tap_run(test_status, test_environment, test_rest);
	leave_directory();
	return tap_done();
}
