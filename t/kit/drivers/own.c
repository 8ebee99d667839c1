/* own.c - what the driver itself does: signals, threads, memory, children. */
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <trace2-target.h>
#include <unistd.h>

#define TEXT(key) get_text(call, key)

static void list_parameters(const struct call *call)
{
	(void)call;
	trace2_cmd_list_config();
	trace2_cmd_list_env_vars();
}

void let_time_pass(void)
{
}

void sleep_for(long ms, long ns)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 + ns };

	while (nanosleep(&time, &time) && errno == EINTR)
		;
}

struct thread {
	pthread_t id;
	int place;
	void (*run)(int place, void *data);
	void *data;
};

static void *run_thread(void *data)
{
	struct thread *thread = data;

	thread->run(thread->place, thread->data);
	return NULL;
}

void run_threads(int count, void (*run)(int place, void *data), void *data)
{
	struct thread *threads =
		lend_memory(calloc((size_t)count + 1, sizeof(*threads)));

	for (int i = 0; i < count; i++) {
		threads[i] = (struct thread){ 0, i, run, data };
		pthread_create(&threads[i].id, NULL, run_thread, &threads[i]);
	}
	for (int i = 0; i < count; i++)
		pthread_join(threads[i].id, NULL);
}

static void exit_reported(const struct call *call)
{
	exit_traced((int)get_number(call, "code", 0));
}

static void exit_silently(const struct call *call)
{
	exit((int)get_number(call, "code", 0));
}

/* Calls inside calls, and without memory */

static const struct call *inside;

static int call_inside(void *data, const struct trace2_event *event)
{
	const struct call *call = inside;

	(void)data;
	(void)event;
	inside = NULL;
	if (call)
		perform_calls(call->body, call->scope);
	return 1;
}

/* A target of the program's own, whose hook is called inside a call. */
void prepare_inside(void)
{
	static const struct trace2_target target = { .event = call_inside };

	trace2_add_target(&target, NULL);
}

static void run_during_write(const struct call *call)
{
	struct call *copy = keep_memory(malloc(sizeof(*copy)));

	*copy = *call;
	inside = copy;
}

/*
 * A printf alone, whose message needs memory before. The library has none of
 * the C library's heap, but the kernel gives it no more than the limit.
 */
static void run_starved(const struct call *call)
{
	struct span text = call->body;
	struct rlimit before, none;
	struct call each;
	const char *msg;

	read_call(&text, &each);
	each.scope = call->scope;
	msg = get_text(&each, "msg");
	getrlimit(RLIMIT_AS, &before);
	none = before;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_AS, &none);
	trace2_printf("%s", msg);
	setrlimit(RLIMIT_AS, &before);
}

/* Children */

extern char **environ;

int run_program(struct trace2_child *child, const char **argv)
{
	posix_spawn_file_actions_t actions;
	int status;

	posix_spawn_file_actions_init(&actions);
	if (child->dir)
		posix_spawn_file_actions_addchdir_np(&actions, child->dir);
	errno = posix_spawnp(&child->pid, argv[0], &actions, NULL,
			     (char **)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (!errno)
		return waitpid(child->pid, &status, 0) < 0 ? -1 : status;
	child->pid = -1;
	return -1;
}

pid_t fork_program(void)
{
	return fork();
}

const struct handler own_handlers[] = {
	{ "list_parameters", list_parameters },
	{ "exit", exit_reported },
	{ "end", exit_silently },
	{ "during_write", run_during_write },
	{ "without_memory", run_starved },
	{ NULL, NULL },
};
