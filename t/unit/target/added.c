/* Targets of the program's own, in whole processes. */
#include <errno.h>
#include <signal.h>

#include "target/added_kit.h"

/* `data` is the target's name: "a", "b", … */
static int note_event(void *data, const struct trace2_event *event)
{
	write_text(data);
	write_text(":");
	write_text(event->name);
	write_text(" ");
	errno = EXDEV;
	trace2_printf("inside"); /* is dropped and counted */
	return 1;
}

static int lose_event(void *data, const struct trace2_event *event)
{
	(void)data;
	(void)event;
	return 0;
}

static void note_hold(void *data)
{
	write_text(data);
	write_text(":hold ");
}

static pid_t parent;
static int parent_let_go;

/* The parent says so later, because the child runs at the same time. */
static void note_let_go(void *data)
{
	if (getpid() == parent) {
		parent_let_go++;
		return;
	}
	write_text(data);
	write_text(":go ");
}

static int stay_on(void *data)
{
	write_text(data);
	write_text(":forked ");
	return 1;
}

static int go_off(void *data)
{
	write_text(data);
	write_text(":off ");
	return 0;
}

static void note_close(void *data)
{
	write_text(data);
	write_text(":close ");
}

static const struct trace2_target plain = { .event = note_event };
static const struct trace2_target losing = { .event = lose_event };
static const struct trace2_target full = {
	.event = note_event,
	.event_in_signal = note_event,
	.hold = note_hold,
	.let_go = note_let_go,
	.forked = stay_on,
	.close = note_close,
};
static const struct trace2_target leaving = { .event = note_event,
					      .forked = go_off,
					      .close = note_close };
static const struct trace2_target empty = { .close = note_close };

static void tell_life(void)
{
	write_text(trace2_add_target(&full, "a") ? "" : "refused ");
	write_text(trace2_add_target(&plain, "b") ? "" : "refused ");
	trace2_initialize();
	errno = EDOM;
	trace2_cmd_name("life");
	write_text(errno == EDOM ? "kept " : "changed ");
	write_text(trace2_dropped() == 4 ? "4 " : "not 4 ");
	write_text(trace2_add_target(&plain, "c") ? "late " : "refused ");
	write_text(getenv("GIT_TRACE2_PARENT_SID") ? "sid " : "no sid ");
}

static void tell_limits(void)
{
	int i;

	write_text(trace2_add_target(&empty, "x") ? "empty " : "refused ");
	for (i = 0; i < TRACE2_TARGETS_MAX; i++)
		write_text(trace2_add_target(&plain, "x") ? "1" : "0");
	write_text(trace2_add_target(&plain, "x") ? "1" : "0");
}

static void tell_nothing(void)
{
	trace2_initialize();
	write_text(trace2_is_enabled() ? "on " : "off ");
	write_text(trace2_add_target(&plain, "x") ? "late" : "refused");
}

static void tell_losses(void)
{
	trace2_add_target(&losing, NULL);
	trace2_initialize();
	trace2_cmd_name("x");
	write_text(trace2_dropped() == 2 ? "2" : "not 2");
}

static void tell_signal(void)
{
	trace2_add_target(&full, "a");
	trace2_add_target(&plain, "b");
	trace2_initialize();
	raise(SIGTERM);
}

static void fork_again(void)
{
	pid_t pid;

	parent = getpid();
	pid = fork();
	if (!pid) {
		trace2_cmd_mode("grandchild");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void tell_fork(void)
{
	pid_t pid;

	parent = getpid();
	trace2_add_target(&full, "a");
	trace2_add_target(&plain, "b");
	trace2_add_target(&leaving, "c");
	trace2_initialize();
	pid = fork();
	if (!pid) {
		trace2_cmd_mode("child");
		fork_again();
		exit(0);
	}
	waitpid(pid, NULL, 0);
	write_text(parent_let_go == 1 ? "| " : "held ");
	trace2_cmd_mode("parent");
	_exit(0);
}

/* Every hook of a target is optional but `event`; a child may be its own. */
static void tell_fork_of_off(void)
{
	pid_t pid;

	trace2_add_target(&leaving, "c");
	trace2_initialize();
	pid = fork();
	if (!pid) {
		trace2_cmd_mode("child");
		trace2_cmd_mode("again");
		exit(0);
	}
	waitpid(pid, NULL, 0);
	_exit(0);
}

static void test_life(void)
{
	int status;

	tap_str(tell_story(tell_life, &status),
		"a:version b:version a:cmd_name b:cmd_name kept 4 refused sid "
		"a:exit b:exit a:error b:error a:atexit b:atexit a:close ",
		"a target gets every event and is closed once");
	tap_str(tell_story(tell_limits, &status), "refused 111111110",
		"a target without a hook and a ninth target are refused");
	tap_str(tell_story(tell_nothing, &status), "off refused",
		"without a target nothing is traced, and none can come late");
	tap_str(tell_story(tell_losses, &status), "2",
		"what a target loses is counted");
	tap_str(tell_story(tell_signal, &status),
		"a:version b:version a:signal ",
		"a signal goes to a target that has a hook for it");
	tap_ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM,
	       "the program still dies of the signal");
}

static void test_fork(void)
{
	int status;

	tap_str(tell_story(tell_fork, &status),
		"a:version b:version c:version a:hold a:go "
		"a:forked c:off a:version a:cmd_mode a:hold a:go a:forked "
		"a:version a:cmd_mode a:exit a:error a:atexit "
		"a:close | "
		"a:cmd_mode b:cmd_mode c:cmd_mode ",
		"a child has the targets that want to be there");
	tap_str(tell_story(tell_fork_of_off, &status), "c:version c:off ",
		"a child without targets is silent");
}

int main(void)
{
	test_life();
	test_fork();
	return tap_done();
}
