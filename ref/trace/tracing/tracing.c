#include "trace/tracing.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "trace/agent/agent.h"
#include "trace/agent/categories.h"
#include "trace/tracing/chrome_file.h"
#include "trace/agent/hurry.h"
#include "host/gate.h"
#include "host/host.h"
#include "host/memory.h"
#include "host/system.h"

#define DEFAULT_PATTERN "trace.${rotation}.json"

/* If more objects are enabled, the program has probably forgotten some. */
#define MANY 10

struct trace_tracing {
	struct trace_tracing *next;
	bool enabled;
	char categories[];
};

static void forget_parent(void);

/* Protects the members below. */
static struct tr2_gate_lock lock = TR2_GATE_LOCK_INIT(forget_parent);

static struct {
	struct trace_tracing *objects;
	struct tr2_chrome_file file;
	bool has_file; /* the file is a client of the agent */
	pid_t opener;  /* the process that opened the first file */
	bool warn;
	char *pattern; /* NULL: the default */
} state = { .file = { .fd = -1 } };

/*
 * Objects
 */

static struct trace_tracing *make_tracing(const char *const *categories,
					  size_t count)
{
	struct trace_tracing *tracing;

	tracing = tr2_host->realloc(
		NULL,
		sizeof(*tracing) + tr2_categories_measure(categories, count));
	if (!tracing)
		return NULL;
	tracing->enabled = false;
	tr2_categories_join(categories, count, tracing->categories);
	return tracing;
}

struct trace_tracing *trace_tracing_create(const char *const *categories,
					   size_t count)
{
	struct trace_tracing *tracing;
	int cancel;

	if (!count || !tr2_categories_are_names(categories, count)) {
		errno = EINVAL;
		return NULL;
	}
	tracing = make_tracing(categories, count);
	if (!tracing) {
		errno = ENOMEM;
		return NULL;
	}
	if (!tr2_gate_enter(TR2_GATE_TRACING, &lock, &cancel)) {
		tr2_host->free(tracing);
		errno = EBUSY;
		return NULL;
	}
	tracing->next = state.objects;
	state.objects = tracing;
	tr2_gate_leave(TR2_GATE_TRACING, &lock, cancel);
	return tracing;
}

const char *trace_tracing_categories(const struct trace_tracing *tracing)
{
	return tracing->categories;
}

bool trace_tracing_is_enabled(const struct trace_tracing *tracing)
{
	return __atomic_load_n(&tracing->enabled, __ATOMIC_ACQUIRE);
}

const char *trace_tracing_enabled_categories(void)
{
	const char *all = tr2_agent_categories();

	return all && *all ? all : NULL;
}

/*
 * Forks and exits
 */

static void forget_parent(void)
{
	struct trace_tracing *tracing;

	for (tracing = state.objects; tracing; tracing = tracing->next)
		tracing->enabled = false;
	tr2_chrome_file_forget(&state.file);
	state.file.rotation = 0;
	state.has_file = false;
}

static void in_child(void)
{
	tr2_gate_adopt(TR2_GATE_TRACING, &lock);
}

static void end_file(void)
{
	if (state.has_file)
		tr2_chrome_file_end(&state.file);
	state.has_file = false;
}

/* Who exits in a handler that interrupted a flush ends the file, too. */
static void at_exit(int code)
{
	int cancel;

	(void)code;
	if (tr2_gate_enter(TR2_GATE_TRACING, &lock, &cancel)) {
		end_file();
		tr2_gate_leave(TR2_GATE_TRACING, &lock, cancel);
	} else if (!(tr2_gates & TR2_GATE_TRACING) &&
		   tr2_gate_lock_now(&lock)) {
		end_file();
		pthread_mutex_unlock(&lock.mutex);
	}
}

static void watch_process(void)
{
	tr2_host_at_fork(NULL, NULL, in_child);
	tr2_host->at_exit(at_exit);
}

/*
 * The file
 */

/*
 * Returns the union of all enabled objects' categories, or NULL if memory
 * fails.
 */
static const char *unite_categories(void)
{
	const char **lists;
	const char *all = NULL;
	struct trace_tracing *tracing;
	size_t count = 0;

	for (tracing = state.objects; tracing; tracing = tracing->next)
		count++;
	lists = tr2_host->realloc(NULL, count * sizeof(*lists));
	if (!lists)
		return NULL;
	count = 0;
	for (tracing = state.objects; tracing; tracing = tracing->next)
		if (tracing->enabled)
			lists[count++] = tracing->categories;
	all = tr2_categories_union(lists, count);
	tr2_host->free(lists);
	return all;
}

