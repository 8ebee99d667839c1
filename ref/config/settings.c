#include "config/settings.h"

#include <stddef.h>
#include <string.h>

#include "gitconfig/gitconfig.h"
#include "host/host.h"
#include "host/memory.h"
#include "gitconfig/value.h"

struct setting;

/* Store a text, which is never NULL, in the member. */
typedef void apply_fn(struct tr2_settings *settings, const struct setting *row,
		      const char *text);

struct setting {
	const char *variable;
	const char *key; /* canonical; NULL: not in config files */
	apply_fn *apply;
	int initial;	  /* default of a number; texts have NULL */
	int empty_counts; /* an empty variable is a value */
	size_t offset;	  /* in struct tr2_settings */
};

static int *number_at(struct tr2_settings *settings, const struct setting *row)
{
	return (int *)((char *)settings + row->offset);
}

static char **text_at(struct tr2_settings *settings, const struct setting *row)
{
	return (char **)((char *)settings + row->offset);
}

static void apply_text(struct tr2_settings *settings, const struct setting *row,
		       const char *text)
{
	if (*text)
		*text_at(settings, row) = tr2_memory_copy(text);
}

/* SPEC: settings.boolean.invalid, settings.redact */
static void apply_bool(struct tr2_settings *settings, const struct setting *row,
		       const char *text)
{
	int value = tr2_settings_bool(text);

	if (value >= 0)
		*number_at(settings, row) = value;
}

/*
 * A boolean, as the manual says. As in git, an integer above 0 followed by
 * any text counts as true, too.
 * SPEC: settings.destination-debug
 */
static void apply_debug(struct tr2_settings *settings,
			const struct setting *row, const char *text)
{
	*number_at(settings, row) = tr2_settings_bool(text) > 0 ||
				    tr2_settings_number(text) > 0;
}

/* SPEC: settings.max-files */
static void apply_limit(struct tr2_settings *settings,
			const struct setting *row, const char *text)
{
	int number = tr2_settings_number(text);

	if (number > 0)
		*number_at(settings, row) = number;
}

/* SPEC: fxt.target.max */
static void apply_size(struct tr2_settings *settings, const struct setting *row,
		       const char *text)
{
	int size = tr2_settings_size(text);

	if (size > 0)
		*number_at(settings, row) = size;
}

/* SPEC: settings.event-nesting.invalid, settings.event-nesting.diagnosed */
static void apply_nesting(struct tr2_settings *settings,
			  const struct setting *row, const char *text)
{
	int number = tr2_settings_number(text);

	if (number >= 1)
		*number_at(settings, row) = number;
	else if (settings->destination_debug)
		tr2_host_warn("trace2: value '%s' for '%s' is not above 0, "
			      "using %d",
			      text, row->variable, row->initial);
}

#define OFFSET(member) offsetof(struct tr2_settings, member)
#define DESTINATION(id) OFFSET(target[TR2_TARGET_##id].destination)
#define BRIEF(id) OFFSET(target[TR2_TARGET_##id].brief)

/*
 * Applied from top to bottom. The rows of targets come first, in the order of
 * their ids; rows without a key come last.
 */
static const struct setting settings_table[] = {
	{ "GIT_TRACE2", "trace2.normaltarget", apply_text, 0, 0,
	  DESTINATION(NORMAL) },
	{ "GIT_TRACE2_PERF", "trace2.perftarget", apply_text, 0, 0,
	  DESTINATION(PERF) },
	{ "GIT_TRACE2_EVENT", "trace2.eventtarget", apply_text, 0, 0,
	  DESTINATION(EVENT) },
	{ "GIT_TRACE2_FXT", "trace2.fxttarget", apply_text, 0, 0,
	  DESTINATION(FXT) },
	{ "GIT_TRACE2_CHROME", "trace2.chrometarget", apply_text, 0, 0,
	  DESTINATION(CHROME) },
	{ "GIT_TRACE2_BRIEF", "trace2.normalbrief", apply_bool, 0, 0,
	  BRIEF(NORMAL) },
	{ "GIT_TRACE2_PERF_BRIEF", "trace2.perfbrief", apply_bool, 0, 0,
	  BRIEF(PERF) },
	{ "GIT_TRACE2_EVENT_BRIEF", "trace2.eventbrief", apply_bool, 0, 0,
	  BRIEF(EVENT) },
	{ "GIT_TRACE2_DST_DEBUG", "trace2.destinationdebug", apply_debug, 0, 0,
	  OFFSET(destination_debug) },
	{ "GIT_TRACE2_EVENT_NESTING", "trace2.eventnesting", apply_nesting, 2,
	  0, OFFSET(event_nesting) },
	{ "GIT_TRACE2_CONFIG_PARAMS", "trace2.configparams", apply_text, 0, 0,
	  OFFSET(config_params) },
	{ "GIT_TRACE2_ENV_VARS", "trace2.envvars", apply_text, 0, 0,
	  OFFSET(env_vars) },
	{ "GIT_TRACE2_MAX_FILES", "trace2.maxfiles", apply_limit, 0, 0,
	  OFFSET(max_files) },
	{ "GIT_TRACE2_FXT_MAX", "trace2.fxtmax", apply_size, 1 << 30, 0,
	  OFFSET(fxt_max) },
	{ "GIT_TRACE2_CATEGORIES", "trace2.categories", apply_text, 0, 0,
	  OFFSET(categories) },
	{ "GIT_TRACE2_SIGNALS", "trace2.signals", apply_bool, -1, 0,
	  OFFSET(signals) },
	{ "GIT_TRACE2_REDACT", NULL, apply_bool, 1, 1, OFFSET(redact) },
	{ "GIT_TRACE2_PARENT_SID", NULL, apply_text, 0, 0, OFFSET(parent_sid) },
	{ "GIT_TRACE2_PARENT_NAME", NULL, apply_text, 0, 0,
	  OFFSET(parent_name) },
	{ NULL, NULL, NULL, 0, 0, 0 },
};

