#include "target/chrome.h"

#include <stdio.h>

#include "trace/agent/agent.h"
#include "trace/agent/categories.h"
#include "trace/tracing/chrome_file.h"
#include "trace/engine.h"
#include "trace/engine/session.h"
#include "trace/outside/outside.h"
#include "host/host.h"
#include "config/settings.h"
#include "destination/private.h"
#include "destination/value.h"
#include "target/fxt.h"
#include "fxt/engine.h"
#include "target/table.h"

#define EXTENSION ".json"

static struct {
	int has_file; /* opened by this process, not its parent */
	int is_guest; /* the file is another's; see trace/outside */
	int too_many_files;
	struct tr2_chrome_file file;
	char pattern[4096]; /* in a directory */
} chrome = { .file = { .fd = -1 } };

static int begin_file(const struct tr2_target_options *options,
		      const struct tr2_destination_options *destination,
		      const char *pattern, int fd)
{
	struct tr2_chrome_file *file = &chrome.file;
	const char *categories = options->settings->categories;

	tr2_fxt_engine_judge(TR2_FXT_AGENT, categories);
	file->client.categories = categories ? categories : tr2_categories_all;
	file->pattern = pattern;
	file->variable = destination->debug ? destination->variable : NULL;
	file->rotation = 0;
	file->apart = 1; /* another copy may have begun the file */
	file->lost = 0;
	chrome.has_file =
		1; /* a fork on another thread may find it half made */
	return !tr2_chrome_file_begin(file, fd);
}

/* SPEC: chrome.directory */
static int open_directory(const struct tr2_target_options *options,
			  struct tr2_destination_options *destination)
{
	char name[256];
	int fd;

	snprintf(name, sizeof(name), "%s" EXTENSION, options->component);
	destination->file_name = name;
	fd = tr2_destination_open_dir(destination, &chrome.too_many_files);
	if (fd < 0)
		return 0; /* and warned */
	snprintf(chrome.pattern, sizeof(chrome.pattern), "%s/%s",
		 destination->value, name);
	chrome.file.nested = 0;
	return begin_file(options, destination, chrome.pattern, fd);
}

static int open_path(const struct tr2_target_options *options,
		     struct tr2_destination_options *destination)
{
	if (tr2_destination_is_directory(destination->value))
		return open_directory(options, destination);
	chrome.file.nested = options->depth > 0;
	return begin_file(options, destination, destination->value, -1);
}

/* May this target use the engine? SPEC: chrome.one-engine */
static int has_engine(const struct tr2_destination_options *destination,
		      const struct tr2_settings *settings)
{
	if (!tr2_fxt_is_on())
		return 1;
	tr2_host_warn("trace2: '%s' has no effect beside '%s'",
		      destination->variable,
		      settings->target[TR2_TARGET_FXT].variable);
	return 0;
}

/*
 * The agent has a file already, or opens it now in a forked child: the target
 * only writes records, and the agent knows the categories.
 * SPEC: tracing.outside.trace2
 */
static int visit_file(void)
{
	chrome.is_guest = tr2_outside_has_file();
	if (!chrome.is_guest)
		return 0;
	tr2_trace_awake();
	tr2_fxt_engine_judge(TR2_FXT_AGENT, "");
	chrome.is_guest = tr2_outside_has_file(); /* the agent may fail */
	return chrome.is_guest;
}

static int open_value(const struct tr2_target_options *options)
{
	struct tr2_destination_options destination =
		tr2_target_destination(options, TR2_TARGET_CHROME);
	const enum tr2_destination_form form =
		tr2_destination_parse(destination.value).form;

	if (form == TR2_FORM_OFF && !tr2_fxt_is_on())
		return visit_file();
	if (form == TR2_FORM_OFF || !tr2_fxt_engine_is_there(&destination) ||
	    !has_engine(&destination, options->settings))
		return 0;
	if (form == TR2_FORM_PATH) {
		tr2_outside_yield();
		return open_path(options, &destination);
	}
	tr2_destination_warn_unknown(destination.variable, destination.value);
	return 0;
}

int tr2_chrome_open(void *own, const struct tr2_target_options *options)
{
	(void)own;
	chrome.too_many_files = 0;
	chrome.is_guest = 0;
	chrome.has_file = open_value(options);
	return chrome.has_file;
}

int tr2_chrome_has_too_many_files(void *own)
{
	(void)own;
	return chrome.too_many_files;
}

uint64_t tr2_chrome_count_dropped(void *own)
{
	(void)own;
	return trace_engine_dropped() +
	       (chrome.is_guest
			? tr2_outside_count_lost()
			: __atomic_load_n(&chrome.file.lost, __ATOMIC_RELAXED));
}

void tr2_chrome_settle(void)
{
	tr2_agent_flush();
}

void tr2_chrome_close(void)
{
	chrome.has_file = 0;
	if (!chrome.is_guest)
		tr2_chrome_file_end(&chrome.file);
}

void tr2_chrome_leave_parent(void *own)
{
	(void)own;
	if (chrome.has_file && !chrome.is_guest)
		tr2_chrome_file_forget(&chrome.file);
	chrome.has_file = 0;
}
