/*
 * The calls of <trace2-git.h> with git's arguments. Each story is a child
 * whose EVENT or NORMAL lines come through a target of its own.
 */
#define TRACE2_GIT_TIMERS(ROW) ROW(INFLATE, "object", "inflate", 0)
#define TRACE2_GIT_COUNTERS(ROW) ROW(READ, "object", "read", 0)
#include "trace2-git.h"
#include "trace2-target.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/tap.h"

static struct trace_key trace_packet = TRACE_KEY_INIT(PACKET);
static int out; /* the pipe */
static enum trace2_format shown;

/* Show lines from their first own field on. */
static int show_line(void *data, const struct trace2_event *event)
{
	const char *line = trace2_event_line(event, shown);

	(void)data;
	trace_printf_key(&trace_packet, "dropped: a call inside a hook");
	if (!line || !strcmp(event->name, "version"))
		return 1;
	if (shown == TRACE2_NORMAL && event->file) {
		line = strchr(strstr(line, event->file), ' ');
		line += strspn(line, " ");
	} else if (shown == TRACE2_NORMAL) {
		line += 50;
	}
	return write(out, line, strlen(line)) > 0;
}

static const struct trace2_target target = { .event = show_line };

static const char *run_story(void (*story)(void), enum trace2_format format)
{
	static char text[65536];
	size_t len = 0;
	ssize_t got;
	int ends[2];

	tap_need(!pipe(ends));
	if (!fork()) {
		out = ends[1];
		shown = format;
		setenv("GIT_TRACE_PACKET", "/tmp/ignored", 1);
		trace2_add_target(&target, NULL);
		trace2_initialize();
		story();
		_exit(0);
	}
	close(ends[1]);
	while ((got = read(ends[0], text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)got;
	close(ends[0]);
	wait(NULL);
	text[len] = '\0';
	return text;
}

__attribute__((format(printf, 1, 2))) static void report_error(const char *fmt,
							       ...)
{
	va_list ap;

	va_start(ap, fmt);
	trace2_cmd_error(fmt, ap);
	trace2_cmd_error_va(fmt, ap);
	va_end(ap);
}

static void tell_commands(void)
{
	const char *argv[] = { "git", "x", NULL };

	trace2_cmd_start(argv);
	trace2_cmd_start(2, argv);
	trace2_cmd_error("plain");
	trace2_cmd_error("one %s", "text");
	trace2_cmd_error("one %d", 1);
	trace2_cmd_error("two %d %d", 1, 2);
	report_error("%s %s", "through", "a list");
	trace2_cmd_alias("l", argv);
}

static void tell_children(void)
{
	const char *argv[] = { "log", "-1", NULL };
	struct child_process git = CHILD_PROCESS_INIT;
	struct child_process hook = CHILD_PROCESS_INIT;
	struct child_process plain = CHILD_PROCESS_INIT;

	git.git_cmd = 1;
	git.argv = argv;
	git.dir = "/d";
	trace2_child_start(&git);
	hook.trace2_hook_name = "pre-commit";
	trace2_child_start(&hook);
	plain.argv = argv;
	trace2_child_start(&plain);
	git.pid = 5;
	trace2_child_exit(&git, 3);
	trace2_child_exit(&git, 3); /* a second one writes nothing */
	trace2_child_ready(&plain, "ready");
	trace2_child_ready(&plain, "ready"); /* nor does any of these */
	trace2_child_exit(&plain, 0);
	if (git.trace2_child_id == -1 && hook.trace2_child_id == 1)
		trace2_printf("ids");
	git.argv = NULL;
	trace2_child_start(&git);
}

__attribute__((format(printf, 1, 2))) static void
print_in_region(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	trace2_region_enter_printf_va("c", "l", NULL, fmt, ap);
	trace2_region_leave_printf_va("c", "l", NULL, fmt, ap);
	va_end(ap);
}

static void tell_regions(void)
{
	struct repository bare = { NULL, 0 };
	struct json_writer jw = JSON_WRITER_INIT;

	trace2_def_repo(&bare);
	the_repository->worktree = "/w";
	trace2_def_repo(the_repository);
	trace2_def_repo(the_repository); /* it has its id already */
	trace2_region_enter("c", "l", the_repository);
	trace2_region_leave("c", "l", NULL);
	trace2_region_enter_printf("c", "l", &bare, "%d", 1);
	trace2_region_leave_printf("c", "l", &bare, "%d", 2);
	print_in_region("%s", "va");
	trace2_data_string("c", the_repository, "k", "v");
	trace2_data_intmax("c", NULL, "k", -1);
	jw_array_begin(&jw, 1);
	jw_array_intmax(&jw, 1);
	jw_end(&jw);
	trace2_data_json("c", NULL, "k", &jw);
	jw_release(&jw);
}

static void tell_sums(void)
{
	trace2_timer_start(TRACE2_TIMER_ID_INFLATE);
	trace2_timer_stop(TRACE2_TIMER_ID_INFLATE);
	trace2_counter_add(TRACE2_COUNTER_ID_READ, 7);
	trace2_counter_add(TRACE2_COUNTER_ID_TEST2, 2);
	exit(0);
}

static struct trace_key trace_other = TRACE_KEY_INIT(OTHER);
static struct trace_key trace_zero = TRACE_KEY_INIT(ZERO);
static struct trace_key trace_false = TRACE_KEY_INIT(FALSE);
static struct trace_key trace_empty = TRACE_KEY_INIT(EMPTY);

/* The environment is that of trace2_initialize(), or changed before use. */
static void tell_keys(void)
{
	setenv("GIT_TRACE", "yes", 1); /* no place to print to */
	setenv("GIT_TRACE_ZERO", "0", 1);
	setenv("GIT_TRACE_FALSE", "FALSE", 1);
	setenv("GIT_TRACE_EMPTY", "", 1);
	trace_printf("plain %d", 1);
	trace_printf_key(&trace_packet, "packet %s", "sent");
	trace_printf_key(&trace_other, "other");
	trace_printf_key(&trace_zero, "zero");
	trace_printf_key(&trace_false, "false");
	trace_printf_key(&trace_empty, "empty");
	if (trace_want(&trace_packet) && !trace_want(&trace_other))
		trace2_printf("wanted");
	trace_performance_enter();
	trace_performance_leave("nothing");
	setenv("GIT_TRACE_PACKET", "0", 1);
	trace_printf_key(&trace_packet, "still on");
}

static void tell_performance(void)
{
	setenv("GIT_TRACE_PERFORMANCE", "true", 1);
	trace_performance_enter();
	trace_performance_leave("step %d", 2);
}

/* The lines hold these parts, in this order. */
static int has_parts(const char *text, const char *const *parts)
{
	const char *at = text;

	for (; *parts; parts++) {
		at = strstr(at, *parts);
		if (!at) {
			printf("# lacks %s\n# in %s\n", *parts, text);
			return 0;
		}
		at += strlen(*parts);
	}
	return 1;
}

static int count_parts(const char *text, const char *part)
{
	int found = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		found++;
	return found;
}

static void test_ends(void)
{
	const char *text = run_story(tell_children, TRACE2_NORMAL);

	tap_ok(count_parts(text, "child_exit[0]") == 1 &&
		       count_parts(text, "child_ready[2]") == 1 &&
		       !count_parts(text, "child_exit[2]"),
	       "child_exit and child_ready end the story of a child");
}

static void test_calls(void)
{
	static const char *const children[] = {
		"child_start[0] cd /d; git log -1\n",
		"child_start[1] \n",
		"child_start[2] log -1\n",
		"child_exit[0] pid:5 code:3 elapsed:",
		"child_ready[2] pid:-1 ready:ready elapsed:",
		"ids\n",
		"child_start[3] cd /d; git\n",
		NULL
	};
	static const char *const regions[] = {
		"\"repo\":1,\"worktree\":\"/w\"}\n{\"event\":\"region_enter\"",
		"\"repo\":1,\"nesting\":1,\"category\":\"c\",\"label\":\"l\"}",
		"\"region_leave\"",
		"\"repo\":0,\"nesting\":1,\"category\":\"c\",\"label\":\"l\","
		"\"msg\":\"1\"}",
		"\"repo\":0,\"t_rel\":",
		"\"msg\":\"2\"}",
		"\"region_enter\"",
		"\"msg\":\"va\"}",
		"\"region_leave\"",
		"\"msg\":\"va\"}",
		"\"repo\":1,\"t_abs\":",
		"\"key\":\"k\",\"value\":\"v\"}",
		"\"key\":\"k\",\"value\":\"-1\"}",
		"\"key\":\"k\",\"value\":[1]}",
		NULL
	};
	static const char *const sums[] = {
		"timer object/inflate intervals:1 total:",
		"counter object/read value:7\n", NULL
	};

	tap_str(run_story(tell_commands, TRACE2_NORMAL),
		"start git x\nstart git x\nerror plain\nerror one text\n"
		"error one 1\nerror two 1 2\nerror through a list\n"
		"error through a list\nalias l -> git x\n",
		"commands have both forms of git's calls");
	tap_ok(has_parts(run_story(tell_children, TRACE2_NORMAL), children),
	       "children are git's struct child_process");
	tap_ok(has_parts(run_story(tell_regions, TRACE2_EVENT), regions),
	       "regions and data have git's struct repository");
	tap_ok(has_parts(run_story(tell_sums, TRACE2_NORMAL), sums) &&
		       strstr(run_story(tell_sums, TRACE2_NORMAL),
			      "th_counter test/test2 value:2\n"),
	       "timers and counters have numbers");
}

static void test_older(void)
{
	static const char *const regions[] = {
		"\"region_enter\"",
		"\"nesting\":1,\"category\":\"performance\"}",
		"\"region_leave\"",
		"\"category\":\"performance\",\"msg\":\"step 2\"}", NULL
	};
	struct trace2_key key = TRACE2_KEY_INIT("HOME", "x");

	tap_str(run_story(tell_keys, TRACE2_NORMAL),
		"plain 1\npacket sent\nwanted\nstill on\n",
		"variables switch messages on by their keys");
	tap_ok(has_parts(run_story(tell_performance, TRACE2_EVENT), regions),
	       "GIT_TRACE_PERFORMANCE switches regions on");
	tap_int((trace2_key_is_on)(&key), 0,
		"a key is off while tracing is off");
}

static void test_json(void)
{
	const char *argv[] = { "a", "b", NULL };
	struct json_writer jw = JSON_WRITER_INIT, sub;

	jw_init(&sub);
	jw_array_begin(&sub, 0);
	jw_array_true(&sub);
	jw_end(&sub);
	jw_object_begin(&jw, 0);
	jw_object_string(&jw, "s", "\t");
	jw_object_intmax(&jw, "i", 1);
	jw_object_double(&jw, "d", 2, 3.14159);
	jw_object_double(&jw, "e", -1, 0.5);
	jw_object_true(&jw, "t");
	jw_object_false(&jw, "f");
	jw_object_bool(&jw, "b", 3);
	jw_object_null(&jw, "n");
	jw_object_sub_jw(&jw, "j", &sub);
	jw_object_inline_begin_object(&jw, "o");
	jw_end(&jw);
	jw_object_inline_begin_array(&jw, "a");
	jw_array_string(&jw, "x");
	jw_array_double(&jw, 0, 7);
	jw_array_bool(&jw, 0);
	jw_array_false(&jw);
	jw_array_null(&jw);
	jw_array_sub_jw(&jw, &sub);
	jw_array_argc_argv(&jw, 1, argv);
	jw_array_argv(&jw, argv);
	jw_array_inline_begin_object(&jw);
	jw_end(&jw);
	jw_array_inline_begin_array(&jw);
	tap_ok(!jw_is_terminated(&jw), "an open value is not terminated");
	jw_end(&jw);
	jw_end(&jw);
	jw_end(&jw);
	tap_ok(jw_is_terminated(&jw), "a value that has ended is terminated");
	tap_str(trace2_json_text(&jw.json),
		"{\"s\":\"\\t\",\"i\":1,\"d\":3.14,\"e\":0.500000,\"t\":true,"
		"\"f\":false,\"b\":true,\"n\":null,\"j\":[true],\"o\":{},"
		"\"a\":[\"x\",7,false,false,null,[true],\"a\",\"a\",\"b\",{},"
		"[]]}",
		"a json_writer writes every kind of value");
	jw_release(&sub);
	jw_release(&jw);
}

/* More words than fit into memory that is limited. */
__attribute__((unused)) static const char **make_many_words(size_t count)
{
	const char **words = calloc(count + 1, sizeof(*words));
	size_t i;

	for (i = 0; words && i < count; i++)
		words[i] = "w";
	return words;
}

__attribute__((unused)) static void tell_too_long_command(void)
{
	const char **words = make_many_words((size_t)1 << 17);
	struct child_process git = CHILD_PROCESS_INIT;
	struct rlimit limit = { 1, 1 };

	git.git_cmd = 1;
	git.argv = words;
	setrlimit(RLIMIT_AS, &limit);
	trace2_child_start(&git);
	trace2_printf("still alive");
}

__attribute__((unused)) static void test_short_memory(void)
{
	const char *said = run_story(tell_too_long_command, TRACE2_NORMAL);

	tap_ok(!!strstr(said, "still alive"),
	       "a command that is too long for the memory harms nobody");
	tap_ok(!strstr(said, "w w w"), "its words are left out");
}

int main(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	if (!getenv("TEST_UNDER_VALGRIND")) /* they need more than the limit */
		test_short_memory();
#endif
	tap_run(test_calls, test_ends, test_older, test_json);
	return tap_done();
}
