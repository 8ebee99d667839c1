/*
 * What the FXT target is opened on, and the engine's side of it.
 * SPEC: fxt.target.value, fxt.target.file, fxt.target.directory,
 * fxt.target.manager
 */
#include "target/fxt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "trace/provider/provider.h"
#include "trace/agent/agent.h"
#include "trace/engine.h"
#include "trace/engine/fxt.h"
#include "trace/engine/session.h"
#include "base/trace_file.h"
#include "base/buf.h"
#include "destination/private.h"
#include "target/chrome.h"
#include "target/fxt_file.h"
#include "target/fxt_guard.h"
#include "base/host.h"
#include "base/list.h"
#include "config/settings.h"

#define VARIABLE "GIT_TRACE2_FXT"
#define EXTENSION ".fxt"

static struct {
	int on;		    /* atomic */
	int is_lost;	    /* atomic: somebody has cut the file */
	int too_many_files; /* constant while it is on */
	struct tr2_fxt_file file;
	struct trace_buffer_header header;
	trace_provider_t *provider; /* in place of a file; NULL: none */
	const char *categories;	    /* a comma list, or NULL: all */
	int debug;
	int is_child; /* the settings were read, and warned about, before */
} fxt = { .file = { .fd = -1 } };

/* ---- The engine's handler ---- */

int tr2_fxt_wants_all;

static int lists(const char *category)
{
	return !fxt.categories || tr2_list_has(fxt.categories, category);
}

int tr2_fxt_asks_for(const char *category)
{
	if (fxt.provider || tr2_fxt_chrome_is_on())
		return trace_engine_category_enabled(category) &&
		       (!fxt.provider || lists(category));
	return lists(category);
}

static bool is_category_enabled(struct trace_handler *handler,
				const char *category)
{
	(void)handler;
	return lists(category);
}

/*
 * What was in the file is gone, and what is written from now on goes
 * nowhere. `uncounted` records are lost that no thread is inside of.
 * SPEC: fxt.target.file.cut
 */
static void lose_file(int uncounted)
{
	if (__atomic_exchange_n(&fxt.is_lost, 1, __ATOMIC_ACQ_REL))
		return;
	tr2_fxt_file_give_up(&fxt.file);
	tr2_trace_abandon(uncounted);
}

/* In the handler of a signal, inside a record. */
static void lose_mapping(void)
{
	lose_file(0);
}

/* The record that needs the space is dropped, and counted, by its writer. */
static size_t grow(struct trace_handler *handler, size_t have)
{
	const size_t more = tr2_fxt_file_grow(&fxt.file);

	(void)handler;
	(void)have;
	if (more)
		tr2_fxt_guard_widen(tr2_fxt_file_open_bytes(&fxt.file));
	else
		lose_file(-1);
	return more;
}

static void thread_begins(struct trace_handler *handler)
{
	(void)handler;
	tr2_fxt_guard_thread();
}

/* A thread that is still inside a record may write behind what is used. */
static void trace_stopped(struct trace_handler *handler, int disposition,
			  size_t buffer_bytes_written)
{
	(void)handler;
	(void)buffer_bytes_written;
	if (disposition != ETIMEDOUT &&
	    !__atomic_load_n(&fxt.is_lost, __ATOMIC_ACQUIRE))
		tr2_fxt_file_trim(&fxt.file, fxt.header.rolling_data_end[0]);
}

static const struct trace_handler_ops ops = {
	.is_category_enabled = is_category_enabled,
	.trace_stopped = trace_stopped,
	.grow = grow,
	.thread_begins = thread_begins,
};
static struct trace_handler handler = { &ops };

/* ---- The file ---- */

/*
 * A process below another one, or beside one that writes the file already,
 * has its pid in front of the extension. 0: that is too long a name.
 * SPEC: fxt.target.file.nested
 */
static int name_file(char *path, size_t size, const char *value, pid_t pid)
{
	const char *slash = strrchr(value, '/');
	const char *dot = strrchr(slash, '.');
	const int stem = (int)(dot && dot > slash + 1 ? (size_t)(dot - value)
						      : strlen(value));

	return (size_t)snprintf(path, size, "%.*s-%ld%s", stem, value,
				(long)pid, value + stem) < size;
}

static int open_file(const char *path, int is_made)
{
	return tr2_destination_lift(
		tr2_trace_file_open(path, O_APPEND, is_made));
}

