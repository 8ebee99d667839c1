#include "trace/outside/outside.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "host/generation.h"
#include "host/host.h"
#include "host/memory.h"
#include "host/system.h"
#include "gitconfig/value.h"
#include "trace/agent/categories.h"
#include "trace/tracing/chrome_file.h"
#include "trace/tracing/chrome_name.h"
#include "trace/engine/session.h"
#include "trace/provider/spare.h"

#define PATTERN "TRACE_EVENT_FILE_PATTERN"
#define PER_FILE "TRACE_EVENT_EVENTS_PER_FILE"
#define ROOT "TRACE_EVENT_ROOT"

/* The program's own tracing objects have another default. */
#define DEFAULT_PATTERN "trace-${pid}.${rotation}.json"

static struct tr2_chrome_file file = { .fd = -1 };

/* Returns the value, or NULL if it is empty or not set. */
static const char *read_variable(const char *name)
{
	const char *value = tr2_host->getenv(name);

	return value && *value ? value : NULL;
}

/*
 * Returns the path in the working directory, if that is known, or NULL if
 * memory fails.
 */
static char *join_here(const char *name)
{
	struct tr2_buf path = TR2_BUF_INIT;

	if (!tr2_buf_grow(&path, PATH_MAX) && getcwd(path.bytes, PATH_MAX)) {
		path.len = strlen(path.bytes);
		tr2_buf_byte(&path, '/');
	}
	tr2_buf_add(&path, name, strlen(name) + 1);
	if (!path.failed)
		return path.bytes;
	tr2_buf_release(&path);
	return NULL;
}

/* SPEC: tracing.outside.pattern */
static const char *copy_pattern(void)
{
	const char *pattern = read_variable(PATTERN);

	if (!pattern)
		pattern = DEFAULT_PATTERN;
	return *pattern == '/' ? tr2_memory_copy(pattern) : join_here(pattern);
}

/* SPEC: tracing.outside.all */
static const char *copy_categories(const char *categories)
{
	return strcmp(categories, "*") ? tr2_memory_copy(categories)
				       : tr2_categories_all;
}

/*
 * The default for what is no number.
 * SPEC: tracing.outside.events
 */
static uint64_t read_events(void)
{
	const char *text = read_variable(PER_FILE);
	unsigned long long events;

	if (!text || text[strspn(text, "0123456789")])
		return 0;
	errno = 0;
	events = strtoull(text, NULL, 10);
	return events && !errno ? events : UINT64_MAX;
}

/* SPEC: tracing.outside.root */
static bool is_root(void)
{
	const char *root = read_variable(ROOT);

	return !root || strtol(root, NULL, 10) == (long)tr2_host->getpid();
}

/*
 * Nothing is lost if a signal ends the process. It does not matter here whose
 * code the library is: the user asks for it.
 * SPEC: tracing.signal
 */
static const void *find_caller(void)
{
	const char *signals = read_variable("GIT_TRACE2_SIGNALS");

	return !signals || tr2_settings_bool(signals) ? &tr2_agent_user : NULL;
}

/* Returns the name that messages have, or NULL: nobody wants to read them. */
static const char *find_variable(void)
{
	const char *debug = read_variable("GIT_TRACE2_DST_DEBUG");

	return debug && tr2_settings_bool(debug) ? TR2_OUTSIDE_CATEGORIES
						 : NULL;
}

/* Runs after the program's own exit functions, which may still trace. */
static void end_file(int code)
{
	(void)code;
	if (!tr2_outside_has_file() || tr2_generation_is_guest())
		return;
	tr2_outside_note_file(false);
	tr2_trace_leave_record();
	tr2_chrome_file_end(&file);
}

/* SPEC: tracing.outside.file */
static int begin_file(void)
{
	const char *categories = read_variable(TR2_OUTSIDE_CATEGORIES);

	if (!categories)
		return 0;
	file.client.categories = copy_categories(categories);
	file.client.caller = find_caller();
	file.variable = find_variable();
	file.pattern = copy_pattern();
	file.events = read_events();
	file.nested = !is_root();
	/* Before an exec the process was another program. */
	file.apart = true; /* SPEC: tracing.outside.exec */
	if (!file.client.categories || !file.pattern)
		return 0;
	if (tr2_chrome_file_begin(&file, -1))
		return 0;
	tr2_outside_note_file(true);
	tr2_outside_note_lost(&file.lost);
	tr2_host->at_exit(end_file);
	return 1;
}

/*
 * The first event of a process that a manager may trace, or of a forked child.
 * A program that never traces keeps its one thread.
 */
static int begin_late(void)
{
	int error = errno;

	if (tr2_provider_is_wanted())
		tr2_provider_begin_spare();
	if (file.late && tr2_outside_has_file())
		tr2_outside_note_file(!tr2_chrome_file_begin(&file, -1));
	errno = error;
	return 1;
}

/*
 * A child that never traces has no file. Handlers of fork(2) that hold locks
 * may not have run yet, so no thread, file or memory is asked for here.
 * SPEC: tracing.outside.fork
 */
static void in_child(void)
{
	const bool has_file = tr2_outside_has_file();

	tr2_provider_forget_spare();
	if (has_file) {
		tr2_chrome_file_forget(&file);
		file.rotation = 0;
		file.lost = 0;
		file.nested = true;
		file.late = true;
	}
	if (has_file || tr2_provider_is_wanted())
		tr2_trace_await(begin_late);
}

void tr2_outside_begin(void)
{
	int error = errno;
	int has_file = begin_file();
	int is_wanted = tr2_provider_is_wanted();

	if (is_wanted)
		tr2_outside_note_provider(tr2_provider_end_spare);
	if (is_wanted || has_file) {
		tr2_trace_watch_forks();
		tr2_host_at_fork(NULL, NULL, in_child);
	}
	if (is_wanted && !has_file)
		tr2_trace_await(begin_late);
	errno = error;
}

/*
 * Before the constructors of the program, which may trace. libtrace2.a is a
 * single object, so every program that uses anything of it has this one.
 */
__attribute__((constructor(101))) static void begin_before_main(void)
{
	tr2_outside_begin();
}
