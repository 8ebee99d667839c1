#include "tool/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGS_MAX 1024

extern char **environ;

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

/* Start it in the directory of the child. Returns 0, or an errno value. */
static int start_program(const char *dir, const char **argv, pid_t *pid)
{
	const int here = dir ? open(".", O_RDONLY | O_CLOEXEC) : -1;
	int error = dir && (here < 0 || chdir(dir)) ? errno : 0;

	if (!error)
		error = posix_spawn(pid, argv[0], NULL, NULL, (char **)argv,
				    environ);
	if (here >= 0 && (fchdir(here) || close(here)))
		abort();
	return error;
}

/* The program finds its number of the fake host in its environment. */
static int start_child(struct trace2_child *child, const char **argv,
		       pid_t *pid)
{
	const pid_t fake = fake_child();
	int error;

	fflush(NULL);
	remember_children();
	fake_child_tell(fake);
	error = start_program(child->dir, argv, pid);
	fake_child_tell(0);
	child->pid = error ? -1 : fake ? fake : *pid;
	return error;
}

int tool_spawn(struct trace2_child *child, pid_t *pid)
{
	const char *argv[ARGS_MAX + 1];
	char *made;
	int error = build_argv(child, &made, argv) ? errno : 0;

	if (!error)
		error = start_child(child, argv, pid);
	free(made);
	errno = error;
	return error ? -1 : 0;
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
