/* The parts of the library, each as a program uses it. */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parts.h"
#include "trace/provider/provider.h"
#include "trace/engine.h"
#include "trace/event.h"
#include "trace/loop.h"
#include "trace/tracing.h"
#include "trace2.h"

static void tell_busy(const char *part, int error)
{
	if (error) {
		printf("%s: %s\n", part, strerror(error));
		fflush(stdout);
	}
}

/* ---- Trace2 ---- */

TRACE2_TIMER(turns_timer, "parts", "turns", 0);
TRACE2_COUNTER(turns_counter, "parts", "turns", 0);

static void begin_trace2(void)
{
	trace2_initialize();
	trace2_cmd_start(parts_argv);
	trace2_cmd_name("parts");
}

static void use_trace2(void)
{
	trace2_region_enter("parts", "use", TRACE2_REPO_NONE);
	trace2_timer_start(turns_timer);
	trace2_data_intmax("parts", TRACE2_REPO_NONE, "pid", getpid());
	trace2_counter_add(turns_counter, 1);
	trace2_timer_stop(turns_timer);
	trace2_region_leave("parts", "use", TRACE2_REPO_NONE);
}

/* ---- Trace points ---- */

static void begin_points(void)
{
}

static void use_points(void)
{
	TRACE_DURATION("parts", "point", "pid", TA_INT32(getpid()));
	TRACE_INSTANT("parts", "instant", TRACE_SCOPE_THREAD);
}

/* ---- The engine, with a handler of the program's own ---- */

static void begin_engine(void)
{
	static const struct trace_handler_ops ops = { NULL };
	static struct trace_handler handler = { &ops };
	static uint64_t buffer[16384];

	tell_busy("engine",
		  trace_start_engine(&handler, TRACE_BUFFERING_MODE_ONESHOT,
				     buffer, sizeof(buffer)));
}

/* ---- Tracing objects ---- */

static void begin_tracing(void)
{
	static const char *const categories[] = { "parts" };
	struct trace_tracing *tracing = trace_tracing_create(categories, 1);

	tell_busy("tracing", trace_tracing_enable(tracing));
}

/* ---- A provider ---- */

static void begin_provider(void)
{
	static const struct trace_provider_options options = {
		.name = "parts",
	};

	if (!trace_provider_create_with_options(&options))
		tell_busy("provider", ENOMEM);
}

/* ---- A loop ---- */

static int loop_woken; /* atomic */

static void wake(struct trace_loop_watch *watch, short ready)
{
	(void)ready;
	watch->wait_ms = -1;
	use_points();
	__atomic_store_n(&loop_woken, 1, __ATOMIC_RELEASE);
}

static void begin_loop(void)
{
	static struct trace_loop_watch watch = { .fd = -1, .wake = wake };
	struct trace_loop *loop = trace_loop_create();

	trace_loop_watch(loop, &watch);
	tell_busy("loop", trace_loop_start_thread(loop, "parts"));
}

static void use_loop(void)
{
	use_points();
	while (!__atomic_load_n(&loop_woken, __ATOMIC_ACQUIRE))
		poll(NULL, 0, 1);
}

/* ---- More copies of the library ---- */

struct copy {
	void *object;
	void (*initialize)(const char *file, int line);
	void (*start)(const char *file, int line, const char *const *argv);
	void (*data)(const char *file, int line, const char *category, int repo,
		     const char *key, intmax_t value);
};

/* As POSIX says that it is done. */
static void look_up(const struct copy *copy, const char *name, void *pointer)
{
	void *found = dlsym(copy->object, name);

	memcpy(pointer, &found, sizeof(found));
}

static void open_copy(struct copy *copy, const char *variable)
{
	copy->object = dlopen(getenv(variable), RTLD_NOW | RTLD_LOCAL);
	if (!copy->object) {
		printf("%s: %s\n", variable, dlerror());
		return;
	}
	look_up(copy, "trace2_initialize_fl", &copy->initialize);
	look_up(copy, "trace2_cmd_start_fl", &copy->start);
	look_up(copy, "trace2_data_intmax_fl", &copy->data);
	copy->initialize("copy.c", 1);
	copy->start("copy.c", 2, (const char *const *)parts_argv);
}

static struct copy shared, plugin;

static void begin_copy(void)
{
	open_copy(&shared, "PARTS_COPY");
}

static void use_copy(void)
{
	if (shared.object)
		shared.data("copy.c", 3, "parts", 0, "pid", getpid());
}

/* Its host closes it; what it has begun goes on to the end. */
static void begin_plugin(void)
{
	open_copy(&plugin, "PARTS_PLUGIN");
	if (!plugin.object)
		return;
	plugin.data("plugin.c", 3, "parts", 0, "pid", getpid());
	dlclose(plugin.object);
}

static const struct part parts[] = {
	{ "trace2", begin_trace2, use_trace2, 0 },
	{ "points", begin_points, use_points, 0 },
	{ "engine", begin_engine, use_points, 1 },
	{ "tracing", begin_tracing, use_points, 1 },
	{ "provider", begin_provider, use_points, 1 },
	{ "loop", begin_loop, use_loop, 1 },
	{ "copy", begin_copy, use_copy, 0 },
	{ "plugin", begin_plugin, use_points, 0 },
};

const struct part *find_part(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (!strcmp(parts[i].name, name))
			return &parts[i];
	return NULL;
}
