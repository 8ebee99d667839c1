/*
 * ends_kit.h - a part of a program, run in a child: how it ends, what it says
 * and what it traces.
 */
#ifndef UNIT_TOOL_ENDS_KIT_H
#define UNIT_TOOL_ENDS_KIT_H

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "kit/directory.h"
#include "kit/file.h"
#include "kit/tap.h"
#include "tool/tool.h"

static char ended_said[1 << 16], ended_traced[1 << 16];

static int ends_faked; /* does it run in the world of fake/host.h? */

/* Returns the exit status, or 128 and the number of the signal. */
static inline int end_child(void (*part)(void))
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
		tool_prepare_exit();
		fake_host_install("x");
		trace2_initialize_fl("x.c", 1);
		part();
		fflush(stderr);
		_exit(77);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	snprintf(ended_said, sizeof(ended_said), "%s", kit_text("said"));
	snprintf(ended_traced, sizeof(ended_traced), "%s", kit_text("log"));
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

#endif
