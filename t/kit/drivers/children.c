/* children.c - calls that start, replace and copy programs. */
#define _POSIX_C_SOURCE 200809L
#include "objects.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT(key) get_text(call, key)

/* A shell gets a script with the other words: sh -c 'SCRIPT "$@"' SCRIPT ... */
static int run_child(struct trace2_child *child)
{
	static const char rest[] = " \"$@\"";
	const char **words, **to;
	char *script;
	int count = 0;

	while (child->argv[count])
		count++;
	words = to = lend_memory(calloc((size_t)count + 4, sizeof(*words)));
	if (child->use_shell) {
		script = lend_memory(
			malloc(strlen(child->argv[0]) + sizeof(rest)));
		strcat(strcpy(script, child->argv[0]), rest);
		*to++ = "/bin/sh";
		*to++ = "-c";
		*to++ = script;
	}
	memcpy(to, child->argv, (size_t)count * sizeof(*to));
	return run_program(child, words);
}

/* Print what went wrong, which is traced already. */
static void say_error(const struct trace2_child *child, const char *before,
		      const char *after, const char *why)
{
	const char *const parts[] = { before, child->argv[0], after, why };
	size_t size = 1;
	char *message;

	for (size_t i = 0; i < 4; i++)
		size += strlen(parts[i]);
	message = lend_memory(calloc(1, size));
	for (size_t i = 0; i < 4; i++)
		strcat(message, parts[i]);
	say_message("error: ", message);
}

static int fail_child(const struct trace2_child *child, int error)
{
	const char *why = strerror(error);

	enter_step(CHILD_ERROR);
	trace2_cmd_error("cannot run %s: %s", child->argv[0], why);
	say_error(child, "cannot run ", ": ", why);
	return -1;
}

static int kill_child(const struct trace2_child *child, int signo)
{
	char number[24];

	enter_step(CHILD_SIGNAL);
	trace2_cmd_error("%s died of signal %d", child->argv[0], signo);
	snprintf(number, sizeof(number), "%d", signo);
	say_error(child, "", " died of signal ", number);
	return 128 + signo;
}

static void do_child(const struct call *call)
{
	struct trace2_child *child = describe_child(call);
	int status, code;

	enter_step(CHILD_START);
	trace2_child_start(child);
	status = run_child(child);
	if (status == -1)
		code = fail_child(child, errno);
	else if (WIFSIGNALED(status))
		code = kill_child(child, WTERMSIG(status));
	else
		code = WEXITSTATUS(status);
	enter_step(status == -1 ? CHILD_FAILED : CHILD_EXIT);
	trace2_child_exit(child, code);
	set_number(call->scope, "code", code);
}

static void start_child(const struct call *call)
{
	struct trace2_child *child = describe_child(call);

	trace2_child_start(child);
}

/* The one that was started. */
static void run_started(const struct call *call)
{
	struct trace2_child *child = find_child(call);

	child->argv = get_list(call, "argv");
	run_child(child);
}

static void end_child(const struct call *call)
{
	struct trace2_child *child = find_child(call);

	child->pid = (pid_t)get_number(call, "pid", child->pid);
	if (has_word(call, "ready"))
		trace2_child_ready(child, TEXT("ready"));
	else
		trace2_child_exit(child, (int)get_number(call, "code", 0));
}

static void start_exec(const struct call *call)
{
	set_number(call->scope, "exec_id",
		   trace2_exec(TEXT("exe"), get_list(call, "argv")));
}

static void end_exec(const struct call *call)
{
	const char *last = find_text(call->scope, "exec_id");

	trace2_exec_result((int)get_number(call, "exec_id",
					   last ? atol(last) : -1),
			   (int)get_number(call, "code", 0));
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
	pid_t pid = fork_program();

	if (pid < 0)
		exit_traced(128);
	if (pid) {
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		return;
	}
	perform_calls(call->body, call->scope);
	exit_traced(0);
}

const struct handler child_handlers[] = {
	{ "child", do_child },	     { "child_start", start_child },
	{ "run", run_started },	     { "child_ready", end_child },
	{ "child_exit", end_child }, { "exec", start_exec },
	{ "exec_result", end_exec }, { "execute", execute_program },
	{ "fork", fork_block },	     { NULL, NULL },
};