/* 1, or 0 with errno. */
static int begin_file(int fd, const struct tr2_settings *settings)
{
	int error;

	if (fd < 0)
		return 0;
	if (tr2_fxt_file_begin(&fxt.file, fd, tr2_host->getpid(),
			       (uint64_t)settings->fxt_max))
		return 1;
	error = errno;
	tr2_fxt_file_forget(&fxt.file);
	errno = error;
	return 0;
}

static int open_path(const struct tr2_settings *settings,
		     const struct tr2_target_place *place,
		     const struct tr2_destination_options *options)
{
	const char *value = settings->fxt;
	char path[4096];

	/* SPEC: fxt.target.file.link */
	if (!place->depth && begin_file(open_file(value, 0), settings))
		return 1;
	if ((place->depth || errno == EAGAIN) &&
	    name_file(path, sizeof(path), value, tr2_host->getpid()) &&
	    begin_file(open_file(path, 1), settings))
		return 1;
	tr2_destination_warn_open(options, "open", value);
	return 0;
}

static int open_directory(const struct tr2_settings *settings,
			  const struct tr2_target_place *place,
			  struct tr2_destination_options *options)
{
	char name[256];
	int fd;

	snprintf(name, sizeof(name), "%s" EXTENSION, place->component);
	options->file_name = name;
	options->read_back = 1;
	fd = tr2_destination_open_dir(options, &fxt.too_many_files);
	if (fd < 0)
		return 0; /* and warned */
	if (begin_file(fd, settings))
		return 1;
	tr2_destination_warn_open(options, "write", options->value);
	return 0;
}

/* 0, or an error: somebody else has the engine, or there is no memory. */
static int start_engine(void)
{
	int error = trace_engine_initialize_file(&handler, &fxt.header,
						 fxt.file.space,
						 (size_t)fxt.file.have,
						 (size_t)fxt.file.max);

	if (error)
		return error;
	error = trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	if (error)
		trace_engine_terminate();
	return error;
}

static void forget_file(void)
{
	tr2_fxt_guard_end();
	tr2_fxt_file_forget(&fxt.file);
}

static int trace_into_file(const struct tr2_destination_options *options)
{
	int error;

	tr2_fxt_guard_begin(fxt.file.map, tr2_fxt_file_open_bytes(&fxt.file),
			    lose_mapping);
	error = start_engine();
	if (!error)
		return 1;
	forget_file();
	errno = error;
	tr2_destination_warn_open(options, "trace into", options->value);
	return 0;
}

/* ---- The manager ---- */

/* How long a program that begins waits for tracing to. */
#define WAIT_MS 500

/* The provider has the process's name, and waits for no manager. */
static int open_manager(const char *path)
{
	const struct trace_provider_options options = {
		.socket = path,
		.wait_ms = WAIT_MS,
	};

	fxt.provider = trace_provider_create_with_options(&options);
	return fxt.provider != NULL;
}

/* ---- Both ---- */

static int open_value(const struct tr2_settings *settings,
		      const struct tr2_target_place *place)
{
	const size_t socket = strlen(TR2_DESTINATION_SOCKET_PREFIX);
	struct tr2_destination_options options = {
		.variable = VARIABLE,
		.value = settings->fxt,
		.debug = settings->destination_debug,
		.max_files = settings->max_files,
	};
	struct stat st;
	int is_open;

	if (tr2_fxt_means_off(options.value))
		return 0;
	if (!strncmp(options.value, TR2_DESTINATION_SOCKET_PREFIX, socket))
		return open_manager(options.value + socket);
	if (*options.value != '/') {
		tr2_host_warn("trace2: unknown value for '%s': '%s'",
			      options.variable, options.value);
		return 0;
	}
	/* Before there is a file that nobody would write. */
	if (tr2_trace_handler()) {
		errno = EBUSY;
		tr2_destination_warn_open(&options, "open", options.value);
		return 0;
	}
	if (!stat(options.value, &st) && S_ISDIR(st.st_mode))
		is_open = open_directory(settings, place, &options);
	else
		is_open = open_path(settings, place, &options);
	return is_open && trace_into_file(&options);
}

