/*
 * The calls of <trace2-git.h> with git's arguments, whose EVENT or NORMAL lines
 * come through a target of their own, and what git's older tracing prints.
 * git.txt has the cases; each story is a child.
 */
#define TRACE2_GIT_TIMERS(ROW) ROW(INFLATE, "object", "inflate", 0)
#define TRACE2_GIT_COUNTERS(ROW) ROW(READ, "object", "read", 0)
#include "trace2-git.h"
#include "trace2-target.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/host.h"
#include "kit/script.h"

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

static struct trace_key trace_other = TRACE_KEY_INIT(OTHER);
static struct trace_key trace_zero = TRACE_KEY_INIT(ZERO);
static struct trace_key trace_false = TRACE_KEY_INIT(FALSE);
static struct trace_key trace_empty = TRACE_KEY_INIT(EMPTY);

static const struct trace2_target target = { .event = show_line };

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

/* More words than fit into memory that is limited. */
static const char **make_many_words(size_t count)
{
	const char **words = calloc(count + 1, sizeof(*words));

	for (size_t i = 0; words && i < count; i++)
		words[i] = "w";
	return words;
}

static void tell_too_long_command(void)
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

#include "process/git_older.h"

/*
 * ---- The verbs of the cases
 */

static const struct {
	const char *name;
	void (*tell)(void);
} stories[] = {
	{ "commands", tell_commands },
	{ "children", tell_children },
	{ "regions", tell_regions },
	{ "sums", tell_sums },
	{ "keys", tell_keys },
	{ "performance", tell_performance },
	{ "too-long", tell_too_long_command },
	{ "print-alone", print_alone },
	{ "print-beside", print_beside },
	{ "print-inside", print_inside },
	{ "print-too-much", print_too_much },
};

/* What a child writes to the pipe, which `begin` gives to it. */
static const char *run_child(const char *name, void (*begin)(int fd))
{
	static char text[65536];
	size_t len = 0, i = 0;
	ssize_t got;
	int ends[2];

	while (strcmp(stories[i].name, name))
		i++;
	fflush(stdout);
	tap_need(!pipe(ends));
	if (!fork()) {
		begin(ends[1]);
		stories[i].tell();
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

static void begin_traced(int fd)
{
	out = fd;
	setenv("GIT_TRACE_PACKET", "/tmp/ignored", 1);
	trace2_add_target(&target, NULL);
	trace2_initialize();
}

static void begin_printer(int fd)
{
	dup2(fd, STDERR_FILENO);
}

/* Each time of the day in the text, at the begin of a line, is @. */
static const char *hide_times(const char *text)
{
	static char told[4096];
	size_t len = 0;

	for (; *text; text += strcspn(text, "\n") + 1) {
		if (text[2] == ':' && text[5] == ':' && text[8] == '.')
			len += (size_t)snprintf(told + len, sizeof(told) - len,
						"@%.*s\n",
						(int)strcspn(text + 15, "\n"),
						text + 15);
		else
			len += (size_t)snprintf(told + len, sizeof(told) - len,
						"%.*s\n",
						(int)strcspn(text, "\n"), text);
		if (!strchr(text, '\n'))
			break;
	}
	told[len] = '\0';
	return told;
}

static const char *show_normal(char **word)
{
	shown = TRACE2_NORMAL;
	return run_child(word[0], begin_traced);
}

static const char *show_event(char **word)
{
	shown = TRACE2_EVENT;
	return run_child(word[0], begin_traced);
}

/* How often a part is in what is shown. */
static const char *count_parts(char **word)
{
	const char *text = show_normal(word);
	int found = 0;

	for (; (text = strstr(text, word[1])); text += strlen(word[1]))
		found++;
	return script_say_number(found);
}

/* What came to standard error, and to the file of a key. */
static const char *show_printed(char **word)
{
	snprintf(printed, sizeof(printed), "%s/printed", directory_path);
	close(open(printed, O_RDWR | O_CREAT | O_TRUNC, 0600));
	return hide_times(run_child(word[0], begin_printer));
}

static const char *show_file(SCRIPT_NONE)
{
	return hide_times(file_text(printed));
}

static const char *ask_key(SCRIPT_NONE)
{
	struct trace2_key key = TRACE2_KEY_INIT("HOME", "x");

	return script_say_yes((trace2_key_is_on)(&key));
}

/* Every kind of value; whether it was terminated only at its end. */
static const char *write_json(SCRIPT_NONE)
{
	const char *argv[] = { "a", "b", NULL };
	struct json_writer jw = JSON_WRITER_INIT, sub;
	const char *answer;
	bool is_right;

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
	is_right = !jw_is_terminated(&jw);
	jw_end(&jw);
	jw_end(&jw);
	jw_end(&jw);
	is_right &= jw_is_terminated(&jw);
	answer = script_say("%s, %s", is_right ? "terminated" : "not",
			    trace2_json_text(&jw.json));
	jw_release(&sub);
	jw_release(&jw);
	return answer;
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "normal", show_normal }, { "event", show_event },
	{ "count", count_parts }, { "printed", show_printed },
	{ "file", show_file }, { "key", ask_key }, { "json", write_json },
	{ NULL, NULL },
};
/* clang-format on */

static void end_case(void)
{
}

int main(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	script.skips = "the sanitizer needs more than the limit";
#endif
	return script_main(__FILE__, verbs, NULL, end_case);
}
