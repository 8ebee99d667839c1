/* host.c - calls that are no calls of Trace2: what the program itself does. */
#define _GNU_SOURCE
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <trace2-target.h>
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

static void raise_signal(const struct call *call)
{
	raise(find_signal(TEXT("signal")));
}

static void set_action(const struct call *call)
{
	handled = TEXT("text");
	signal(find_signal(TEXT("signal")), handled ? own_handler : SIG_IGN);
}

static void break_pipe(const struct call *call)
{
	const char *text = TEXT("text");
	int ends[2];

	if (pipe(ends) < 0)
		fail_verb("no pipe");
	close(ends[0]);
	if (write(ends[1], text, strlen(text)) < 0)
		close(ends[1]);
}

static void open_file(const struct call *call)
{
	int fd = open(TEXT("path"), O_WRONLY | O_CREAT | O_APPEND, 0666);

	dup2(fd, (int)get_number(call, "number", 0));
}

static void print_text(const struct call *call)
{
	set_text(call->scope, "sid", trace2_session_id());
	set_number(call->scope, "dropped", (long)trace2_dropped());
	dprintf(1, "%s", TEXT("text"));
}

void sleep_for(long ms, long ns)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 + ns };

	while (nanosleep(&time, &time) && errno == EINTR)
		;
}

static void do_sleep(const struct call *call)
{
	sleep_for(get_number(call, "ms", 0), 0);
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
	int i;

	for (i = 0; i < 3; i++)
		setenv(targets[i][1],
		       strcmp(targets[i][0], name) ? "" : TEXT("file"), 1);
	setenv("GIT_TRACE2_BRIEF", "1", 1);
}

static void check_words(const struct call *call)
{
	const char **words = get_list(call, "words");
	int good = 1, value;

	while (*words)
		good = good && **words++;
	if (has_word(call, "int"))
		good = parse_int(TEXT("int"), &value);
	if (has_word(call, "target"))
		good = is_target(TEXT("target"));
	if (!good)
		fail_verb(TEXT("else"));
}

static void do_fail(const struct call *call)
{
	fail_verb(TEXT("msg"));
}

static void choose_text(const struct call *call)
{
	const char *kind = get_plain(call, 0);

	if (!has_word(call, kind))
		fail_verb("expect control, quotes, utf8, invalid, newlines, "
			  "password or long");
	set_text(call->scope, "text", TEXT(kind));
}

static void do_verb(const struct call *call)
{
	perform_verb(TEXT("name"), get_list(call, "argv"), call->scope);
}

/* The end */

static void report_exit(const struct call *call)
{
	(void)trace2_cmd_exit((int)get_number(call, "code", 0));
}

static void exit_reported(const struct call *call)
{
	exit_traced((int)get_number(call, "code", 0));
}

static void exit_silently(const struct call *call)
{
	exit((int)get_number(call, "code", 0));
}

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
	struct call *copy = malloc(sizeof(*copy));

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

const struct handler host_handlers[] = {
	{ "raise", raise_signal },
	{ "ignore", set_action },
	{ "handle", set_action },
	{ "broken_pipe", break_pipe },
	{ "open", open_file },
	{ "print", print_text },
	{ "sleep", do_sleep },
	{ "before_start", ignore_call },
	{ "only_target", set_target },
	{ "need", check_words },
	{ "fail", do_fail },
	{ "text", choose_text },
	{ "verb", do_verb },
	{ "report_exit", report_exit },
	{ "exit", exit_reported },
	{ "end", exit_silently },
	{ "_exit", exit_at_once },
	{ "after_exit", run_after_exit },
	{ "during_write", run_during_write },
	{ "without_memory", run_starved },
	{ "keep_errno", run_keeping },
	{ NULL, NULL },
};
