#include "target/chrome.h"

#include <stdio.h>

#include "trace/agent/categories.h"
#include "trace/agent/chrome_file.h"
#include "destination/private.h"
#include "destination/value.h"
#include "base/host.h"
#include "config/settings.h"
#include "target/fxt.h"
#include "target/fxt_engine.h"

#define VARIABLE "GIT_TRACE2_CHROME"
#define EXTENSION ".json"

static struct {
	int on; /* atomic */
	struct tr2_chrome_file file;
	char pattern[4096]; /* in a directory */
} chrome = { .file = { .fd = -1 } };

static int begin(const struct tr2_settings *settings, const char *pattern,
		 int fd)
{
	struct tr2_chrome_file *file = &chrome.file;
	const char *categories = settings->categories;

	tr2_fxt_engine_judge(TR2_FXT_AGENT, categories);
	file->client.categories = categories ? categories : tr2_categories_all;
	file->pattern = pattern;
	file->variable = settings->destination_debug ? VARIABLE : NULL;
	file->rotation = 0;
	file->lost = 0;
	return !tr2_chrome_file_begin(file, fd);
}

/* SPEC: chrome.directory */
static int open_directory(const struct tr2_settings *settings,
			  const struct tr2_target_place *place,
			  struct tr2_destination_options *options,
			  int *too_many_files)
{
	char name[256];
	int fd;

	snprintf(name, sizeof(name), "%s" EXTENSION, place->component);
	options->file_name = name;
	fd = tr2_destination_open_dir(options, too_many_files);
	if (fd < 0)
		return 0; /* and warned */
	snprintf(chrome.pattern, sizeof(chrome.pattern), "%s/%s",
		 options->value, name);
	chrome.file.nested = 0;
	return begin(settings, chrome.pattern, fd);
}

static int open_value(const struct tr2_settings *settings,
		      const struct tr2_target_place *place, int *too_many_files)
{
	struct tr2_destination_options options = {
		.variable = VARIABLE,
		.value = settings->chrome,
		.debug = settings->destination_debug,
		.max_files = settings->max_files,
	};
	const enum tr2_destination_form form =
		tr2_destination_parse(options.value).form;

	if (form == TR2_FORM_OFF)
		return 0;
	if (form != TR2_FORM_PATH) {
		tr2_destination_warn_unknown(options.variable, options.value);
		return 0;
	}
	if (tr2_destination_is_directory(options.value))
		return open_directory(settings, place, &options,
				      too_many_files);
	chrome.file.nested = place->depth > 0;
	return begin(settings, options.value, -1);
}

int tr2_fxt_chrome_open(const struct tr2_settings *settings,
			const struct tr2_target_place *place,
			int *too_many_files)
{
	int on = open_value(settings, place, too_many_files);

	__atomic_store_n(&chrome.on, on, __ATOMIC_RELEASE);
	return on;
}

int tr2_fxt_chrome_is_on(void)
{
	return __atomic_load_n(&chrome.on, __ATOMIC_ACQUIRE);
}

uint64_t tr2_fxt_chrome_lost(void)
{
	return __atomic_load_n(&chrome.file.lost, __ATOMIC_RELAXED);
}

void tr2_fxt_chrome_close(void)
{
	__atomic_store_n(&chrome.on, 0, __ATOMIC_RELEASE);
	tr2_chrome_file_end(&chrome.file);
}

void tr2_fxt_chrome_fork_child(void)
{
	if (!tr2_fxt_chrome_is_on())
		return;
	tr2_chrome_file_forget(&chrome.file);
	__atomic_store_n(&chrome.on, 0, __ATOMIC_RELEASE);
}
