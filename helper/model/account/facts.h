/*
 * facts.h - what all processes of a log have in common, as far as advice asks:
 * which git and system they are of, and what their command lines have already.
 */
#ifndef TR2_ACCOUNT_FACTS_H
#define TR2_ACCOUNT_FACTS_H

#include <stdbool.h>
#include <stdint.h>

struct tr2_record;

/* Options of a command line; a word that begins like one has it. */
/* clang-format off */
#define TR2_CHOICES(ROW) \
	ROW(SHALLOW, "--depth") \
	ROW(SHALLOW_SINCE, "--shallow-") \
	ROW(FILTER, "--filter") \
	ROW(SPARSE, "--sparse") \
	ROW(NO_LOCKS, "--no-optional-locks")
/* clang-format on */

#define TR2_CHOICE_ENUM(choice, ...) TR2_CHOSE_##choice,
enum tr2_choice { TR2_CHOICES(TR2_CHOICE_ENUM) TR2_CHOICE_COUNT };

struct tr2_facts {
	bool has_git;	   /* a version was seen */
	uint32_t oldest;   /* git 2.39 is 239; 0: it has another form */
	bool other_system; /* the version of one names no system */
	uint32_t choices;  /* a bit for each option that a command line has */
};

/* Add the git of a `version` event, and a word of a command line. */
void tr2_facts_add_version(struct tr2_facts *facts, struct tr2_record *record);
void tr2_facts_add_word(struct tr2_facts *facts, const char *word);

/* Add what other processes have in common. */
void tr2_facts_merge(struct tr2_facts *facts, const struct tr2_facts *more);

/*
 * Can all of them ask a daemon of git which files changed? Windows and macOS
 * can since 2.37, Linux since 2.55.
 */
bool tr2_facts_have_monitor(const struct tr2_facts *facts);

static inline bool tr2_facts_chose(const struct tr2_facts *facts,
				   enum tr2_choice choice)
{
	return facts->choices >> choice & 1U;
}

#endif
