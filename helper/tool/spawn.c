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

extern char **environ;

static int is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* Search for a program's name in PATH: its path, or NULL and errno. */
static char *find_program(const char *name)
{
	const char *dir = getenv("PATH");
	size_t len, size;
	char *path;

	if (strchr(name, '/'))
		return strdup(name);
	errno = ENOENT;
	if (!dir || !*dir)
		return NULL;
	do {
		len = strcspn(dir, ":");
		size = len + strlen(name) + sizeof("./");
		path = malloc(size);
		if (!path)
			return NULL;
		snprintf(path, size, "%.*s%s/%s", (int)len, dir, len ? "" : ".",
			 name);
		if (is_program(path))
			return path;
		free(path);
		dir += len;
	} while (*dir++);
	errno = ENOENT;
	return NULL;
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

int tool_spawn(struct trace2_child *child, const char **argv, pid_t *pid)
{
	const char *name = argv[0];
	char *path = find_program(name);
	int error = errno;

	if (path) {
		argv[0] = path;
		error = start_child(child, argv, pid);
		argv[0] = name;
	}
	free(path);
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
