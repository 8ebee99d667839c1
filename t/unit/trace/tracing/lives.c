/*
 * Lives of processes that trace at run time: what is on, which files they
 * write, how they end and what they fork. lives.txt has the cases. Objects
 * have names of one letter.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, RTLD_DEFAULT */
#include "trace/tracing/lives_clients.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>

#include "kit/script_system.h"

static struct trace_tracing *objects['z' + 1];

static struct trace_tracing *find_object(const char *word)
{
	return objects[(int)*word];
}

/*
 * ---- Objects
 */

/* Of these categories, up to an empty word. */
static struct trace_tracing *create_object(char **word)
{
	const char *names[8];
	size_t count = 0;

	while (count < 8 && *word[count]) {
		names[count] = word[count];
		if (*names[count] == '_') /* a blank, or no name at all */
			names[count] = strcmp(names[count], "_") ? " v8" : "";
		if (!strcmp(names[count], "NULL"))
			names[count] = NULL;
		count++;
	}
	return trace_tracing_create(names, count);
}

/* `make a x y`: the object a has the categories x and y. */
static void make_object(char **word)
{
	objects[(int)*word[0]] = create_object(word + 1);
}

/* `make-none EINVAL x,y` */
static void make_no_object(char **word)
{
	expect_that(!create_object(word + 1) &&
			    errno == script_value_of(word[0]),
		    "no object");
}

/* `enable a`, and errno is kept; `enable a EBUSY`: that is what it says. */
static void enable_object(char **word)
{
	int error;

	errno = EDOM;
	error = trace_tracing_enable(find_object(word[0]));
	expect_that(errno == EDOM, "errno");
	if (strcmp(word[1], "any") != 0)
		expect_that(error == script_value_of(*word[1] ? word[1]
							      : "done"),
			    "enable");
}

static void *enable_slowly(void *object)
{
	trace_tracing_enable(object);
	return NULL;
}

/* In a thread, which may have to wait for its file. */
static void enable_in_thread(char **word)
{
	pthread_t thread;

	tap_need(!pthread_create(&thread, NULL, enable_slowly,
				 find_object(word[0])));
}

static void disable_object(char **word)
{
	errno = EDOM;
	expect_that(trace_tracing_disable(find_object(word[0])) ==
				    script_value_of(*word[1] ? word[1]
							     : "done") &&
			    errno == EDOM,
		    "disable");
}

static void destroy_object(char **word)
{
	errno = EDOM;
	trace_tracing_destroy(find_object(word[0]));
	expect_that(errno == EDOM, "errno");
}

/* `on a`, `off a`. */
static void expect_on(char **word)
{
	expect_that(trace_tracing_is_enabled(find_object(word[0])), "is on");
}

static void expect_off(char **word)
{
	expect_that(!trace_tracing_is_enabled(find_object(word[0])), "is off");
}

static void expect_categories(char **word)
{
	expect_that(!strcmp(trace_tracing_categories(find_object(word[0])),
			    word[1]),
		    "the object's categories");
}

/* `enabled a,b`; `enabled`: none. */
static void expect_enabled(char **word)
{
	const char *enabled = trace_tracing_enabled_categories();

	expect_that(*word[0] ? enabled && !strcmp(enabled, word[0]) : !enabled,
		    "what is enabled");
}

/* `configure PATTERN 10 quiet EBUSY`; `-` is no pattern. */
static void configure_files(char **word)
{
	const struct trace_tracing_options options = {
		.pattern = strcmp(word[0], "-") ? word[0] : NULL,
		.events = (uint64_t)script_number(word[1], 0),
		.warn = strcmp(word[2], "quiet") != 0,
	};

	expect_that(trace_tracing_configure(&options) ==
			    script_value_of(*word[3] ? word[3] : "done"),
		    "configure");
}

/* More than is good. */
static void enable_many(char **word)
{
	long count = script_number(word[0], 0);

	while (count--)
		trace_tracing_enable(kit_tracing("a"));
}

/*
 * ---- Events
 */