/* There is one engine in a process. SPEC: chrome.one-engine */
static int open_chrome(const struct tr2_settings *settings,
		       const struct tr2_target_place *place, int has_fxt)
{
	if (!has_fxt)
		return tr2_fxt_chrome_open(settings, place,
					   &fxt.too_many_files);
	if (!fxt.is_child && !tr2_fxt_means_off(settings->chrome))
		tr2_host_warn("trace2: 'GIT_TRACE2_CHROME' has no effect "
			      "beside '" VARIABLE "'");
	return 1;
}

/* A machine on which the engine does not start: see trace/engine/fxt.h. */
static void refuse(const char *variable, const char *value, int debug)
{
	const struct tr2_destination_options options = {
		.variable = variable,
		.debug = debug,
	};

	if (!value || !strcmp(value, "0") || !strcasecmp(value, "false"))
		return;
	errno = ENOTSUP;
	tr2_destination_warn_open(&options, "open", value);
}

int tr2_fxt_open(const struct tr2_settings *settings,
		 const struct tr2_target_place *place)
{
	int error = errno, on;

	if (!FXT_IS_SUPPORTED) {
		refuse(VARIABLE, settings->fxt, settings->destination_debug);
		refuse("GIT_TRACE2_CHROME", settings->chrome,
		       settings->destination_debug);
		errno = error;
		return 0;
	}
	fxt.categories = settings->categories;
	fxt.debug = settings->destination_debug;
	on = settings->fxt && open_value(settings, place);
	if (settings->chrome)
		on = open_chrome(settings, place, on);
	tr2_fxt_wants_all = !fxt.categories && !fxt.provider;
	__atomic_store_n(&fxt.on, on, __ATOMIC_RELEASE);
	errno = error;
	return on;
}

int tr2_fxt_is_on(void)
{
	return __atomic_load_n(&fxt.on, __ATOMIC_ACQUIRE);
}

int tr2_fxt_too_many_files(void)
{
	return fxt.too_many_files;
}

/* What did not fit need not have been needed. */
static void warn_of_file(void)
{
	if (!fxt.debug || !trace_engine_dropped())
		return;
	if (__atomic_load_n(&fxt.is_lost, __ATOMIC_ACQUIRE)) {
		tr2_host_warn("unable to write trace to '" VARIABLE "': "
			      "somebody has cut, replaced or removed the file");
		return;
	}
	errno = __atomic_exchange_n(&fxt.file.error, 0, __ATOMIC_RELAXED);
	if (errno)
		tr2_destination_warn_write(VARIABLE);
}

/* What nobody wrote to since may have been cut, too. */
static void settle_file(void)
{
	if (tr2_fxt_file_state(&fxt.file) == TR2_FXT_GONE)
		lose_file(1);
	warn_of_file();
}

void tr2_fxt_settle(void)
{
	int error = errno;

	if (tr2_fxt_chrome_is_on())
		tr2_agent_flush();
	else if (tr2_fxt_is_on() && !fxt.provider)
		settle_file();
	errno = error;
}

uint64_t tr2_fxt_dropped(void)
{
	if (!tr2_fxt_is_on())
		return 0;
	return trace_engine_dropped() + tr2_fxt_chrome_lost();
}

/* SPEC: chrome.signal */
void tr2_fxt_hurry(void)
{
	if (tr2_fxt_chrome_is_on())
		tr2_agent_hurry();
}

void tr2_fxt_close(void)
{
	if (!tr2_fxt_is_on())
		return;
	__atomic_store_n(&fxt.on, 0, __ATOMIC_RELEASE);
	if (tr2_fxt_chrome_is_on()) {
		tr2_fxt_chrome_close();
		return;
	}
	if (fxt.provider) {
		trace_provider_destroy(fxt.provider);
		return;
	}
	trace_engine_stop(0);
	trace_engine_terminate();
}

/* The engine is off there already: see <trace/engine.h>. */
void tr2_fxt_fork_child(void)
{
	int error = errno;

	tr2_fxt_file_close(&fxt.file);
	tr2_fxt_chrome_fork_child();
	errno = error;
}

int tr2_fxt_reopen(const struct tr2_settings *settings,
		   const struct tr2_target_place *place)
{
	int on;

	if (!tr2_fxt_is_on())
		return 0;
	forget_file();
	fxt.is_lost = 0;
	trace_provider_destroy(fxt.provider);
	fxt.provider = NULL;
	fxt.too_many_files = 0;
	fxt.is_child = 1;
	on = tr2_fxt_open(settings, place);
	fxt.is_child = 0;
	return on;
}
