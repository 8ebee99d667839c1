/*
 * Targets of the program's own, in whole processes: each story is a child
 * whose targets write to a pipe what they get.
 */
#include "trace2-target.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/host.h"

#include "kit/tap.h"

static int out; /* the pipe */

static void write_text(const char *text)
{
	if (write(out, text, strlen(text)) < 0)
		_exit(99);
}

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

/* Returns what the story writes; *status is how its process ends. */
static const char *tell_story(void (*story)(void), int *status)
{
	static char text[65536];
	size_t len = 0;
	ssize_t got;
	int ends[2];
	pid_t pid;

	if (pipe(ends))
		abort();
	pid = fork();
	if (!pid) {
		close(ends[0]);
		out = ends[1];
		story();
		exit(0);
	}
	close(ends[1]);
	while ((got = read(ends[0], text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)got;
	close(ends[0]);
	text[len] = '\0';
	waitpid(pid, status, 0);
	return text;
}

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

/* ---- What a hook sees ---- */

static void say_number(int64_t number)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%" PRId64, number);
	write_text(digits);
}

static void say_field(const struct trace2_field *field)
{
	static const char *const types[] = { "string", "strings", "int",
					     "bool",   "seconds", "json" };
	size_t i;

	write_text(" ");
	write_text(field->key);
	write_text(":");
	write_text(types[field->type]);
	write_text("=");
	if (field->text)
		write_text(field->text);
	for (i = 0; field->words && field->words[i]; i++) {
		write_text(field->words[i]);
		write_text(",");
	}
	if (field->type == TRACE2_FIELD_SECONDS)
		write_text(field->number > 0 ? "+" : "-");
	else if (!field->text && !field->words)
		say_number(field->number);
}

static int show_fields(void *data, const struct trace2_event *event)
{
	struct trace2_field field;
	unsigned i;

	(void)data;
	if (!strcmp(event->name, "version"))
		return 1;
	write_text(event->name);
	write_text(event->thread);
	write_text(event->file ? event->file : "(none)");
	say_number(event->line);
	write_text(",");
	say_number(event->repo);
	write_text(event->wall_us > 1000000000000000 ? " now" : " never");
	write_text(strstr(event->sid, "-P") ? " sid" : " no sid");
	for (i = 0; trace2_event_field(event, i, &field); i++)
		say_field(&field);
	write_text("\n");
	return 1;
}

static const struct trace2_target showing = { .event = show_fields };

static void tell_fields(void)
{
	static const char *const words[] = { "a", "b", NULL };
	static struct trace2_timer timer[1] = { { "c", "t", 0, 0 } };
	struct trace2_child child = TRACE2_CHILD_INIT;

	trace2_add_target(&showing, NULL);
	trace2_initialize();
	child.argv = words;
	child.use_shell = 1;
	trace2_child_start_fl("f.c", 7, &child);
	child.pid = 12;
	trace2_child_exit_fl("", 8, &child, 3);
	trace2_data_json_fl(NULL, 9, "c", 1, "k", "[1]");
	trace2_timer_start(timer);
	trace2_timer_stop(timer);
	trace2_cmd_exit_fl("g.c", 2, 5);
}

static int show_lines(void *data, const struct trace2_event *event)
{
	enum trace2_format format;
	const char *line;

	(void)data;
	if (strcmp(event->name, "cmd_mode") && strcmp(event->name, "data") &&
	    strcmp(event->name, "signal"))
		return 1;
	for (format = TRACE2_NORMAL; format <= TRACE2_EVENT; format++) {
		line = trace2_event_line(event, format);
		write_text(line ? line : "(none)\n");
	}
	return 1;
}

static const struct trace2_target lining = { .event = show_lines,
					     .event_in_signal = show_lines };

static void tell_lines(void)
{
	int i;

	trace2_add_target(&lining, NULL);
	trace2_initialize();
	trace2_cmd_mode_fl("f.c", 1, "m");
	for (i = 0; i < 5; i++)
		trace2_region_enter("c", "l", TRACE2_REPO_NONE);
	trace2_data_string_fl("f.c", 2, "c", TRACE2_REPO_NONE, "k", "v");
	raise(SIGTERM);
}

static int memory_fails;
static const struct tr2_host *real_host;

static void *fail_realloc(void *old, size_t size)
{
	return memory_fails ? NULL : real_host->realloc(old, size);
}

static int line_without_memory(void *data, const struct trace2_event *event)
{
	(void)data;
	memory_fails = 1;
	write_text(trace2_event_line(event, TRACE2_EVENT) ? "line " : "none ");
	memory_fails = 0;
	write_text(trace2_event_line(event, TRACE2_EVENT) ? "line " : "none ");
	return 1;
}

static const struct trace2_target short_of_memory = {
	.event = line_without_memory
};

static void tell_memory(void)
{
	struct tr2_host host = *tr2_host;

	real_host = tr2_host;
	host.realloc = fail_realloc;
	tr2_host = &host;
	trace2_add_target(&short_of_memory, NULL);
	trace2_initialize();
	tr2_host = real_host;
	_exit(0);
}

static int show_same_time(void *data, const struct trace2_event *event)
{
	static uint64_t last;
	const char *line = trace2_event_line(event, TRACE2_EVENT);

	(void)data;
	write_text(event->wall_us >= last ? line : "earlier\n");
	last = event->wall_us;
	return 1;
}

static const struct trace2_target showing_time = { .event = show_same_time };

/* The EVENT target writes to the same pipe what the hook writes. */
static void tell_twice(void)
{
	char number[16];
	int copy = dup2(out, 9);

	snprintf(number, sizeof(number), "%d", copy);
	setenv("GIT_TRACE2_EVENT", number, 1);
	trace2_add_target(&showing_time, NULL);
	trace2_initialize();
	trace2_cmd_name("twice");
}

/* Is each line there twice, one after the other? */
static int is_doubled(const char *text)
{
	int count = 0;

	while (*text) {
		size_t len = strcspn(text, "\n") + 1;

		if (strncmp(text, text + len, len))
			return 0;
		text += 2 * len;
		count++;
	}
	return count == 4;
}

/* The lines without what differs from run to run. */
static int has_lines(const char *text)
{
	static const char *const parts[] = {
		"f.c:1                             cmd_mode m\n",
		"| cmd_mode     |     |           |           |"
		"              | m\n",
		"\"file\":\"f.c\",\"line\":1,\"name\":\"m\"}\n(none)\n",
		"| data         |     |",
		"| c            | ..........k:v\n",
		"\"nesting\":6,\"category\":\"c\",\"key\":\"k\","
		"\"value\":\"v\"}\n",
		" signal elapsed:",
		" code:15\n",
		"signo:15\n",
		"\"signo\":15}\n",
	};
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		text = strstr(text, parts[i]);
		if (!text) {
			printf("# lacks: %s", parts[i]);
			return 0;
		}
	}
	return 1;
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

static void test_view(void)
{
	int status;

	tap_str(tell_story(tell_fields, &status),
		"child_startmainf.c7,0 now sid child_id:int=0"
		" child_class:string=? use_shell:bool=1 argv:strings=a,b,\n"
		"child_exitmain(none)0,0 now sid child_id:int=0 pid:int=12"
		" code:int=3 t_rel:seconds=+\n"
		"data_jsonmain(none)0,1 now sid t_abs:seconds=+"
		" t_rel:seconds=+ nesting:int=1 category:string=c"
		" key:string=k value:json=[1]\n"
		"exitmaing.c2,0 now sid t_abs:seconds=+ code:int=5\n"
		"timermaing.c2,0 now sid category:string=c name:string=t"
		" intervals:int=1 t_total:seconds=+ t_min:seconds=+"
		" t_max:seconds=+\n"
		"atexitmaing.c2,0 now sid t_abs:seconds=+ code:int=5\n",
		"a hook sees the fields of an event");
	tap_str(tell_story(tell_memory, &status), "none line ",
		"without memory there is no line");
	tap_ok(is_doubled(tell_story(tell_twice, &status)),
	       "a hook gets the line that the EVENT target writes");
	tap_ok(has_lines(tell_story(tell_lines, &status)),
	       "a hook gets the lines of the text targets");
}

int main(void)
{
	test_life();
	test_fork();
	test_view();
	return tap_done();
}