/* SPEC: chrome.nested */
static int open_file(const char *categories, const void *caller)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct tr2_chrome_file *file = &state.file;
	int error;

	pthread_once(&once, watch_process);
	if (!state.opener)
		state.opener = tr2_host->getpid();
	file->client.categories = categories;
	file->client.caller = caller;
	file->pattern = state.pattern ? state.pattern : DEFAULT_PATTERN;
	file->variable = state.warn ? "trace_tracing_enable" : NULL;
	file->nested = state.opener != tr2_host->getpid();
	error = tr2_chrome_file_begin(file, -1);
	state.has_file = !error;
	return error;
}

/* Update the file's categories. */
static int update_file(const void *caller)
{
	const char *categories = unite_categories();

	if (!categories)
		return ENOMEM;
	if (state.has_file)
		return tr2_agent_change(&state.file.client, categories);
	return open_file(categories, caller);
}

/* SPEC: tracing.many */
static void warn_of_many(void)
{
	struct trace_tracing *tracing;
	int enabled = 0;

	for (tracing = state.objects; tracing; tracing = tracing->next)
		enabled += tracing->enabled;
	if (state.warn && enabled > MANY)
		tr2_host_warn("trace2: %d tracing objects are enabled: some "
			      "may have been forgotten",
			      enabled);
}

static void set_flag(struct trace_tracing *tracing, bool enabled)
{
	__atomic_store_n(&tracing->enabled, enabled, __ATOMIC_RELEASE);
}

static int set_enabled(struct trace_tracing *tracing, bool enabled,
		       const void *caller)
{
	int saved = errno, error = 0, cancel;

	if (!tr2_gate_enter(TR2_GATE_TRACING, &lock, &cancel))
		return EBUSY;

	if (tracing->enabled != enabled) {
		set_flag(tracing, enabled);
		error = update_file(caller);
		if (error)
			set_flag(tracing, !enabled);
		else if (enabled)
			warn_of_many();
	}
	errno = saved;
	tr2_gate_leave(TR2_GATE_TRACING, &lock, cancel);
	return error;
}

int trace_tracing_enable(struct trace_tracing *tracing)
{
	return set_enabled(tracing, true, __builtin_return_address(0));
}

int trace_tracing_disable(struct trace_tracing *tracing)
{
	return set_enabled(tracing, false, NULL);
}

void trace_tracing_destroy(struct trace_tracing *tracing)
{
	struct trace_tracing **at = &state.objects;
	int saved = errno, cancel;

	if (!tracing)
		return;
	set_enabled(tracing, false, NULL);
	if (!tr2_gate_enter(TR2_GATE_TRACING, &lock, &cancel))
		return;
	while (*at != tracing)
		at = &(*at)->next;
	*at = tracing->next;
	tr2_host->free(tracing);
	if (!state.objects)
		end_file();
	tr2_gate_leave(TR2_GATE_TRACING, &lock, cancel);
	errno = saved;
}

int trace_tracing_configure(const struct trace_tracing_options *options)
{
	const char *from = options->pattern;
	char *pattern = NULL;
	int error = 0, cancel;

	if (from) {
		pattern = tr2_memory_copy(from);
		if (!pattern)
			return ENOMEM;
	}
	if (!tr2_gate_enter(TR2_GATE_TRACING, &lock, &cancel)) {
		tr2_host->free(pattern);
		return EBUSY;
	}
	if (state.has_file) {
		error = EBUSY;
		tr2_host->free(pattern);
	} else {
		tr2_host->free(state.pattern);
		state.pattern = pattern;
		state.file.events = options->events;
		state.file.rotation = 0;
		state.warn = options->warn;
	}
	tr2_gate_leave(TR2_GATE_TRACING, &lock, cancel);
	return error;
}

void trace_tracing_observe(struct trace_observer *observer)
{
	tr2_agent_observe(observer);
}

void trace_tracing_unobserve(struct trace_observer *observer)
{
	tr2_agent_unobserve(observer);
}

void trace_tracing_flush(bool blocking)
{
	int error = errno;

	if (blocking)
		tr2_agent_flush();
	else
		tr2_hurry_call();
	errno = error;
}
