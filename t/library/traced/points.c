/*
 * A program that only has trace points: points VERB [ARGUMENT].
 *
 *	one		write an event, exit with 3
 *	many N		write N events
 *	fork		write one, and so does a forked child
 *	silent		fork a child that writes nothing
 *	workers N	N children with two threads write an event each
 *	exec PROGRAM	run the program in a forked child
 *	become PROGRAM	write one, wait a second, then become the program
 *	leave DIR	change the directory, then write one
 *	open OBJECT	load an object and call its function `point`
 *	tracing		enable a tracing object of its own, write one
 *	provider	make a provider "mine", write one
 *	replace SOCKET	make a provider at another socket, write one
 *	die SIGNAL	write one, and so does a forked child; both die of it
 *	wait		write one, print "ready", wait to be killed
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <trace-provider/provider.h>
#include <trace/event.h>
#include <trace/tracing.h>

static void point(const char *text)
{
	TRACE_INSTANT("app", "point", TRACE_SCOPE_THREAD, "text",
		      TA_STRING(text));
	TRACE_INSTANT("app,app.more", "group", TRACE_SCOPE_THREAD);
	TRACE_INSTANT("other", "other", TRACE_SCOPE_THREAD);
}

static void write_one(const char *unused)
{
	(void)unused;
	point("one");
}

static void write_many(const char *number)
{
	int i, count = atoi(number);

	for (i = 0; i < count; i++)
		TRACE_INSTANT("app", "point", TRACE_SCOPE_THREAD);
}

static void wait_for_all(void)
{
	while (wait(NULL) > 0)
		;
}

static void write_in_fork(const char *unused)
{
	(void)unused;
	point("parent");
	if (!fork()) {
		point("child");
		exit(0);
	}
	wait_for_all();
	point("after");
}

static void fork_silently(const char *unused)
{
	(void)unused;
	if (!fork())
		exit(0);
	wait_for_all();
}

static void *work(void *text)
{
	point(text);
	return NULL;
}

static void write_in_workers(const char *number)
{
	int i, count = atoi(number);
	pthread_t thread;

	for (i = 0; i < count; i++) {
		if (fork())
			continue;
		pthread_create(&thread, NULL, work, "thread");
		work("worker");
		pthread_join(thread, NULL);
		exit(0);
	}
	wait_for_all();
}

static void run_program(const char *program)
{
	point("before");
	if (!fork()) {
		execlp(program, program, "one", (char *)NULL);
		_exit(1);
	}
	wait_for_all();
}

/* The events of more than half a second ago are in the file. */
static void become_program(const char *program)
{
	point("before");
	usleep(1000000);
	execlp(program, program, "one", (char *)NULL);
}

static void leave_directory(const char *directory)
{
	if (chdir(directory))
		exit(1);
	point("left");
	if (!fork()) {
		point("child");
		exit(0);
	}
	wait_for_all();
}

static void open_object(const char *name)
{
	void *object = dlopen(name, RTLD_NOW);
	void *symbol = object ? dlsym(object, "point") : NULL;
	void (*function)(void);

	if (!symbol)
		exit(1);
	memcpy(&function, &symbol, sizeof(function));
	function();
	dlclose(object);
}

static void enable_tracing(const char *unused)
{
	static const char *const categories[] = { "other" };
	struct trace_tracing *tracing = trace_tracing_create(categories, 1);
	int error = trace_tracing_enable(tracing);

	(void)unused;
	if (error)
		puts(strerror(error));
	point("own");
	puts(trace_tracing_enabled_categories());
	trace_tracing_destroy(tracing);
	point("after");
}

static void make_provider(const char *unused)
{
	static const struct trace_known_category known = { "app", "what I do" };
	const struct trace_provider_options options = {
		.name = "mine",
		.categories = &known,
		.category_count = 1,
	};
	trace_provider_t *provider;

	(void)unused;
	point("before");
	provider = trace_provider_create_with_options(&options);
	point("mine");
	trace_provider_destroy(provider);
	point("after");
}

static void replace_provider(const char *socket)
{
	const struct trace_provider_options options = {
		.name = "moved",
		.socket = socket,
		.wait_ms = 10000,
	};

	trace_provider_create_with_options(&options);
	point("moved");
}

static void die_of_signal(const char *number)
{
	point("parent");
	if (!fork()) {
		point("child");
		raise(atoi(number));
	}
	wait_for_all();
	raise(atoi(number));
}

static void wait_for_the_end(const char *unused)
{
	(void)unused;
	point("wait");
	puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}

static const struct verb {
	const char *name;
	void (*run)(const char *argument);
} verbs[] = {
	{ "one", write_one },
	{ "many", write_many },
	{ "fork", write_in_fork },
	{ "silent", fork_silently },
	{ "workers", write_in_workers },
	{ "exec", run_program },
	{ "become", become_program },
	{ "leave", leave_directory },
	{ "open", open_object },
	{ "tracing", enable_tracing },
	{ "provider", make_provider },
	{ "replace", replace_provider },
	{ "die", die_of_signal },
	{ "wait", wait_for_the_end },
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (argc > 1 && !strcmp(argv[1], verbs[i].name))
			verbs[i].run(argc > 2 ? argv[2] : NULL);
	return 3;
}
