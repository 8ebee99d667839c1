/*
 * words.h - what the words of an event's `argv` say: the program, the line that
 * a person types, what it chose, and what git runs it for.
 */
#ifndef TR2_MODEL_WORDS_H
#define TR2_MODEL_WORDS_H

#include "base/buf.h"
#include "model/totals/rows.h"
#include "model/words/facts.h"
#include "read/record.h"

/*
 * Returns the number of a text: the program of the event's `argv` without its
 * directory; for git also the subcommand: "git fetch". One that git starts for
 * objects that it has not is "git fetch, lazy".
 */
uint32_t tr2_words_name(struct tr2_rows *rows, struct tr2_record *record);

/* The same of all words of its `argv`, with blanks between them. */
uint32_t tr2_words_line(struct tr2_rows *rows, struct tr2_record *record);

/*
 * Put the next element of a list of words, and a NUL that is not part
 * of it. False: this is the end of the list.
 */
bool tr2_words_take(struct tr2_record *record, size_t *token,
		    struct tr2_buf *word);

/*
 * Does git ask for a name or a password by it: a credential helper, or a
 * program that asks a person?
 */
bool tr2_words_ask(const struct tr2_record *record);

/* A fetch of objects that a partial clone left out has this setting. */
#define TR2_WORDS_LAZY "fetch.negotiationAlgorithm=noop"

#define TR2_LINE_MOST 200 /* bytes of a command line that is shown */

/* Put the same as a person would type it, ended by a NUL; it may be cut. */
void tr2_words_put_line(struct tr2_buf *line, struct tr2_record *record);

/*
 * Does a shell read the event's command? PERF and NORMAL do not say so; but a
 * program that has a blank before its first directory is no path.
 */
bool tr2_words_have_shell(const struct tr2_record *record);

/* Tell the facts what the command line chose. */
void tr2_words_choose(struct tr2_facts *facts, struct tr2_record *record);

#endif
