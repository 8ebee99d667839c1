/*
 * The life of the FXT target, and what its setting means.
 * SPEC: fxt.target.value, fxt.target.manager
 */
#include "target/fxt.h"

#include <errno.h>

#include "trace/provider/provider.h"
#include "trace/agent/agent.h"
#include "trace/engine.h"
#include "trace/engine/fxt.h"
#include "destination/private.h"
#include "destination/value.h"
#include "target/chrome.h"
#include "target/fxt_engine.h"
#include "target/fxt_file.h"
#include "target/fxt_place.h"
#include "base/host.h"
#include "config/settings.h"

#define VARIABLE "GIT_TRACE2_FXT"

static struct {
	int on;		    /* atomic */
	int too_many_files; /* constant while it is on */
	struct tr2_fxt_file file;
	trace_provider_t *provider; /* in place of a file; NULL: none */
	int debug;
} fxt = { .file = { .fd = -1 } };

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

static int open_archive(const struct tr2_settings *settings,
			const struct tr2_target_place *place,
			struct tr2_destination_options *options)
{
	/* Before there is a file that nobody would write. */
	if (tr2_fxt_engine_is_taken()) {
		errno = EBUSY;
		tr2_destination_warn_open(options, "open", options->value);
		return 0;
	}
	if (!tr2_fxt_place_open(&fxt.file, settings, place, options,
				&fxt.too_many_files))
		return 0;
	tr2_fxt_engine_judge(TR2_FXT_LIST, settings->categories);
	errno = tr2_fxt_engine_begin(&fxt.file);
	if (!errno)
		return 1;
	tr2_destination_warn_open(options, "trace into", options->value);
	return 0;
}

static int open_value(const struct tr2_settings *settings,
		      const struct tr2_target_place *place)
{
	const struct tr2_destination_value value =
		tr2_destination_parse(settings->fxt);
	struct tr2_destination_options options = {
		.variable = VARIABLE,
		.value = settings->fxt,
		.debug = settings->destination_debug,
		.max_files = settings->max_files,
	};

	switch (value.form) {
	case TR2_FORM_OFF:
		break;
	case TR2_FORM_PATH:
		return open_archive(settings, place, &options);
	case TR2_FORM_SOCKET:
		tr2_fxt_engine_judge(TR2_FXT_MANAGER, settings->categories);
		return open_manager(value.socket);
	case TR2_FORM_DESCRIPTOR:
	case TR2_FORM_UNKNOWN:
		tr2_destination_warn_unknown(VARIABLE, settings->fxt);
		break;
	}
	return 0;
}

/* There is one engine in a process. SPEC: chrome.one-engine */
static int open_chrome(const struct tr2_settings *settings,
		       const struct tr2_target_place *place, int has_fxt)
{
	if (!has_fxt)
		return tr2_fxt_chrome_open(settings, place,
					   &fxt.too_many_files);
	if (tr2_destination_parse(settings->chrome).form != TR2_FORM_OFF)
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

	if (tr2_destination_parse(value).form == TR2_FORM_OFF)
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
	fxt.debug = settings->destination_debug;
	on = open_value(settings, place);
	if (settings->chrome)
		on = open_chrome(settings, place, on);
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

void tr2_fxt_settle(void)
{
	int error = errno;

	if (tr2_fxt_chrome_is_on())
		tr2_agent_flush();
	else if (tr2_fxt_is_on() && !fxt.provider)
		tr2_fxt_engine_settle(VARIABLE, fxt.debug);
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
	tr2_fxt_engine_end();
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
	if (!tr2_fxt_is_on())
		return 0;
	tr2_fxt_engine_forget(&fxt.file);
	trace_provider_destroy(fxt.provider);
	fxt.provider = NULL;
	fxt.too_many_files = 0;
	return tr2_fxt_open(settings, place);
}
