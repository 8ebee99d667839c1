/*
 * A program that can be traced: traced VERB [NUMBER].
 *
 *	events N   write N events and exit
 *	children N have N children that write an event each
 *	wait       write an event and wait to be killed
 *	paced N    write N events at a million a second
 *	alert N    send an alert and die, of the signal N if it is not 0
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <trace-provider/provider.h>
#include <trace/event.h>

static trace_provider_t *provider;

static void create(void)
{
	static const struct trace_known_category known[] = {
		{ "example", "what examples do" },
		{ "other", NULL },
	};
	const struct trace_provider_options options = {
		.name = "traced",
		.categories = known,
		.category_count = 2,
	};

	provider = trace_provider_create_with_options(&options);
}

static void event(int number)
{
	TRACE_INSTANT("example", "tick", TRACE_SCOPE_THREAD, "number",
		      TA_INT32(number));
}

static void events(int count)
{
	int i;

	for (i = 0; i < count; i++)
		event(i);
}

static void children(int count)
{
	while (count--)
		if (!fork()) {
			create();
			event(count);
			trace_provider_destroy(provider);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
}

static void wait_for_the_end(int unused)
{
	event(unused);
	puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}

static void paced(int count)
{
	struct timespec start, now;
	long passed;
	int i = 0;

	clock_gettime(CLOCK_MONOTONIC, &start);
	while (i < count) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		passed = (now.tv_sec - start.tv_sec) * 1000000 +
			 (now.tv_nsec - start.tv_nsec) / 1000;
		for (; i < count && i < passed; i++)
			event(i);
	}
}

/* The process ends before its other threads may have run. */
static void alert(int how)
{
	TRACE_ALERT("example", "goodbye");
	if (how)
		kill(getpid(), how);
	_exit(0);
}

static const struct verb {
	const char *name;
	void (*run)(int number);
} verbs[] = {
	{ "events", events },	      { "children", children },
	{ "wait", wait_for_the_end }, { "paced", paced },
	{ "alert", alert },
};

int main(int argc, char **argv)
{
	size_t i;

	create();
	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (argc > 1 && !strcmp(argv[1], verbs[i].name))
			verbs[i].run(argc > 2 ? atoi(argv[2]) : 0);
	trace_provider_destroy(provider);
	return argc > 3 ? atoi(argv[3]) : 0;
}
