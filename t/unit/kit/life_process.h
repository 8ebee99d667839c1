/*
 * life_process.h - the verb `life`, and commands of a life about its process.
 */
#ifndef UNIT_KIT_LIFE_PROCESS_H
#define UNIT_KIT_LIFE_PROCESS_H

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "kit/life.h"

/* `env NAME VALUE`; a variable may be empty, or `none`: there is none. */
static inline void life_set_variable(char **word)
{
	if (strcmp(word[1], "none") != 0)
		setenv(word[0], word[1], 1);
	else
		unsetenv(word[0]);
}

#ifdef __SANITIZE_ADDRESS__
static inline int count_running(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *task;
	char path[300];
	int count = 0;

	while ((task = readdir(tasks))) {
		snprintf(path, sizeof(path), "/proc/self/task/%s/status",
			 task->d_name);
		count += strstr(file_text(path), "State:\tR") != NULL;
	}
	closedir(tasks);
	return count;
}
#endif

/* What a thread has locked in the sanitizer's allocator stays so in a child. */
static inline void await_other_threads(void)
{
#ifdef __SANITIZE_ADDRESS__
	for (int tries = 0; count_running() > 1 && tries < 1000; tries++)
		sched_yield();
#endif
}

/* `fork PART 5`: its code. No exit function runs, with `bare` nor a handler. */
static inline void life_fork(char **word)
{
	int status = -1;
	pid_t pid;

	await_other_threads();
	pid = strcmp(word[1], "bare")
		      ? fork()
		      : (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		run_part(word[0]);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	expect_that(WIFEXITED(status) &&
			    WEXITSTATUS(status) == script_number(word[1], 0),
		    "the child's code");
}

/* `run PART`: as if its commands stood here. */
static inline void life_run_part(char **word)
{
	run_part(word[0]);
}

static inline void life_raise(char **word)
{
	raise(find_signal(word[0]));
}

static inline void life_exit(char **word)
{
	exit((int)script_number(word[0], 0));
}

/* Without exit functions, and what a sanitizer would do there. */
static inline void life_quit(char **word)
{
	_exit((int)script_number(word[0], 0));
}

/* What /proc tells of a thread that sleeps: one that begins blocks signals. */
static inline const char *read_sleeper(const char *name)
{
	char path[300];
	const char *text;

	snprintf(path, sizeof(path), "/proc/self/task/%s/status", name);
	while (!strstr(text = file_text(path), "State:\tS"))
		sched_yield();
	return text;
}

/* Do all threads but the first one block what ends a process? */
static inline void life_expect_blocked(SCRIPT_NONE)
{
	const unsigned long long wanted =
		1ull << (SIGTERM - 1) | 1ull << (SIGHUP - 1) |
		1ull << (SIGINT - 1) | 1ull << (SIGUSR1 - 1);
	DIR *tasks = opendir("/proc/self/task");
	unsigned long long mask;
	struct dirent *task;

	while ((task = readdir(tasks))) {
		if (*task->d_name == '.' || atoi(task->d_name) == getpid())
			continue;
		expect_that(
			sscanf(strstr(read_sleeper(task->d_name), "SigBlk:"),
			       "SigBlk: %llx", &mask) == 1 &&
				(mask & wanted) == wanted,
			"blocked signals");
	}
	closedir(tasks);
}

/* clang-format off */
#define LIFE_PROCESS                                                   \
	{ "env", life_set_variable }, { "fork", life_fork },           \
	{ "run", life_run_part }, { "raise", life_raise },             \
	{ "exit", life_exit }, { "quit", life_quit },                 \
	{ "blocked", life_expect_blocked }
/* clang-format on */

static inline pid_t life_begin(const char *text)
{
	const struct rlimit none = { 0, 0 };
	pid_t pid;

	set_main_part(text);
	fflush(stdout);
	pid = fork();
	if (pid)
		return pid;
	setrlimit(RLIMIT_CORE, &none);
	run_part("main");
	exit(0);
}

/* Its code, or 128 + signal. */
static inline const char *life_end(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return script_say_number(WIFSIGNALED(status) ? 128 + WTERMSIG(status)
						     : WEXITSTATUS(status));
}

/* The verb `life`. */
static inline const char *life_run(char **word)
{
	return life_end(life_begin(word[0]));
}

#endif
