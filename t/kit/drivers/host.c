/* host.c - calls of what any program does itself; see calls.h. */
#define _POSIX_C_SOURCE 200809L
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace2.h>
#include <unistd.h>

#define TEXT(key) get_text(call, key)

static const char *handled;

static void own_handler(int signo)
{
	(void)signo;
	if (write(1, handled, strlen(handled)) < 0)
		_exit(1);
}

static void set_action(const struct call *call)
{
	handled = keep_text(TEXT("text"));
	signal(find_signal(TEXT("signal")), handled ? own_handler : SIG_IGN);
}

static void open_file(const struct call *call)
{
	int fd = open(TEXT("path"), O_WRONLY | O_CREAT | O_APPEND, 0666);

	if (fd < 0 || dup2(fd, (int)get_number(call, "number", 0)) < 0)
		fail_arguments(call);
}

static void print_text(const struct call *call)
{
	set_text(call->scope, "sid", trace2_session_id());
	set_number(call->scope, "dropped", (intmax_t)trace2_dropped());
	dprintf(1, "%s", TEXT("text"));
}

static void do_sleep(const struct call *call)
{
	sleep_for((long)get_number(call, "ms", 0), 0);
}

static void ignore_call(const struct call *call)
{
	(void)call; /* main() has done it */
}

/* Arguments and other verbs */

static const char *const targets[][2] = { { "normal", "GIT_TRACE2" },
					  { "perf", "GIT_TRACE2_PERF" },
					  { "event", "GIT_TRACE2_EVENT" } };

static int is_target(const char *name)
{
	return !strcmp(name, "normal") || !strcmp(name, "perf") ||
	       !strcmp(name, "event");
}

static void set_target(const struct call *call)
{
	const char *name = TEXT("target");

	for (int i = 0; i < 3; i++)
		setenv(targets[i][1],
		       strcmp(targets[i][0], name) ? "" : TEXT("file"), 1);
	setenv("GIT_TRACE2_BRIEF", "1", 1);
}

static void check_words(const struct call *call)
{
	const char **words = get_list(call, "words");
	int good = 1, value;

	for (; *words; words++)
		good = good && **words;
	if (has_word(call, "int"))
		good = parse_int(TEXT("int"), &value);
	if (has_word(call, "target"))
		good = is_target(TEXT("target"));
	if (!good)
		fail_with(call, "else");
}

static void do_fail(const struct call *call)
{
	fail_with(call, "msg");
}

static void choose_text(const struct call *call)
{
	const char *kind = get_plain(call, 0);

	if (!has_word(call, kind))
		fail_arguments(call);
	set_text(call->scope, "text", TEXT(kind));
}

static void do_verb(const struct call *call)
{
	perform_verb(TEXT("name"), get_list(call, "argv"), call->scope);
}

/* The end */

static void exit_at_once(const struct call *call)
{
	(void)call;
	_exit(0);
}

static struct call late;

static void run_late(void)
{
	perform_calls(late.body, late.scope);
}

/* The verb has returned by then, and its arguments are the process's. */
static void run_after_exit(const struct call *call)
{
	static struct scope kept;

	kept = *call->scope;
	late = *call;
	late.scope = &kept;
}

#define STRANGE 9999 /* an errno that no function sets */

static void run_keeping(const struct call *call)
{
	struct span text = call->body, one = text;
	struct call each;

	while (read_call(&text, &each)) {
		one.at = each.name.at;
		one.end = text.at;
		errno = STRANGE;
		perform_calls(one, call->scope);
		dprintf(1, "%s\n", errno == STRANGE ? "kept" : "changed");
	}
}

void prepare_exit(void)
{
	atexit(run_late);
}

static void raise_signal(const struct call *call)
{
	const int signo = find_signal(TEXT("signal"));

	let_time_pass();
	raise(signo);
}

static void break_pipe(const struct call *call)
{
	const char *text = TEXT("text");
	int ends[2];

	if (pipe(ends) < 0)
		exit_traced(128);
	close(ends[0]);
	let_time_pass();
	if (write(ends[1], text, strlen(text)) < 0)
		close(ends[1]);
}

const struct handler host_handlers[] = {
	{ "raise", raise_signal },
	{ "broken_pipe", break_pipe },
	{ "ignore", set_action },
	{ "handle", set_action },
	{ "open", open_file },
	{ "print", print_text },
	{ "sleep", do_sleep },
	{ "before_start", ignore_call },
	{ "only_target", set_target },
	{ "need", check_words },
	{ "fail", do_fail },
	{ "text", choose_text },
	{ "verb", do_verb },
	{ "_exit", exit_at_once },
	{ "after_exit", run_after_exit },
	{ "keep_errno", run_keeping },
	{ NULL, NULL },
};
