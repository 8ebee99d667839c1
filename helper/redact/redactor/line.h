/*
 * line.h - redact one line of a log.
 *
 *	event.c        the strings of an event, by what may be in its fields
 *	value.h        one text: a URL, an address, a path, a SID, or something
 *	               else
 *	argv.c         the words of a command line
 *	setting.c      the name and value of a setting, and formats
 *	placeholder.h  the keyed hash that stands for a value
 *	columns.c      one NORMAL or PERF line, or one of no event
 *	text.c         the same without secrets only
 *	secret.h       one text: passwords, tokens and headers, which are always
 *	               hidden
 *	needles.h      whether a line may have one
 *	cut.c          an event of which the end is lost
 *
 * This room knows no file, so `trace2 collect` uses it, too. A redactor is a
 * choice of kinds and a key. It owns its buffers, so different threads need
 * different redactors, and two with the same key write the same placeholders.
 */
#ifndef TR2_REDACTOR_LINE_H
#define TR2_REDACTOR_LINE_H

#include <stddef.h>

#include "base/buf.h"
#include "read/bytes/block.h"
#include "read/text/pieces.h"

/* What is hidden besides secrets, as bits. */
enum tr2_hide {
	TR2_HIDE_PATHS = 1,
	TR2_HIDE_HOSTS = 2,
	TR2_HIDE_USERS = 4,
	TR2_HIDE_REPOSITORIES = 8,
	TR2_HIDE_ARGUMENTS = 16,
	TR2_HIDE_ALL = 31
};

/*
 * The bits of a list such as "paths,hosts", or "all". 0: it is none, and
 * `wrong` gets the first word that is no kind, NUL-terminated.
 */
unsigned tr2_redactor_parse(const char *list, char wrong[32]);

struct tr2_redactor;

/* `hide` are bits of enum tr2_hide; 0: only secrets, which need no key. */
struct tr2_redactor *tr2_redactor_open(unsigned hide, const void *key,
				       size_t len);
void tr2_redactor_close(struct tr2_redactor *redactor);

/*
 * Returns the redacted line, which is valid until the next call, or NULL: the
 * text is not a JSON object, and must not be passed on. `len` is the length
 * without the line end, before and after.
 */
const char *tr2_redactor_line(struct tr2_redactor *redactor, const char *line,
			      size_t *len);

/*
 * The same for a line of a block: appends it without its line end. False: it
 * is not a JSON object, and nothing was appended.
 */
bool tr2_redactor_add(struct tr2_redactor *redactor,
		      const struct tr2_line *line, struct tr2_buf *out);

/*
 * Append any line without its secrets, also one that is no JSON object; no NUL
 * is in it. Nothing else is hidden. Of an event that was cut, what follows its
 * last complete value is left out. False: nothing is appended, for nobody knows
 * what is secret in the line, which begins as an event.
 */
bool tr2_redactor_any(struct tr2_redactor *redactor, const char *text,
		      size_t len, struct tr2_buf *out);

/*
 * Append a piece of a log of any format without its line end: each line keeps
 * its form. False: it is an object that can't be read, and nothing was
 * appended.
 */
bool tr2_redactor_piece(struct tr2_redactor *redactor,
			const struct tr2_plain_piece *piece,
			struct tr2_buf *out);

#endif
