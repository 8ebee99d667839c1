/*
 * test-tool: threads and children that it runs, how it fails, numbers that it
 * reads; calls of its host that fail on request, worlds that cannot be, and
 * threads that take turns. tool.txt has the cases, and what a life is.
 */
#define _GNU_SOURCE /* of kit/limits.h */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "kit/command.h"
#include "kit/life_process.h"
#include "kit/script_system.h"
#include "host/host.h"
#include "tool/fake/fault.h"
#include "tool/tool.h"

/* What a call returned: this number; or -1, with this error; "": success. */
static void expect_result(long got, const char *want)
{
	const int error = errno;

	if (*want == 'E')
		expect_that(got == -1 && error == script_value_of(want), want);
	else
		expect_that(got == script_number(want, 0), want);
}

#include "tool/tool_faults.h"

/*
 * ---- Worlds and turns
 */

static void begin_world(char **word)
{
	setenv("TEST_TOOL_FAKE_HOST", *word[0] ? word[0] : "1", 1);
	fake_host_install("a");
	tr2_host->mono_ns();
}

static void limit_life(char **word)
{
	script_limit(word);
}

static char order[64];
static bool rises; /* do later places have more calls? */

/* One to three calls, and before each one a tick; nobody waits after that. */
static void *take_turns(void *context)
{
	const int place = *(int *)context;
	char letter[2] = { (char)('a' + place), '\0' };

	fake_turns_enter(place);
	for (int i = 0; i < (rises ? 1 + place : 3 - place); i++) {
		fake_tick();
		strcat(order, letter);
	}
	fake_turns_leave();
	fake_tick();
	return NULL;
}

