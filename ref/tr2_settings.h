/*
 * tr2_settings.h - what the person who runs the program asked for.
 *
 * One table holds every setting: its environment variable, its config
 * key, its kind and its default. Read once, by trace2_initialize(); the
 * values are owned by the struct and constant from then on.
 * SPEC: chapter settings.*
 */
#ifndef TR2_SETTINGS_H
#define TR2_SETTINGS_H

/* Targets in the order in which they are opened. */
enum tr2_target_id {
	TR2_TARGET_NORMAL,
	TR2_TARGET_PERF,
	TR2_TARGET_EVENT,
	TR2_TARGET_COUNT
};

struct tr2_target_settings {
	const char *variable; /* "GIT_TRACE2_EVENT": named in warnings */
	char *destination;    /* as given; NULL: off */
	int brief;	      /* 0 or 1 */
};

struct tr2_settings {
	struct tr2_target_settings target[TR2_TARGET_COUNT];
	int event_nesting;     /* >= 1; default 2 */
	char *config_params;   /* comma list of globs, or NULL */
	char *env_vars;	       /* comma list of names, or NULL */
	int destination_debug; /* 0 or 1 */
	int max_files;	       /* 0: no limit */
	int redact;	       /* 0 or 1; default 1 */
	char *parent_sid;      /* or NULL */
	char *parent_name;     /* or NULL */
};

/*
 * Fill in every member from environment, global and system config, in
 * this precedence. Config files are not opened when no environment
 * variable can be overridden by them anyway. Where memory fails a setting
 * keeps its default.
 * SPEC: settings.precedence
 */
void tr2_settings_read(struct tr2_settings *settings);

/* Give back what tr2_settings_read() allocated (tests; never in a host). */
void tr2_settings_release(struct tr2_settings *settings);

/*
 * A boolean as git reads one: true/yes/on, false/no/off/"", integers with
 * k, m, g. 1, 0, or -1 if it is none. SPEC: settings.boolean
 */
int tr2_settings_bool(const char *text);

#endif
