/*
 * The life of the FXT target, and the values of its setting.
 * SPEC: fxt.target.value, fxt.target.manager
 */
#include "target/fxt.h"

#include <errno.h>

#include "trace/engine.h"
#include "trace/outside/outside.h"
#include "trace/provider/provider.h"
#include "host/host.h"
#include "config/settings.h"
#include "descriptor/trace_file.h"
#include "destination/private.h"
#include "destination/value.h"
#include "fxt/engine.h"
#include "fxt/file.h"
#include "target/fxt_guest.h"
#include "target/fxt_place.h"
#include "target/table.h"

static struct {
	int on;
	int too_many_files;
	struct tr2_fxt_file file;
	trace_provider_t *provider; /* in place of a file; NULL: none */
	struct tr2_destination_options destination;
} fxt = { .file = { .fd = -1 } };

/* How long the start of a program waits until tracing runs. */
#define WAIT_MS 500

/* The provider has the process's name, and does not wait for a manager. */
static int open_manager(const char *path)
{
	const struct trace_provider_options options = {
		.socket = path,
		.wait_ms = WAIT_MS,
	};

	fxt.provider = trace_provider_create_with_options(&options);
	return fxt.provider != NULL;
}

/* SPEC: tracing.outside.fxt */
static int has_engine(void)
{
	if (!tr2_outside_has_file())
		return 1;
	tr2_host_warn("trace2: '%s' has no effect beside '%s'",
		      fxt.destination.variable, TR2_OUTSIDE_CATEGORIES);
	return 0;
}

static int begin_trace(const char *categories)
{
	int error;

	if (tr2_fxt_guest_is_needed())
		return tr2_fxt_guest_begin(&fxt.file, categories);
	error = tr2_fxt_engine_begin(&fxt.file);
	if (!error)
		tr2_fxt_guest_offer(&fxt.file, categories);
	return error;
}

static int open_archive(const struct tr2_target_options *options)
{
	/* Otherwise there would be a file to which nobody writes. */
	if (tr2_fxt_engine_is_taken() && !tr2_fxt_guest_is_needed()) {
		errno = EBUSY;
		tr2_destination_warn_open(&fxt.destination, "open",
					  fxt.destination.value);
		return 0;
	}
	if (!tr2_fxt_place_open(&fxt.file, options, &fxt.destination,
				&fxt.too_many_files))
		return 0;
	errno = begin_trace(options->settings->categories);
	if (!errno)
		return 1;
	tr2_destination_warn_open(&fxt.destination, "trace into",
				  fxt.destination.value);
	return 0;
}

static int open_value(const struct tr2_target_options *options)
{
	const char *categories = options->settings->categories;
	const struct tr2_destination_value value =
		tr2_destination_parse(fxt.destination.value);

	switch (value.form) {
	case TR2_FORM_OFF:
		break;
	case TR2_FORM_PATH:
		if (!has_engine())
			break;
		tr2_outside_yield();
		tr2_fxt_engine_judge(TR2_FXT_LIST, categories);
		return open_archive(options);
	case TR2_FORM_SOCKET:
		if (!has_engine())
			break;
		tr2_fxt_engine_judge(TR2_FXT_MANAGER, categories);
		return open_manager(value.socket);
	case TR2_FORM_DESCRIPTOR:
	case TR2_FORM_UNKNOWN:
		tr2_destination_warn_unknown(fxt.destination.variable,
					     fxt.destination.value);
		break;
	}
	return 0;
}

int tr2_fxt_open(void *own, const struct tr2_target_options *options)
{
	(void)own;
	fxt.destination = tr2_target_destination(options, TR2_TARGET_FXT);
	fxt.too_many_files = 0;
	fxt.on = tr2_fxt_engine_is_there(&fxt.destination) &&
		 open_value(options);
	return fxt.on;
}

int tr2_fxt_is_on(void)
{
	return fxt.on;
}

int tr2_fxt_has_too_many_files(void *own)
{
	(void)own;
	return fxt.too_many_files;
}

void tr2_fxt_settle(void)
{
	if (!fxt.provider && !tr2_fxt_guest_settle(&fxt.destination))
		tr2_fxt_engine_settle(&fxt.destination);
}

uint64_t tr2_fxt_count_dropped(void *own)
{
	(void)own;
	return trace_engine_dropped() + tr2_fxt_guest_lost();
}

void tr2_fxt_close(void)
{
	fxt.on = 0;
	if (fxt.provider) {
		trace_provider_destroy(fxt.provider);
		return;
	}
	if (!tr2_fxt_guest_end())
		tr2_fxt_engine_end();
	tr2_trace_file_unlock(&fxt.file.known);
}

/* The engine is off in the child: see <trace/engine.h>. */
void tr2_fxt_leave_parent(void *own)
{
	(void)own;
	tr2_fxt_file_close(&fxt.file);
}

int tr2_fxt_reopen(void *own, const struct tr2_target_options *options)
{
	tr2_fxt_guest_forget();
	tr2_fxt_engine_forget(&fxt.file);
	trace_provider_destroy(fxt.provider);
	fxt.provider = NULL;
	return tr2_fxt_open(own, options);
}