/* `trace 25 one`: so many events of that name, in the category a. */
static void trace_events(char **word)
{
	const char *name = *word[1] ? word[1] : "one";
	const long count = script_number(word[0], 1);

	for (long i = 0; i < count; i++) {
		const struct trace_arg arg = { "i", TA_INT32((int)i) };
		const struct trace_event event = {
			.type = FXT_INSTANT,
			.category = "a",
			.name = name,
			.args = &arg,
			.arg_count = 1,
		};

		if (TRACE_CATEGORY_ENABLED("a"))
			trace_event_write(&event);
	}
}

/* The same trace point each time. */
static void pass_point(SCRIPT_NONE)
{
	TRACE_INSTANT("a", "passed", TRACE_SCOPE_THREAD);
}

static void trace_groups(SCRIPT_NONE)
{
	TRACE_INSTANT("node,node.fs,node.fs.sync", "member", 0);
	TRACE_INSTANT("node.fs", "exact", 0);
	TRACE_INSTANT("node", "other", 0);
	TRACE_INSTANT("node.fs.sync,node.f", "part", 0);
	TRACE_INSTANT(" v8", "blank", 0);
	TRACE_INSTANT("V8", "case", 0);
	TRACE_INSTANT("", "none", 0);
}

static void *trace_all_the_time(void *unused)
{
	const struct timespec pause = { 0, 10000 };

	for (;;) {
		TRACE_INSTANT("a", "more", TRACE_SCOPE_THREAD);
		nanosleep(&pause, NULL);
	}
	return unused;
}

static void begin_thread(SCRIPT_NONE)
{
	pthread_t thread;

	tap_need(!pthread_create(&thread, NULL, trace_all_the_time, NULL));
}

static void flush_events(char **word)
{
	trace_tracing_flush(!*word[0]);
}

static const struct life_command commands[] = {
	{ "make", make_object },
	{ "make-none", make_no_object },
	{ "enable-soon", enable_in_thread },
	{ "enable", enable_object },
	{ "disable", disable_object },
	{ "destroy", destroy_object },
	{ "on", expect_on },
	{ "off", expect_off },
	{ "categories", expect_categories },
	{ "enabled", expect_enabled },
	{ "configure", configure_files },
	{ "enable-many", enable_many },
	{ "observe", add_observer },
	{ "unobserve", remove_observer },
	{ "heard", expect_heard },
	{ "trace", trace_events },
	{ "pass", pass_point },
	{ "groups", trace_groups },
	{ "escapes", trace_escapes },
	{ "too-much", trace_too_much },
	{ "unreadable", trace_unreadable },
	{ "thread", begin_thread },
	{ "flush", flush_events },
	{ "count-threads", count_threads },
	{ "threads", expect_threads },
	{ "no-threads", have_no_threads },
	{ "few-tries", expect_few_tries },
	{ "agent-thread", expect_agent_thread },
	{ "pass-ms", let_time_pass },
	{ "quick-exit", end_quickly },
	{ "handle", handle_signal },
	{ "leave-signals", leave_signals },
	{ "defaults", expect_defaults },
	{ "trace2", begin_trace2 },
	{ "own-engine", own_engine },
	{ "limit", limit_size },
	{ "client", add_client },
	{ "listen", add_listener },
	{ "listen-none", add_no_listener },
	{ "relisten", change_listener },
	{ "dropped", expect_drops },
	{ "lost", expect_lost },
	{ "leave", remove_listener },
	{ "listen-too-many", add_too_many },
	{ "all", trace_all },
	{ "other-thread", trace_in_thread },
	{ "took", expect_taken },
	{ "nothing-new", expect_nothing_new },
	{ "archive", expect_archive },
	{ "cancelled", cancel_thread },
	{ "count-at-exit", count_at_exit },
	{ "has", expect_count },
	{ "await", await_part },
	{ "no-file", expect_no_file },
	{ "outside", begin_outside },
	{ "has-file", expect_file },
	{ "nothing", expect_nothing },
	{ "lose-file", lose_file },
	{ "earlier", put_earlier_files },
	{ "go", make_directory },
	{ "remove-it", remove_directory },
	{ "memory", fail_memory },
	{ "registers", interrupt_registering },
	{ "blocks", count_blocks },
	LIFE_PROCESS,
	{ NULL, NULL },
};

