/*
 * settings.h - the settings of the person who runs the program.
 *
 * One table holds every setting: its environment variable, its config key,
 * its kind and its default. trace2_initialize() reads them once; the struct
 * owns the values, which are constant from then on.
 * SPEC: chapter settings.*
 *
 * A variable that is set and not empty overrides the config, even if its
 * value is invalid. Otherwise the last assignment in the system and global
 * files counts, even an empty one. After an invalid value the setting has its
 * default. A key without a value causes a warning and is ignored.
 * SPEC: settings.precedence, settings.valueless
 */
#ifndef TR2_CONFIG_SETTINGS_H
#define TR2_CONFIG_SETTINGS_H

/* The targets, in the order in which they are opened and get each event. */
enum tr2_target_id {
	TR2_TARGET_NORMAL,
	TR2_TARGET_PERF,
	TR2_TARGET_EVENT,
	TR2_TARGET_FXT,
	TR2_TARGET_CHROME,
	TR2_TARGET_COUNT
};

struct tr2_target_settings {
	const char *variable; /* "GIT_TRACE2_EVENT"; warnings name it */
	char *destination;    /* the setting's text; NULL: off */
	int brief;	      /* 0 or 1; only of text targets */
};

struct tr2_settings {
	struct tr2_target_settings target[TR2_TARGET_COUNT];
	int event_nesting;     /* >= 1; default 2 */
	char *config_params;   /* comma list of globs, or NULL */
	char *env_vars;	       /* comma list of names, or NULL */
	int destination_debug; /* 0 or 1 */
	int max_files;	       /* 0: no limit */
	int signals;	       /* 0 or 1; -1: not set */
	int redact;	       /* 0 or 1; default 1 */
	char *categories;      /* comma list, or NULL: all categories */
	int fxt_max;	       /* largest archive in bytes; default 1 GiB */
	char *parent_sid;      /* or NULL */
	char *parent_name;     /* or NULL */
};

/*
 * Set every member. Reads the config files unless the environment decides
 * every setting that they can hold. If memory fails, a setting keeps its
 * default. Under destination debug, warns about a nesting that is not above
 * 0.
 */
void tr2_settings_read(struct tr2_settings *settings);

/*
 * Call `tell` for each setting, in the order of the table, with its variable
 * and its value: a text, which may be NULL, where `number` is NULL.
 */
typedef void tr2_setting_fn(const char *variable, const char *text,
			    const int *number);
void tr2_settings_each(const struct tr2_settings *settings,
		       tr2_setting_fn *tell);

/*
 * The names of a setting by its number, from 0; the first ones are those of
 * the targets, in their order. 0: there is no such setting. The key is NULL
 * if config files can't hold it.
 */
int tr2_settings_names(unsigned number, const char **variable,
		       const char **key);

/* Free what tr2_settings_read() allocated (only tests do this). */
void tr2_settings_release(struct tr2_settings *settings);

#endif
