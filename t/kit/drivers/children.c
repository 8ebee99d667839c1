/* children.c - calls that start, replace and copy programs. */
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT(key) get_text(call, key)

extern char **environ;

/* sh -c 'SCRIPT "$@"' SCRIPT ARGUMENT... */
static const char *const *wrap_script(const char *const *argv)
{
	const char **words;
	char *script;
	int count = 0, i;

	while (argv[count])
		count++;
	if (asprintf(&script, count > 1 ? "%s \"$@\"" : "%s", argv[0]) < 0)
		abort();
	words = calloc((size_t)count + 4, sizeof(*words));
	words[0] = "sh";
	words[1] = "-c";
	words[2] = script;
	for (i = 0; i < count; i++)
		words[i + 3] = argv[i];
	return words;
}

/* Its status from waitpid(), or -1 after an error. */
static int run_child(struct trace2_child *child)
{
	const char *const *argv = child->use_shell ? wrap_script(child->argv)
						   : child->argv;
	posix_spawn_file_actions_t actions;
	int status = -1;

	posix_spawn_file_actions_init(&actions);
	if (child->dir)
		posix_spawn_file_actions_addchdir_np(&actions, child->dir);
	errno = posix_spawnp(&child->pid, argv[0], &actions, NULL,
			     (char **)argv, environ);
	if (errno) {
		child->pid = -1;
		report_error("cannot run %s: %s", child->argv[0],
			     strerror(errno));
	} else {
		waitpid(child->pid, &status, 0);
	}
	return status;
}

static void do_child(const struct call *call)
{
	struct trace2_child *child = describe_child(call);
	char *number;
	int status, code = -1;

	trace2_child_start(child);
	status = run_child(child);
	if (status != -1 && WIFSIGNALED(status)) {
		code = 128 + WTERMSIG(status);
		if (asprintf(&number, "%d", WTERMSIG(status)) > 0)
			report_error("%s died of signal %s", child->argv[0],
				     number);
	} else if (status != -1) {
		code = WEXITSTATUS(status);
	}
	trace2_child_exit(child, code);
	set_number(call->scope, "code", code);
}

static void run_started(const struct call *call)
{
	struct trace2_child *child = find_child(call);

	child->argv = get_list(call, "argv");
	run_child(child);
}

static void execute_program(const struct call *call)
{
	const char **argv = get_list(call, "argv");

	execvp(argv[0], (char **)argv);
	set_number(call->scope, "errno", errno);
	set_text(call->scope, "strerror", strerror(errno));
}

static void fork_block(const struct call *call)
{
	pid_t pid = fork();

	if (pid) {
		waitpid(pid, NULL, 0);
		return;
	}
	perform_calls(call->body, call->scope);
	exit_traced(0);
}

const struct handler child_handlers[] = {
	{ "child", do_child },
	{ "run", run_started },
	{ "execute", execute_program },
	{ "fork", fork_block },
	{ NULL, NULL },
};
