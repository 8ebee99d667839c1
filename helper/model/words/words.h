/*
 * words.h - what the words of an event's `argv` say: the program, the line that
 * a person types, what it chose, and what git runs it for.
 */
#ifndef TR2_MODEL_WORDS_H
#define TR2_MODEL_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "choices_rows.h"
#include "lib/text/text.h"
#include "model/totals/phase.h"
#include "model/totals/rows.h"
#include "read/record.h"

/*
 * What advice asks of a process: which git and system it is of, and
 * what its command line and its settings have already.
 */

/*
 * Options of a command line (a word that begins like one has it, or is `--`),
 * and settings, by -c or in the log, that are on; for a number that is any but
 * 1, which is how git is without it. choices.tsv has them.
 */
#define TR2_OPTION_ENUM(kind, name, text) TR2_CHOSE_##name,
#define TR2_SETTING_ENUM(kind, name, text) TR2_SET_##name,
enum tr2_choice {
	CHOICES_OPTIONS(TR2_OPTION_ENUM) CHOICES_SETTINGS(TR2_SETTING_ENUM)
		TR2_CHOICE_COUNT
};

struct tr2_facts {	   /* An empty one is all zero. */
	uint32_t version;  /* git 2.39 is 239; 0: unknown */
	bool other_system; /* the version names none */
	uint32_t choices;  /* a bit for each option and setting */
};

void tr2_facts_add_version(struct tr2_facts *facts, struct tr2_record *record);

/* Add the setting of a def_param event. */
void tr2_facts_add_param(struct tr2_facts *facts, struct tr2_record *record);

/*
 * Can it ask a daemon of git which files changed? Windows and macOS can since
 * 2.37, Linux since 2.55.
 */
bool tr2_facts_have_monitor(const struct tr2_facts *facts);

/*
 * Returns the number of a text: the program of the event's `argv` without its
 * directory; for git also the subcommand: "git fetch". One that git starts for
 * objects that it has not is "git fetch, lazy".
 */
uint32_t tr2_words_name(struct tr2_rows *rows, struct tr2_record *record);

/* The same of all words of its `argv`, with blanks between them. */
uint32_t tr2_words_line(struct tr2_rows *rows, struct tr2_record *record);

/* Returns where the key's list of words begins; 0: it is none. */
static inline size_t tr2_words_begin(const struct tr2_record *record,
				     enum tr2_key key)
{
	const struct tr2_value *list = &record->value[key];

	return tr2_record_has(record, key) && list->kind == TR2_STRINGS
		       ? list->token + 1
		       : 0;
}

/*
 * Put the next element of a list of words, and a NUL that is not part
 * of it. False: this is the end of the list, or `token` is 0.
 */
bool tr2_words_take(struct tr2_record *record, size_t *token,
		    struct tr2_buf *word);

/*
 * Returns the phase that a child without a class has by its words: git asks it,
 * or a person through it, for credentials; it is a transport, or git runs it
 * with -G to see which ssh it is; or it has one word beside its program, as a
 * textconv has, which counts for programs that are not git's.
 */
enum tr2_phase tr2_words_use(const struct tr2_record *record);

/* A fetch of objects that a partial clone left out has this setting. */
#define TR2_WORDS_LAZY "fetch.negotiationAlgorithm=noop"

#define TR2_LINE_MOST 200 /* bytes of a command line that is shown */

/* Put the same as a person would type it, ended by a NUL; it may be cut. */
void tr2_words_put_line(struct tr2_buf *line, struct tr2_record *record);

/*
 * Does a shell read the event's command? PERF and NORMAL do not say so; but a
 * program that has a blank before its first directory is no path, nor is one
 * that begins with a quote.
 */
bool tr2_words_have_shell(const struct tr2_record *record);

/*
 * Returns the remote that the words speak to: "origin, https://example.com/x.git",
 * without user and query; 0 if the event starts no transport, and is none.
 */
uint32_t tr2_words_remote(struct tr2_rows *rows, struct tr2_record *record);

/*
 * Is the command, with or without its mode, in a list with blanks between the
 * names?
 */
static inline bool tr2_words_list_has(const char *list, const char *command)
{
	return tr2_text_is_among(command, strcspn(command, "#"), list);
}

/*
 * Returns a hash of the event's `argv` without its first word, or 0: a parent
 * may start `git` by its name, and the child's log may have a path.
 */
uint32_t tr2_words_hash(struct tr2_record *record);

/* Tell the facts what the command line chose. */
void tr2_words_choose(struct tr2_facts *facts, struct tr2_record *record);

#endif
