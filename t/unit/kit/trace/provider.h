/*
 * provider.h - a trace manager on a thread of its own, at a socket in
 * a scratch directory, for programs that use the libraries as they are.
 */
#ifndef UNIT_KIT_TRACE_PROVIDER_H
#define UNIT_KIT_TRACE_PROVIDER_H

#include <pthread.h>
#include <sys/eventfd.h>

#include "kit/trace/manager.h"
#include "trace/controller/controller.h"
#include "trace/provider/provider.h"

#ifdef __SANITIZE_THREAD__
/* Children here start threads, which it does not follow, and need not. */
const char *__tsan_default_options(void);

const char *__tsan_default_options(void)
{
	return "die_after_fork=0";
}
#endif

static struct {
	char place[64];
	char socket[80];
	struct tr2_manager *manager;
	pthread_t thread;
	int stop;
	size_t size; /* of a provider's buffer */
	struct trace_controller *controller;
	struct kit got; /* its bytes and results are used */
	char listed[256];
} desk = { .size = 1 << 20 };

static inline void *desk_run(void *unused)
{
	(void)unused;
	tr2_manager_run(desk.manager, desk.stop);
	return NULL;
}

static inline void desk_open_manager(void)
{
	static const struct tr2_manager_options options = { 0 };

	desk.stop = eventfd(0, EFD_CLOEXEC);
	desk.manager = tr2_manager_new(&options);
	tap_need(!tr2_manager_listen(desk.manager, desk.socket) &&
		 !pthread_create(&desk.thread, NULL, desk_run, NULL));
}

static inline void desk_close_manager(void)
{
	eventfd_write(desk.stop, 1);
	pthread_join(desk.thread, NULL);
	tr2_manager_free(desk.manager);
	close(desk.stop);
}

static inline void desk_open(void)
{
	const char *scratch = getenv("TMPDIR");

	snprintf(desk.place, sizeof(desk.place), "%.40s/desk-XXXXXX",
		 scratch ? scratch : "/tmp");
	tap_need(mkdtemp(desk.place));
	snprintf(desk.socket, sizeof(desk.socket), "%s/manager", desk.place);
	desk.got.bytes = malloc(KIT_ARCHIVE_MAX);
	desk_open_manager();
}

static inline void desk_close(void)
{
	desk_close_manager();
	rmdir(desk.place);
	free(desk.got.bytes);
}

static inline int desk_archive(void *unused, const void *bytes, size_t len)
{
	(void)unused;
	if (len > KIT_ARCHIVE_MAX - desk.got.len)
		return -1;
	memcpy(desk.got.bytes + desk.got.len, bytes, len);
	desk.got.len += len;
	return 0;
}

static inline void desk_result(void *unused,
			       const struct trace_provider_result *result)
{
	struct kit_result *into = &desk.got.results[desk.got.count++ & 15];

	(void)unused;
	into->id = result->id;
	into->dropped = result->dropped;
	into->counts.pid = result->pid;
	into->counts.events = result->events;
	into->counts.bytes = result->bytes;
	snprintf(into->name, sizeof(into->name), "%s", result->name);
	snprintf(into->wrong, sizeof(into->wrong), "%s", result->wrong);
}

/* Connect and start to trace. 0 if all went well. */
static inline int desk_begin(enum trace_buffering_mode mode,
			     const char *category)
{
	const struct trace_config config = {
		.mode = mode,
		.buffer_size = desk.size,
		.categories = &category,
		.category_count = category != NULL,
		.archive = desk_archive,
		.result = desk_result,
	};
	int error;

	desk.got.len = 0;
	desk.got.count = 0;
	desk.controller = trace_controller_connect(desk.socket);
	error = trace_controller_initialize(desk.controller, &config);
	if (!error)
		error = trace_controller_start(desk.controller,
					       TRACE_START_CLEAR_ENTIRE_BUFFER);
	return error;
}

static inline int desk_end(void)
{
	int error = trace_controller_terminate(desk.controller);

	trace_controller_close(desk.controller);
	return error;
}

static inline struct trace_provider *desk_provider(const char *name)
{
	const struct trace_provider_options options = {
		.name = name,
		.socket = desk.socket,
		.wait_ms = 10000,
	};

	return trace_provider_create_with_options(&options);
}

static inline void desk_list(void *unused,
			     const struct trace_provider_info *info)
{
	(void)unused;
	strcat(strcat(desk.listed, *desk.listed ? " " : ""), info->name);
}

static inline void desk_list_category(void *unused,
				      const struct trace_category_info *info)
{
	(void)unused;
	strcat(strcat(desk.listed, *desk.listed ? " " : ""), info->name);
	strcat(strcat(desk.listed, "="), info->description);
}

/* The names of what is registered, or of known categories. */
static inline const char *desk_listing(bool categories)
{
	struct trace_controller *controller =
		trace_controller_connect(desk.socket);

	desk.listed[0] = '\0';
	if (categories)
		trace_controller_get_known_categories(controller,
						      desk_list_category, NULL);
	else
		trace_controller_get_providers(controller, desk_list, NULL);
	trace_controller_close(controller);
	return desk.listed;
}

#endif
