#include "tool/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define AT(line) "spawn.c", (line)

#define ARGS_MAX 1024

static int is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* Returns the bytes, and two texts after them; or NULL and ENOMEM. */
static char *join_texts(const char *bytes, size_t len, const char *second,
			const char *third)
{
	const size_t size = len + strlen(second) + strlen(third) + 1;
	char *text = malloc(size);

	if (text)
		snprintf(text, size, "%.*s%s%s", (int)len, bytes, second,
			 third);
	return text;
}

/* Search for a program's name in PATH: its path, or NULL and errno. */
static char *find_program(const char *name)
{
	const char *dir = getenv("PATH");
	char *path;
	size_t len;

	if (strchr(name, '/'))
		return strdup(name);
	errno = ENOENT;
	if (!dir || !*dir)
		return NULL;
	do {
		len = strcspn(dir, ":");
		path = join_texts(len ? dir : ".", len ? len : 1, "/", name);
		if (!path || is_program(path))
			return path;
		free(path);
		dir += len;
	} while (*dir++);
	errno = ENOENT;
	return NULL;
}

/*
 * Build the command line that is executed; 0, or -1 and errno. A program is
 * run by its resolved name; a shell runs argv[0]. The caller releases `made`.
 */
static int build_argv(const struct trace2_child *child, char **made,
		      const char **argv)
{
	int used = 0, i;

	/* A shell gets the words with the rest as "$@". */
	*made = child->use_shell
			? join_texts(child->argv[0], strlen(child->argv[0]),
				     " ", "\"$@\"")
			: find_program(child->argv[0]);
	if (!*made)
		return -1;
	if (child->use_shell) {
		argv[used++] = "/bin/sh";
		argv[used++] = "-c";
	}
	argv[used++] = *made;
	if (child->use_shell)
		argv[used++] = child->argv[0];
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
	ssize_t got;

	do
		got = read(error_pipe, &error, sizeof(error));
	while (got < 0 && errno == EINTR);
	if (got != sizeof(error))
		return 0;
	errno = error;
	return -1;
}

/*
 * If whoever started us ignores SIGCHLD, so do we, and the system forgets how
 * a child ended.
 */
static void remember_children(void)
{
	struct sigaction now;

	if (!sigaction(SIGCHLD, NULL, &now) && now.sa_handler == SIG_IGN)
		signal(SIGCHLD, SIG_DFL);
}

pid_t tool_fork(pid_t *traced)
{
	pid_t fake = fake_child(), pid;

	fflush(NULL);
	remember_children();
	pid = fork();
	if (!pid)
		fake_child_enter(fake);
	*traced = fake && pid > 0 ? fake : pid;
	return pid;
}

/* The program that is run, and its children, must not have the pipe. */
static int open_error_pipe(int *ends)
{
	if (pipe(ends))
		return -1;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return 0;
}

static int start_child(struct trace2_child *child, const char **argv,
		       pid_t *pid)
{
	int ends[2], result, error;

	if (open_error_pipe(ends))
		return -1;
	*pid = tool_fork(&child->pid);
	if (!*pid)
		execute_child(child, argv, ends[1]);
	error = errno;
	close(ends[1]);
	errno = error;
	result = *pid < 0 ? -1 : read_error(ends[0]);
	error = errno;
	close(ends[0]);
	if (result < 0) {
		child->pid = -1;
		if (*pid > 0)
			tool_wait(*pid);
	}
	errno = error;
	return result;
}

int tool_spawn(struct trace2_child *child, pid_t *pid)
{
	const char *argv[ARGS_MAX + 1];
	char *made;
	int result = build_argv(child, &made, argv), error;

	if (!result)
		result = start_child(child, argv, pid);
	error = errno;
	free(made);
	errno = error;
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

	if (status < 0) {
		tool_error(AT(31), "cannot wait for %s: %s", child->argv[0],
			   strerror(errno));
		return -1;
	}
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
