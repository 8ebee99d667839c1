/*
 * record_kit.h - commands about tracing, each in a process of its own, and
 * what they print on standard error. The test works in the directory `work`,
 * which is empty before each of its parts.
 */
#ifndef UNIT_RECORD_KIT_H
#define UNIT_RECORD_KIT_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kit/directory.h"
#include "kit/file.h"
#include "record/record.h"

static char messages[8192]; /* of the command that has ended last */
static int next_stderr;	    /* of the next command, or 0 */

/* Call it with words that it may change. */
static inline int call_command(int (*command)(char **argv), char *const *words)
{
	static char text[8192], *argv[32];
	size_t used = 0;

	for (int argc = 0; words[argc]; argc++) {
		argv[argc] = text + used;
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s",
					 words[argc]) +
			1;
	}
	return command(argv);
}

/* A command changes its own signals and children, so it has a process. */
static inline pid_t begin_command(int (*command)(char **argv),
				  char *const *words)
{
	char told[64];
	pid_t pid;
	int error;

	fflush(stdout);
	pid = fork();
	if (pid) {
		next_stderr = 0;
		return pid;
	}
	snprintf(told, sizeof(told), "../messages.%ld", (long)getpid());
	error = open(told, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
	dup2(next_stderr ? next_stderr : error, STDERR_FILENO);
	close(error);
	exit(call_command(command, words));
}

/* Returns the exit status, or a signal's number and 128. */
static inline int end_command(pid_t pid)
{
	char told[64];
	int status;

	snprintf(told, sizeof(told), "../messages.%ld", (long)pid);
	waitpid(pid, &status, 0);
	snprintf(messages, sizeof(messages), "%s", file_text(told));
	unlink(told);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

static inline void take_nap(void)
{
	const struct timespec nap = { 0, 5000000 };

	nanosleep(&nap, NULL);
}

static inline void await_file(const char *path)
{
	while (!has_file(path))
		take_nap();
}

static inline long find_size(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : (long)st.st_size;
}

static inline void enter_work(void)
{
	tap_need(!mkdir("work", 0700) && !chdir("work"));
}

static inline void clear_work(void)
{
	tap_need(!chdir(".."));
	remove_all("work");
	enter_work();
}

static inline void begin_work(void)
{
	enter_directory();
	enter_work();
	unsetenv("TMPDIR");
	unsetenv("TRACE_MANAGER");
	unsetenv("GIT_TRACE2_EVENT");
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
}

#endif
