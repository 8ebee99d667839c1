/*
 * world_kit.h - a world in a child, for once it is entered it stays.
 */
#ifndef UNIT_FAKE_WORLD_KIT_H
#define UNIT_FAKE_WORLD_KIT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tool/fake/host.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/host.h"
#include "kit/command.h"
#include "kit/limits.h"

/* In a child: returns its status. A world stays once it is entered. */
static inline int run_child(int (*use)(void))
{
	int status = -1;
	pid_t pid;

	fflush(stdout);
	kit_divert(2);
	pid = fork();
	if (!pid) {
		limit_cores();
		_exit(use());
	}
	waitpid(pid, &status, 0);
	kit_restore(2);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Enter a world of its own, and return its time. */
static inline uint64_t begin_world(const char *program)
{
	setenv("TEST_TOOL_FAKE_HOST", "1", 1);
	fake_host_install(program);
	return tr2_host->mono_ns();
}

#endif
