/*
 * text.h - secrets in a line of NORMAL or PERF, or of another trace of git.
 *
 * The library hides a password before it quotes the words of a command line.
 * Here they are quoted already, and the placeholder has a `<`, which no word
 * without quotes may have. So a word that has none gets quotes.
 */
#ifndef TR2_REDACTOR_TEXT_H
#define TR2_REDACTOR_TEXT_H

#include <stddef.h>

#include "base/buf.h"

/* Memory that lines use again. An empty one is all zero. */
struct tr2_redact_scratch {
	struct tr2_buf clean; /* the line without passwords in URLs */
	struct tr2_buf word, shown;
	struct tr2_buf words; /* all of the line, each without its secrets */
};

/*
 * Append the line, which ends with a NUL, without its secrets. Without memory
 * `out` has failed.
 */
void tr2_redact_add_text(struct tr2_redact_scratch *scratch,
			 struct tr2_buf *out, const char *line);

/* Returns what the event of the line tells, or the line if it has none. */
const char *tr2_redact_find_payload(const char *line);
void tr2_redact_scratch_release(struct tr2_redact_scratch *scratch);

#endif
