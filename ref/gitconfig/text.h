/*
 * text.h - the grammar of git's config files: text in, assignments out. It
 * uses no files and no environment.
 * SPEC: config.grammar
 *
 *	# comment             ; comment
 *	[section]             keys are section.name
 *	[section "Sub"]       section.Sub.name; \c in it means c
 *	[section.sub]         section.sub.name, the old form
 *	name = value          blanks around it trimmed, "..." toggles quoting,
 *	                      \" \\ \n \t \b, and \ at the end of the line
 *	                      continues on the next one
 *	name                  no value at all
 *
 * Sections and names consist of letters, digits and `-` (sections also of
 * `.`); a name starts with a letter. A byte order mark at the start is
 * skipped, and CRLF counts as LF.
 */
#ifndef TR2_GITCONFIG_TEXT_H
#define TR2_GITCONFIG_TEXT_H

#include <stddef.h>

#include "base/buf.h"

/* A text that is being read, as far as `at`. */
struct tr2_gitconfig_parser {
	const char *at, *end;
	int line;      /* of the last byte, or the next line after a LF */
	int statement; /* the line where the statement begins */

	/* Both have room for the whole text and a NUL, so they never grow. */
	struct tr2_buf key;
	size_t section; /* length of the section and a `.` in key */
	struct tr2_buf value;
};

/*
 * One assignment; the texts are valid until the parser's next one. `key` is
 * canonical: section and name are in lower case. `value` is NULL if there is
 * no `=`. `line` is the line of the name, from 1.
 */
struct tr2_gitconfig_assignment {
	const char *key, *value;
	int line;
};

/*
 * Begin to read a text, which stays where it is. If memory fails, it counts
 * as empty. tr2_gitconfig_parse_end() frees what the parser needed.
 */
void tr2_gitconfig_parse_begin(struct tr2_gitconfig_parser *p, const char *text,
			       size_t len);
void tr2_gitconfig_parse_end(struct tr2_gitconfig_parser *p);

/*
 * Find the next assignment: 1, or 0 at the text's end and at the first
 * statement that breaks the grammar, whose line is then *bad; the text after
 * it must not be read.
 */
int tr2_gitconfig_parse_next(struct tr2_gitconfig_parser *p,
			     struct tr2_gitconfig_assignment *found, int *bad);

/*
 * Append the canonical form of `section[.subsection].name` and a NUL. Returns
 * 0 if `key` does not have this form; the appended text is then meaningless.
 */
int tr2_gitconfig_key(struct tr2_buf *out, const char *key);

#endif
