/* script_child.h - lines of a script that a forked child runs. */
#ifndef UNIT_KIT_SCRIPT_CHILD_H
#define UNIT_KIT_SCRIPT_CHILD_H

#include <sys/wait.h>

#include "kit/script.h"

/* The verb `child`. */
static inline const char *script_fork(SCRIPT_NONE)
{
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	script.is_child = !pid;
	script.is_parent = pid;
	if (pid && (waitpid(pid, &status, 0) != pid || status))
		script_fail("a child that ends well", "another one");
	return NULL;
}

/* The verb `parent`. */
static inline const char *script_join(SCRIPT_NONE)
{
	if (script.is_child) {
		fflush(stdout);
		_exit(script.failed_at != 0);
	}
	script.is_parent = false;
	return NULL;
}

#endif
