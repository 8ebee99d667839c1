/*
 * `test-tool trace-events [-c <category>]... [-o <pattern>] [-n <events>]
 * <verb> ...`: use <trace/tracing.h> as programs do. Under the fake host the
 * files are the same each time.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/engine.h"
#include "trace/tracing.h"
#include "tool/commands/commands.h"
#include "tool/tool.h"

#define AT(line) "trace_events.c", (line)

/* The most categories of the object that is always enabled. */
#define CATEGORIES 8

static int count_of(const char *text)
{
	int count;

	if (tool_int(&count, text) < 0)
		tool_die(AT(10), "expect <count>");
	return count;
}

/* The words of a verb that has none. */
#define SOLE __attribute__((unused)) const char **argv

/* Write an event of this category if it is on. */
static void write_event(enum fxt_event type, const char *category,
			const char *name, uint64_t id, int number)
{
	const struct trace_arg arg = { "number", TA_INT32(number) };
	const struct trace_event event = {
		.type = type,
		.id = id,
		.category = category,
		.name = name,
		.args = &arg,
		.arg_count = 1,
	};

	fake_tick();
	if (trace_engine_category_enabled(category))
		trace_event_write(&event);
}

static void write_instant(const char *category, const char *name)
{
	write_event(FXT_INSTANT, category, name, 0, 0);
}

static void write_complete(void)
{
	struct trace_event event = {
		.type = FXT_DURATION_COMPLETE,
		.category = "a",
		.name = "complete",
	};

	fake_tick();
	event.time = trace_ticks_now();
	fake_tick();
	event.id = trace_ticks_now();
	if (trace_engine_category_enabled("a"))
		trace_event_write(&event);
}

/* Events of the types B E X i C b n e s t f, and M for names. */
static int run_phases(SOLE)
{
	static const struct {
		enum fxt_event type;
		const char *name;
	} events[] = {
		{ FXT_DURATION_BEGIN, "duration" },
		{ FXT_INSTANT, "instant" },
		{ FXT_COUNTER, "counter" },
		{ FXT_ASYNC_BEGIN, "span" },
		{ FXT_ASYNC_INSTANT, "span" },
		{ FXT_FLOW_BEGIN, "flow" },
		{ FXT_FLOW_STEP, "flow" },
		{ FXT_FLOW_END, "flow" },
		{ FXT_ASYNC_END, "span" },
		{ FXT_DURATION_END, "duration" },
	};

	trace_name_process("phases");
	trace_name_thread("first");
	write_complete();
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		write_event(events[i].type, "a", events[i].name, 7, (int)i);
	return 0;
}

/* Enable and disable one object while another one is enabled. */
static int run_switch(SOLE)
{
	static const char *const names[] = { "b", "c" };
	struct trace_tracing *tracing = trace_tracing_create(names, 2);
	const char *all;

	for (int i = 0; i < 3; i++) {
		all = trace_tracing_enabled_categories();
		printf("%s\n", all ? all : "(none)");
		write_instant("a", "a");
		write_instant("b", "b");
		if (i)
			trace_tracing_disable(tracing);
		else
			trace_tracing_enable(tracing);
	}
	trace_tracing_destroy(tracing);
	return 0;
}

/* Enable so many more objects. */
static int run_objects(const char **argv)
{
	static const char *const names[] = { "a" };
	int count = count_of(*argv);

	while (count-- > 0)
		trace_tracing_enable(trace_tracing_create(names, 1));
	return 0;
}

/* Write an event for each group on the command line. */
static int run_groups(const char **argv)
{
	for (; *argv; argv++)
		write_instant(*argv, "grouped");
	return 0;
}

static int run_many(const char **argv)
{
	int count = count_of(*argv);

	for (int i = 0; i < count; i++)
		write_event(FXT_INSTANT, "a", "many", 0, i);
	return 0;
}

static void traced_thread(int place, void *data)
{
	(void)data;
	write_event(FXT_DURATION_BEGIN, "a", "thread", 0, place);
	write_event(FXT_DURATION_END, "a", "thread", 0, place);
}

static int run_threads(const char **argv)
{
	tool_threads(count_of(*argv), traced_thread, NULL);
	return 0;
}