/*
 * ---- The verbs of the cases
 */

static char said_text[4096];
static time_t took_seconds;

/* What it says is counted. */
static const char *run_life(char **word)
{
	FILE *said = fopen("said", "w+");
	const time_t begin = time(NULL);
	const int two = dup(2);
	const char *code;
	pid_t pid;

	tap_need(said);
	dup2(fileno(said), 2);
	pid = life_begin(word[0]);
	dup2(two, 2);
	close(two);
	code = life_end(pid);
	took_seconds = time(NULL) - begin;
	fclose(said);
	snprintf(said_text, sizeof(said_text), "%s", file_text("said"));
	remove("said");
	return code;
}

static const char *tell_said(SCRIPT_NONE)
{
	return said_text;
}

static const char *count_said(SCRIPT_NONE)
{
	const char *at = said_text;
	int lines = 0;

	while ((at = strchr(at, '\n')))
		lines++, at++;
	return script_say_number(lines);
}

static const char *tell_time(SCRIPT_NONE)
{
	return took_seconds < 1	  ? "less"
	       : took_seconds < 5 ? "seconds"
				  : "more";
}

/* `count FILE one`: of that name; `count FILE "" "\n]\n"`: of that text. */
static const char *count_parts(char **word)
{
	char name[64];

	snprintf(name, sizeof(name), "\"name\":\"%s\"", word[1]);
	return script_say_number(kit_count(word[0], *word[1] ? name : word[2]));
}

/* Does it end with a whole line, of some? */
static const char *is_whole(char **word)
{
	const char *text = file_text(word[0]);
	const size_t len = strlen(text);

	return script_say_yes(len > 1000 && text[len - 1] == '\n');
}

/* `files a passed`: how many whose name begins so have that. */
static const char *count_files(char **word)
{
	DIR *here = opendir(".");
	struct dirent *entry;
	int count = 0;

	while ((entry = readdir(here)))
		if (entry->d_type == DT_REG &&
		    !strncmp(entry->d_name, word[0], strlen(word[0])))
			count += !*word[1] ||
				 kit_count(entry->d_name, word[1]) > 0;
	closedir(here);
	return script_say_number(count);
}

static pid_t reader;
static int held; /* so that the reader sees no end before a writer came */

/* `reader fifo text`: a program that copies the one to the other, and reads. */
static const char *begin_reader(char **word)
{
	char command[80];

	snprintf(command, sizeof(command), "exec cat %s >%s", word[0], word[1]);
	reader = fork();
	if (!reader) {
		execlp("sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	while ((held = open(word[0], O_WRONLY | O_NONBLOCK)) < 0)
		poll(NULL, 0, 1);
	return NULL;
}

static const char *await_reader(SCRIPT_NONE)
{
	close(held);
	return life_end(reader);
}

static const struct script_verb verbs[] = {
	{ "files", count_files },
	{ "reader", begin_reader },
	{ "reader-ends", await_reader },
	{ "part", add_part },
	{ "life", run_life },
	{ "said", tell_said },
	{ "lines", count_said },
	{ "count", count_parts },
	{ "whole", is_whole },
	{ "took", tell_time },
	SCRIPT_SYSTEM,
	{ NULL, NULL },
};

/* Each case begins without files. */
static void begin_case(void)
{
	char path[64];

	tap_need(getcwd(path, sizeof(path)) && !chdir("/"));
	remove_all(path);
	tap_need(!mkdir(path, 0700) && !chdir(path));
}

int main(void)
{
	restore_signals();
	watch_memory();
	life_commands = commands;
#ifdef __SANITIZE_THREAD__
	script.skips = "the thread sanitizer follows no thread of a child's";
#endif
	return script_main(__FILE__, verbs, begin_case, forget_parts);
}
