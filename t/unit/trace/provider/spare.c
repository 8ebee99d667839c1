/* A provider that the program has not made, and may take over. */
#define _GNU_SOURCE
#include <sys/wait.h>

#include "host/host.h"
#include "kit/trace/provider.h"
#include "trace/event.h"
#include "trace/provider/spare.h"

static void write_event(const char *name)
{
	const struct trace_event event = {
		.type = FXT_INSTANT,
		.category = "test",
		.name = name,
	};

	if (trace_engine_category_enabled("test"))
		trace_event_write(&event);
}

static void test_off(void)
{
	unsetenv("TRACE_MANAGER");
	errno = 77;
	tap_int(tr2_provider_begin_spare(), 0,
		"without a variable there is no provider");
	setenv("TRACE_MANAGER", "", 1);
	tap_int(tr2_provider_begin_spare(), 0, "an empty variable is none");
	tap_int(errno, 77, "and errno is kept");
	tr2_provider_end_spare();
	tr2_provider_forget_spare();
	tap_str(desk_listing(false), "",
		"ending or forgetting none does nothing");
}

static void test_alone(void)
{
	desk_begin(TRACE_BUFFERING_MODE_STREAMING, NULL);
	setenv("TRACE_MANAGER", desk.socket, 1);
	errno = 77;
	tap_int(tr2_provider_begin_spare(), 1, "a named manager gets one");
	tap_int(errno, 77, "which keeps errno");
	write_event("first");
	tap_ok(strstr(desk_listing(false), "spare") != NULL,
	       "it has the program's name");
	tr2_provider_end_spare();
	write_event("lost");
	desk_end();
	tap_str(kit_events(&desk.got), "first", "it traces until it ends");
}

static void test_taken_over(void)
{
	static const struct trace_known_category known = { "io", "the disk" };
	const struct trace_provider_options options = {
		.name = "own",
		.categories = &known,
		.category_count = 1,
	};
	struct trace_provider *own;

	desk_begin(TRACE_BUFFERING_MODE_STREAMING, NULL);
	tr2_provider_begin_spare();
	write_event("before");
	own = trace_provider_create_with_options(&options);
	while (strcmp(desk_listing(false), "own"))
		usleep(1000);
	tap_str(desk_listing(true), "io=the disk",
		"the program's provider gives name and categories");
	tr2_provider_end_spare();
	write_event("after");
	desk_end();
	tap_str(kit_events(&desk.got), "before after", "and loses no record");
	tap_int(desk.got.count, 1, "there is one provider");
	tap_str(desk.got.results[0].name, "own", "whose result has the name");
	trace_provider_destroy(own);
}

static inline int run_child(void)
{
	tr2_provider_forget_spare();
	tr2_provider_begin_spare();
	write_event("child");
	tr2_provider_end_spare();
	return 0;
}

static inline void test_fork(void)
{
	const char *events;
	int status = -1;
	pid_t child;

	desk_begin(TRACE_BUFFERING_MODE_STREAMING, NULL);
	tr2_provider_begin_spare();
	write_event("parent");
	fflush(stdout);
	child = fork();
	if (!child)
		_exit(run_child());
	waitpid(child, &status, 0);
	tr2_provider_end_spare();
	desk_end();
	tap_int(status, 0, "a child can have its own");
	/* Which of both has written first is the manager's affair. */
	events = kit_events(&desk.got);
	tap_ok(!strcmp(events, "child parent") ||
		       !strcmp(events, "parent child"),
	       "and is traced");
}

static void *refuse_memory(void *old, size_t size)
{
	(void)old;
	(void)size;
	return NULL;
}

static void test_memory(void)
{
	struct tr2_host host = tr2_host_system;

	host.realloc = refuse_memory;
	tr2_host = &host;
	tap_int(tr2_provider_begin_spare(), 0, "without memory there is none");
	tr2_host = &tr2_host_system;
}

int main(void)
{
	test_memory(); /* before there are threads that use the host */
	desk_open();
	tap_run(test_off, test_alone, test_taken_over);
#ifdef __SANITIZE_THREAD__
	tap_skip("a child can have its own",
		 "ThreadSanitizer takes its threads for its parent's");
#else
	test_fork();
#endif
	desk_close();
	return tap_done();
}
