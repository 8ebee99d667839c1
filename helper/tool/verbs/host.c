/* What the program does besides: forks, threads, signals, memory, its end. */
#include "verbs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drivers/objects.h"
#include "host/host.h"

#define TEXT(key) get_text(call, key)

void sleep_for(long ms, long ns)
{
	if (ms || ns)
		fake_sleep((uint64_t)ms * 1000000 + (uint64_t)ns);
}

void run_threads(int count, void (*run)(int place, void *data), void *data)
{
	tool_threads(count, run, data);
}

/* As tests know them. */
void enter_step(enum child_step step)
{
	static const struct call_place places[] = {
		[CHILD_START] = { 0, "spawn.c", 10 },
		[CHILD_ERROR] = { 0, "spawn.c", 20 },
		[CHILD_FAILED] = { 0, "spawn.c", 21 },
		[CHILD_SIGNAL] = { 0, "spawn.c", 30 },
		[CHILD_EXIT] = { 0, "spawn.c", 40 },
	};

	call_place = &places[step];
}

int run_program(struct trace2_child *child, const char **argv)
{
	pid_t pid;

	return tool_spawn(child, argv, &pid) ? -1 : tool_wait(pid);
}

pid_t fork_program(void)
{
	pid_t traced;

	return tool_fork(&traced);
}

void say_message(const char *prefix, const char *message)
{
	tool_say(prefix, message);
}

void exit_traced(int code)
{
	tool_exit("host.c", 1, code);
}

/* A call at line 0 does not move the clock. */
void let_time_pass(void)
{
	if (call_place->line)
		fake_tick();
}

static void list_parameters(const struct call *call)
{
	(void)call;
	TRACE(cmd_list_config, PLACE);
	TRACE(cmd_list_env_vars, call_place->file, call_place->line + 1);
}

static void exit_reported(const struct call *call)
{
	tool_exit(PLACE, (int)get_number(call, "code", 0));
}

static void exit_silently(const struct call *call)
{
	const int code = (int)get_number(call, "code", 0);

	let_time_pass();
	exit(code);
}

/*
 * ---- Calls inside calls, and without memory
 */

static struct tr2_host table;
static const struct tr2_host *below; /* what it replaces */
static const struct call *inside;

static void replace_host(void)
{
	below = tr2_host;
	table = *below;
	tr2_host = &table;
}

static ssize_t write_and_call(int fd, const void *bytes, size_t len)
{
	tr2_host = below; /* once is enough */
	perform_calls(inside->body, inside->scope);
	return below->write(fd, bytes, len);
}

/* The next event is written while the verb goes on. */
static void call_inside(const struct call *call)
{
	struct call *copy = keep_memory(malloc(sizeof(*copy)));

	*copy = *call;
	inside = copy;
	replace_host();
	table.write = write_and_call;
}

static void *refuse_memory(void *old, size_t size)
{
	(void)old;
	(void)size;
	errno = ENOMEM;
	return NULL;
}

static void call_starved(const struct call *call)
{
	replace_host();
	table.realloc = refuse_memory;
	perform_calls(call->body, call->scope);
	tr2_host = below;
}

const struct handler own_handlers[] = {
	{ "list_parameters", list_parameters },
	{ "exit", exit_reported },
	{ "end", exit_silently },
	{ "during_write", call_inside },
	{ "without_memory", call_starved },
	{ NULL, NULL },
};