/* `turns ORDER`, `turns ORDER rising` */
static void run_turns(char **word)
{
	static int places[] = { 0, 1, 2 };
	pthread_t threads[3];

	order[0] = '\0';
	rises = *word[1];
	fake_turns_open(3);
	for (int i = 2; i >= 0; i--)
		pthread_create(&threads[i], NULL, take_turns, &places[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	expect_that(!strcmp(order, word[0]), order);
}

/* As many places as there may be, and so many more. */
static void open_ring(char **word)
{
	fake_turns_open(FAKE_TURNS_MAX + (int)script_number(word[0], 0));
}

static void let_tick(SCRIPT_NONE)
{
	fake_tick();
}

/*
 * ---- Threads
 */

static pthread_key_t key; /* its destructor runs when a thread ends */
static int done, wanted;
static int runs[FAKE_TURNS_MAX + 1];
static int ended, early; /* how many have ended; before all were done */

/* They end in the order of their places. */
static void note_end(void *place)
{
	expect_that((int *)place == &runs[ended++], "the order of ends");
	early += __atomic_load_n(&done, __ATOMIC_ACQUIRE) != wanted;
}

static void note_run(int place, void *given)
{
	pthread_setspecific(key, &runs[place]);
	runs[place] += given == &done;
	__atomic_add_fetch(&done, 1, __ATOMIC_ACQ_REL);
}

/* `threads 5 5`: so many are asked for, and so many run. */
static void run_threads(char **word)
{
	wanted = (int)script_number(word[1], 0);
	pthread_key_create(&key, note_end);
	tool_threads((int)script_number(word[0], 0), note_run, &done);
	expect_that(done == wanted && ended == wanted && !early, "threads");
	for (int i = 0; i < wanted; i++)
		expect_that(runs[i] == 1, "a place of its own");
}

static void have_no_threads(SCRIPT_NONE)
{
	limit_threads(1);
}

/*
 * ---- Errors
 */

static void begin_trace(char **word)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", directory_path, word[0]);
	setenv("GIT_TRACE2", path, 1);
	fake_host_install("x");
	trace2_initialize_fl("x.c", 1);
}

static void make_error(SCRIPT_NONE)
{
	tool_error("a.c", 7, "no %s", "x");
}

static void die_of_x(SCRIPT_NONE)
{
	tool_die("a.c", 7, "no %s", "x");
}

/* clang-format off */
static const struct life_command commands[] = {
	{ "install", install_faults }, { "open", open_null },
	{ "close", close_copy }, { "sockets", make_sockets },
	{ "write", write_word }, { "send", send_word },
	{ "received", expect_received }, { "report", report_failures },
	{ "no-input", read_nothing }, { "offset", expect_offset },
	{ "clock", read_clock }, { "get", expect_variable },
	{ "set", set_variable }, { "memory", ask_memory },
	{ "pages", map_pages }, { "hostname", ask_name },
	{ "process", read_process }, { "connect", connect_to },
	{ "at-exit", ask_for_exit }, { "world", begin_world },
	{ "limit", limit_life }, { "turns", run_turns },
	{ "ring", open_ring }, { "tick", let_tick },
	{ "threads", run_threads }, { "no-threads", have_no_threads },
	{ "trace", begin_trace }, { "error", make_error },
	{ "die", die_of_x }, LIFE_PROCESS, { NULL, NULL },
};
/* clang-format on */

/*
 * ---- The verbs of the cases
 */

static const char *run_life(char **word)
{
	const char *code;

	kit_divert(2);
	code = life_run(word);
	kit_restore(2);
	return code;
}

static const char *tell_said(SCRIPT_NONE)
{
	return kit_said[2];
}

static const char *has_traced(char **word)
{
	return script_say_yes(strstr(file_text("log"), word[0]) != NULL);
}

/* Which of these faults are not refused, or "none". */
static const char *find_accepted(char **word)
{
	char life[] = "install";

	for (; *word[0]; word++) {
		setenv("TEST_TOOL_FAIL", word[0], 1);
		if (strcmp(run_life((char *[]){ life }), "125") ||
		    strcmp(kit_said[2], "TEST_TOOL_FAIL: not understood\n"))
			return word[0];
	}
	unsetenv("TEST_TOOL_FAIL");
	return "none";
}

static struct trace2_child child = TRACE2_CHILD_INIT;

static const char *say_end(int status)
{
	return status < 0	     ? script_say_error(errno)
	       : WIFSIGNALED(status) ? script_say_number(128 + WTERMSIG(status))
				     : script_say_number(WEXITSTATUS(status));
}

/* `spawn WORD...`: the code of the child, or why there is none. */
static const char *spawn_words(char **word)
{
	const char *argv[SCRIPT_WORDS] = { NULL };
	int status, error;
	pid_t pid;

	for (int i = 0; *word[i]; i++)
		argv[i] = expand_word(word[i]);
	fflush(stdout);
	kit_divert(1);
	kit_divert(2);
	status = tool_spawn(&child, argv, &pid) ? -1 : tool_wait(pid);
	error = errno;
	kit_restore(2);
	kit_restore(1);
	errno = error;
	return say_end(status);
}

static const char *wait_for(char **word)
{
	return say_end(tool_wait((pid_t)script_number(word[0], 0)));
}

static const char *set_path(char **word)
{
	setenv("PATH", expand_word(word[0]), 1);
	return NULL;
}

/* Whoever starts us may ignore the signal. */
static const char *ignore_children(SCRIPT_NONE)
{
	signal(SIGCHLD, SIG_IGN);
	return NULL;
}

/* Or may have asked to forget. */
static const char *forget_children(SCRIPT_NONE)
{
	struct sigaction forget = { .sa_flags = SA_NOCLDWAIT };

	sigaction(SIGCHLD, &forget, NULL);
	return NULL;
}

/* Does a child get no descriptor of ours? They would be the next two. */
static const char *is_apart(SCRIPT_NONE)
{
	const int next = dup(0), after = dup(0);
	char text[128];
	const char *argv[] = { "sh", "-c", text, NULL };
	bool is_so;
	pid_t pid;

	close(next);
	close(after);
	snprintf(text, sizeof(text),
		 "cd /proc/$$/fd && test ! -e %d -a ! -e %d", next, after);
	is_so = !tool_spawn(&child, argv, &pid) && !tool_wait(pid);
	return script_say_yes(is_so);
}

/* `NULL` is none. What is refused leaves the value alone. */
static const char *read_number(char **word)
{
	int value = -7;

	errno = ERANGE; /* of an earlier call */
	if (!tool_int(&value, strcmp(word[0], "NULL") ? word[0] : NULL))
		return script_say_number(value);
	return value == -7 ? "refused" : "changed";
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "part", add_part }, { "life", run_life }, { "said", tell_said }, { "traces", has_traced },
	{ "accepted", find_accepted }, { "spawn", spawn_words },
	{ "wait", wait_for }, { "path", set_path },
	{ "ignore-children", ignore_children },
	{ "forget-children", forget_children }, { "apart", is_apart },
	{ "int", read_number }, SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void end_case(void)
{
	forget_parts();
	signal(SIGCHLD, SIG_DFL);
	setenv("PATH", "/usr/bin:/bin", 1);
	unlink("log");
}

int main(void)
{
	life_commands = commands;
	restore_signals();
	unsetenv("TEST_TOOL_FAKE_HOST");
	unsetenv("TEST_TOOL_FAKE_CLOCK");
	unsetenv("TEST_TOOL_FAIL");
	kit_divert(1);
	kit_divert(2);
	kit_restore(2);
	kit_restore(1); /* their files stay open */
	end_case();
	return script_main(__FILE__, verbs, NULL, end_case);
}