enum { SETTING_COUNT = sizeof(settings_table) / sizeof(*settings_table) };

/*
 * The values from the config files, by row; each is owned, or NULL if the
 * files do not set it.
 */
struct configured {
	char *text[SETTING_COUNT];
};

static const struct setting *find_key(const char *key)
{
	for (const struct setting *row = settings_table; row->key; row++)
		if (!strcmp(key, row->key))
			return row;
	return NULL;
}

/* SPEC: settings.last-wins, settings.subsection */
static void take_entry(const struct tr2_config_entry *entry, void *data)
{
	struct configured *configured = data;
	const struct setting *row;
	char *copy;
	size_t i;

	row = find_key(entry->key);
	if (!row)
		return;
	if (!entry->value) {
		/* SPEC: settings.valueless */
		tr2_host_warn("trace2: missing value for '%s' in file %s at "
			      "line %d",
			      entry->key, entry->path, entry->line);
		return;
	}
	i = (size_t)(row - settings_table);
	copy = tr2_memory_copy(entry->value);
	if (!copy)
		return;
	tr2_host->free(configured->text[i]);
	configured->text[i] = copy;
}

/*
 * Returns the variable's text, or NULL if it counts as unset.
 * SPEC: settings.empty-env
 */
static const char *environment_text(const struct setting *row)
{
	const char *text = tr2_host->getenv(row->variable);

	return text && (*text || row->empty_counts) ? text : NULL;
}

/*
 * Is there a setting that the environment does not decide, so that the files
 * have to be read?
 */
static int config_matters(void)
{
	const struct setting *row = settings_table;

	while (row->key && environment_text(row))
		row++;
	return row->key != NULL;
}

static void set_defaults(struct tr2_settings *settings)
{
	for (const struct setting *row = settings_table; row->variable; row++)
		if (row->apply == apply_text)
			*text_at(settings, row) = NULL;
		else
			*number_at(settings, row) = row->initial;
	for (size_t i = 0; i < TR2_TARGET_COUNT; i++)
		settings->target[i].variable = settings_table[i].variable;
}

void tr2_settings_read(struct tr2_settings *settings)
{
	struct configured configured = { { NULL } };
	char **from_file = configured.text;
	const struct setting *row;
	const char *text;

	set_defaults(settings);
	if (config_matters())
		tr2_gitconfig_read_early(take_entry, &configured);
	/* SPEC: settings.precedence, settings.replace-invalid */
	for (row = settings_table; row->variable; row++, from_file++) {
		text = environment_text(row);
		if (!text)
			text = *from_file;
		if (text)
			row->apply(settings, row, text);
		tr2_host->free(*from_file);
	}
}

void tr2_settings_release(struct tr2_settings *settings)
{
	for (const struct setting *row = settings_table; row->variable; row++)
		if (row->apply == apply_text)
			tr2_host->free(*text_at(settings, row));
	set_defaults(settings);
}

void tr2_settings_each(const struct tr2_settings *settings,
		       tr2_setting_fn *tell)
{
	const char *bytes = (const char *)settings;

	for (const struct setting *row = settings_table; row->variable; row++)
		if (row->apply == apply_text)
			tell(row->variable,
			     *(char *const *)(bytes + row->offset), NULL);
		else
			tell(row->variable, NULL,
			     (const int *)(bytes + row->offset));
}

int tr2_settings_names(unsigned number, const char **variable, const char **key)
{
	if (number + 1 >= SETTING_COUNT)
		return 0;
	*variable = settings_table[number].variable;
	*key = settings_table[number].key;
	return 1;
}
