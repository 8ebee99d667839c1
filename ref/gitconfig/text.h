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

struct tr2_buf;

/*
 * One assignment; the texts are valid during the call. `key` is canonical:
 * section and name are in lower case. `value` is NULL if there is no `=`.
 * `line` is the line of the name, from 1.
 */
typedef void tr2_gitconfig_assign_fn(const char *key, const char *value,
				     int line, void *data);

/*
 * Call `fn` for every assignment. 0, or the line (from 1) of the first
 * statement that breaks the grammar; the text after it is not read. If memory
 * fails, no text is read.
 */
int tr2_gitconfig_parse(const char *text, size_t len,
			tr2_gitconfig_assign_fn *fn, void *data);

/*
 * Append the canonical form of `section[.subsection].name` and a NUL. Returns
 * 0 if `key` does not have this form; the appended text is then meaningless.
 */
int tr2_gitconfig_key(struct tr2_buf *out, const char *key);

#endif
