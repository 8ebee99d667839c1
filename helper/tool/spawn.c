#include "tool/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define AT(line) "spawn.c", (line)

#define PATH_SIZE 4096
#define ARGS_MAX 1024

static int is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* Search for a program's name: 0, or -1 and ENOENT. */
static int find_program(const char *name, char *path)
{
	const char *dir = getenv("PATH");

	if (strchr(name, '/')) {
		snprintf(path, PATH_SIZE, "%s", name);
		return 0;
	}
	while (dir && *dir) {
		int len = (int)strcspn(dir, ":");

		snprintf(path, PATH_SIZE, "%.*s/%s", len ? len : 1,
			 len ? dir : ".", name);
		if (is_program(path))
			return 0;
		dir += len + (dir[len] == ':');
	}
	errno = ENOENT;
	return -1;
}

/*
 * Build the command line that is executed; 0 or -1. A program is run by its
 * resolved name; a shell runs argv[0] with the rest as "$@".
 */
static int build_argv(const struct trace2_child *child, char *path,
		      char *script, const char **argv)
{
	int used = 0, i;

	if (child->use_shell) {
		snprintf(script, PATH_SIZE, "%s \"$@\"", child->argv[0]);
		argv[used++] = "/bin/sh";
		argv[used++] = "-c";
		argv[used++] = script;
		argv[used++] = child->argv[0];
	} else {
		if (find_program(child->argv[0], path) < 0)
			return -1;
		argv[used++] = path;
	}
	for (i = 1; child->argv[i] && used < ARGS_MAX; i++)
		argv[used++] = child->argv[i];
	argv[used] = NULL;
	if (!child->argv[i])
		return 0;
	errno = E2BIG;
	return -1;
}

/* Runs in the child. If it returns, the parent reads errno from the pipe. */
static void execute_child(const struct trace2_child *child, const char **argv,
			  int error_pipe) __attribute__((noreturn));
static void execute_child(const struct trace2_child *child, const char **argv,
			  int error_pipe)
{
	if (!child->dir || !chdir(child->dir))
		execv(argv[0], (char **)argv);
	if (write(error_pipe, &errno, sizeof(errno)) < 0)
		_exit(126);
	_exit(127);
}

/* 0 if the pipe closes without a byte: the program runs. */
static int read_error(int error_pipe)
{
	int error;

	if (read(error_pipe, &error, sizeof(error)) != sizeof(error))
		return 0;
	errno = error;
	return -1;
}

pid_t tool_fork(pid_t *traced)
{
	pid_t fake = fake_child(), pid;

	fflush(NULL);
	pid = fork();
	if (!pid)
		fake_child_enter(fake);
	*traced = fake && pid > 0 ? fake : pid;
	return pid;
}

int tool_spawn(struct trace2_child *child, pid_t *pid)
{
	char path[PATH_SIZE], script[PATH_SIZE];
	const char *argv[ARGS_MAX + 1];
	int ends[2], result;

	if (build_argv(child, path, script, argv) < 0 || pipe(ends) < 0)
		return -1;
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	*pid = tool_fork(&child->pid);
	if (!*pid)
		execute_child(child, argv, ends[1]);
	close(ends[1]);
	result = *pid < 0 ? -1 : read_error(ends[0]);
	close(ends[0]);
	if (result < 0) {
		int error = errno;

		child->pid = -1;
		if (*pid > 0)
			waitpid(*pid, NULL, 0);
		errno = error;
	}
	return result;
}

/* Returns the wait status, or -1. */
int tool_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

/* Users send or expect these signals, so there is no message. */
static int status_code(const struct trace2_child *child, int status)
{
	int signo;

	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	signo = WTERMSIG(status);
	if (signo != SIGINT && signo != SIGQUIT && signo != SIGPIPE)
		tool_error(AT(30), "%s died of signal %d", child->argv[0],
			   signo);
	return 128 + signo;
}

int tool_run(struct trace2_child *child)
{
	pid_t pid;
	int code;

	TRACE(child_start, AT(10), child);
	if (tool_spawn(child, &pid) < 0) {
		tool_error(AT(20), "cannot run %s: %s", child->argv[0],
			   strerror(errno));
		TRACE(child_exit, AT(21), child, -1);
		return -1;
	}
	code = status_code(child, tool_wait(pid));
	TRACE(child_exit, AT(40), child, code);
	return code;
}
