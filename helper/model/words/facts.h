/*
 * facts.h - what advice asks of a process: which git and system it is of, and
 * what its command line and its settings have already.
 */
#ifndef TR2_MODEL_FACTS_H
#define TR2_MODEL_FACTS_H

#include <stdbool.h>
#include <stdint.h>

struct tr2_record;

/* Options of a command line; a word that begins like one has it, or is `--`. */
/* clang-format off */
#define TR2_CHOICES(ROW) \
	ROW(SHALLOW, "--depth") \
	ROW(SHALLOW_SINCE, "--shallow-") \
	ROW(FILTER, "--filter") \
	ROW(SPARSE, "--sparse") \
	ROW(MIRROR, "--mirror") \
	ROW(BARE, "--bare") \
	ROW(NO_LOCKS, "--no-optional-locks") \
	ROW(JOBS, "--jobs") \
	ROW(JOBS_SHORT, "-j") \
	ROW(SEARCH, "-S") \
	ROW(SEARCH_REGEX, "-G") \
	ROW(ONE_THREAD, "--threads=1") \
	ROW(APPEND, "--append") \
	ROW(SINCE, "--since") \
	ROW(LINES, "-L") \
	ROW(IGNORED, "--ignored") \
	ROW(ALL, "-ua") \
	ROW(ALL_LONG, "--untracked-files=a") \
	ROW(PATHS, "--")

/*
 * Settings, by -c or in the log, that are on; for a number that is any but 1,
 * which is how git is without it.
 */
#define TR2_SETTINGS(ROW) \
	ROW(MONITOR, "core.fsmonitor") \
	ROW(UNTRACKED, "core.untrackedcache") \
	ROW(MANY_FILES, "feature.manyfiles") \
	ROW(WORKERS, "checkout.workers") \
	ROW(FETCH_JOBS, "submodule.fetchjobs") \
	ROW(FETCH_PARALLEL, "fetch.parallel") \
	ROW(NEGOTIATION, "fetch.negotiationalgorithm") \
	ROW(SPARSE_INDEX, "index.sparse")
/* clang-format on */

#define TR2_CHOICE_ENUM(choice, ...) TR2_CHOSE_##choice,
#define TR2_SETTING_ENUM(setting, ...) TR2_SET_##setting,
enum tr2_choice {
	TR2_CHOICES(TR2_CHOICE_ENUM) TR2_SETTINGS(TR2_SETTING_ENUM)
		TR2_CHOICE_COUNT
};

struct tr2_facts {	   /* An empty one is all zero. */
	uint32_t version;  /* git 2.39 is 239; 0: unknown */
	bool other_system; /* the version names none */
	uint32_t choices;  /* a bit for each option and setting */
};

void tr2_facts_add_version(struct tr2_facts *facts, struct tr2_record *record);

/* Add a word of a command line; `is_setting`: it follows -c. */
void tr2_facts_add_word(struct tr2_facts *facts, const char *word,
			bool is_setting);

/* Add the setting of a def_param event. */
void tr2_facts_add_param(struct tr2_facts *facts, struct tr2_record *record);

/*
 * Can it ask a daemon of git which files changed? Windows and macOS can since
 * 2.37, Linux since 2.55.
 */
bool tr2_facts_have_monitor(const struct tr2_facts *facts);

#endif