/* Nested durations. */
static int run_nested(const char **argv)
{
	int depth = count_of(*argv), i;

	for (i = 0; i < depth; i++)
		write_event(FXT_DURATION_BEGIN, "a", "nested", 0, i);
	while (i--)
		write_event(FXT_DURATION_END, "a", "nested", 0, i);
	return 0;
}

/* A duration in each thread; all begin before one of them ends. */
static void overlapping_thread(int place, void *data)
{
	write_event(FXT_DURATION_BEGIN, "a", "overlap", 0, place);
	pthread_barrier_wait(data);
	write_event(FXT_DURATION_END, "a", "overlap", 0, place);
}

/* Not for the fake host, whose threads wait until the others have ended. */
static int run_overlap(const char **argv)
{
	int count = count_of(*argv);
	pthread_barrier_t all;

	if (count < 1 || count > FAKE_TURNS_MAX ||
	    pthread_barrier_init(&all, NULL, (unsigned)count))
		return 125;
	tool_threads(count, overlapping_thread, &all);
	return 0;
}

/* Ends without an exit handler. */
static int run_crash(const char **argv)
{
	write_instant("a", "crash");
	raise(*argv ? count_of(*argv) : SIGKILL);
	return 1;
}

/* Both sides of a fork trace, each to its own file. */
static int run_fork(SOLE)
{
	static const char *const names[] = { "a" };
	struct trace_tracing *tracing;
	pid_t traced, pid;

	pid = tool_fork(&traced);
	if (!pid) {
		write_instant("a", "nobody");
		tracing = trace_tracing_create(names, 1);
		trace_tracing_enable(tracing);
		write_instant("a", "child");
		trace_tracing_destroy(tracing);
		exit(0);
	}
	tool_wait(pid);
	write_instant("a", "parent");
	return 0;
}

static int run_quotes(SOLE)
{
	write_instant("a,q\"\\", "n\"\\\n");
	write_instant("a,\xf0\x9f\x8e\x89", "caf\xc3\xa9 \xff");
	return 0;
}

static const struct {
	const char *name, *usage;
	int (*run)(const char **argv);
} verbs[] = {
	{ "phases", "", run_phases },
	{ "switch", "", run_switch },
	{ "objects", "<count>", run_objects },
	{ "groups", "<group>...", run_groups },
	{ "many", "<count>", run_many },
	{ "threads", "<count>", run_threads },
	{ "nested", "<depth>", run_nested },
	{ "overlap", "<threads>", run_overlap },
	{ "crash", "[<signal>]", run_crash },
	{ "fork", "", run_fork },
	{ "quotes", "", run_quotes },
};

_Noreturn static void die_usage(void)
{
	fprintf(stderr, "usage: test-tool trace-events [-c <category>]... "
			"[-o <pattern>] [-n <events>] <verb>\n");
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		fprintf(stderr, "  %s %s\n", verbs[i].name, verbs[i].usage);
	tool_exit(AT(20), 128);
}

static int find_and_run(const char **argv)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(verbs[i].name, argv[0]))
			return verbs[i].run(argv + 1);
	die_usage();
}

int cmd_trace_events(int argc, const char **argv)
{
	struct trace_tracing_options options = { .warn = true };
	const char *categories[CATEGORIES] = { "a" };
	struct trace_tracing *tracing;
	size_t count = 0;
	int i, error, code;

	for (i = 1; i + 1 < argc && argv[i][0] == '-'; i += 2) {
		if (!strcmp(argv[i], "-c") && count < CATEGORIES)
			categories[count++] = argv[i + 1];
		else if (!strcmp(argv[i], "-o"))
			options.pattern = argv[i + 1];
		else if (!strcmp(argv[i], "-n"))
			options.events = (uint64_t)count_of(argv[i + 1]);
		else
			die_usage();
	}
	if (i >= argc)
		die_usage();
	trace_tracing_configure(&options);
	tracing = trace_tracing_create(categories, count ? count : 1);
	error = tracing ? trace_tracing_enable(tracing) : -1;
	code = find_and_run(argv + i);
	trace_tracing_destroy(tracing);
	return error ? 2 : code;
}
