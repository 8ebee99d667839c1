/*
 * settings.h - what the person who runs the program asked for.
 *
 * One table holds every setting: its environment variable, its config
 * key, its kind and its default. Read once, by trace2_initialize(); the
 * values are owned by the struct and constant from then on.
 * SPEC: chapter settings.*
 *
 * A variable that is set and not empty replaces whatever the config says,
 * even with a value that makes no sense; else the last assignment in the
 * system and global files counts, even an empty one. A value that makes no
 * sense leaves the setting at its default. A key without a value is warned
 * about and ignored. SPEC: settings.precedence, settings.valueless
 */
#ifndef TR2_CONFIG_SETTINGS_H
#define TR2_CONFIG_SETTINGS_H

/* Targets in the order in which they are opened and get each event. */
enum tr2_target_id {
	TR2_TARGET_NORMAL,
	TR2_TARGET_PERF,
	TR2_TARGET_EVENT,
	TR2_TARGET_FXT,
	TR2_TARGET_CHROME,
	TR2_TARGET_COUNT
};

struct tr2_target_settings {
	const char *variable; /* "GIT_TRACE2_EVENT": named in warnings */
	char *destination;    /* as given; NULL: off */
	int brief;	      /* 0 or 1; of text targets alone */
};

struct tr2_settings {
	struct tr2_target_settings target[TR2_TARGET_COUNT];
	int event_nesting;     /* >= 1; default 2 */
	char *config_params;   /* comma list of globs, or NULL */
	char *env_vars;	       /* comma list of names, or NULL */
	int destination_debug; /* 0 or 1 */
	int max_files;	       /* 0: no limit */
	int signals;	       /* 0 or 1; -1: nobody said */
	int redact;	       /* 0 or 1; default 1 */
	char *categories;      /* comma list of what is wanted, or NULL: all */
	int fxt_max;	       /* bytes of an archive; default 1 GiB */
	char *parent_sid;      /* or NULL */
	char *parent_name;     /* or NULL */
};

/*
 * Fill in every member. The config files are read unless every setting
 * that they can hold is in the environment. Where memory fails a setting
 * keeps its default. Under destination debug a nesting that is not above 0
 * is warned about.
 */
void tr2_settings_read(struct tr2_settings *settings);

/* Give back what tr2_settings_read() allocated (tests; never in a host). */
void tr2_settings_release(struct tr2_settings *settings);

#endif
