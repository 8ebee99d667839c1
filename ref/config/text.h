/*
 * text.h - the grammar of git's config files: text in,
 * assignments out. No files, no environment. SPEC: config.grammar
 *
 *	# comment             ; comment
 *	[section]             keys are section.name
 *	[section "Sub"]       section.Sub.name; \c in it means c
 *	[section.sub]         section.sub.name, the old form
 *	name = value          blanks around it trimmed, "..." toggles quoting,
 *	                      \" \\ \n \t \b, and \ at the end of the line
 *	                      goes on with the next one
 *	name                  no value at all
 *
 * Sections and names have letters, digits and `-` (sections also `.`); a
 * name starts with a letter. A byte order mark in front is skipped, CRLF
 * is LF.
 */
#ifndef TR2_CONFIG_TEXT_H
#define TR2_CONFIG_TEXT_H

#include <stddef.h>

struct tr2_buf;

/*
 * One assignment; the texts are valid during the call. `key` is canonical:
 * section and name in lower case. `value` is NULL without a `=`. `line` is
 * where the name stands, from 1.
 */
typedef void tr2_gitconfig_assign_fn(const char *key, const char *value,
				     int line, void *data);

/*
 * Call `fn` for every assignment. 0, or the line (from 1) of the first
 * statement that breaks the grammar; nothing behind it is read. Where
 * memory fails nothing is.
 */
int tr2_gitconfig_parse(const char *text, size_t len,
			tr2_gitconfig_assign_fn *fn, void *data);

/*
 * Append the canonical form of `section[.subsection].name` and a NUL.
 * 0 (nothing useful appended) if `key` isn't one.
 */
int tr2_gitconfig_key(struct tr2_buf *out, const char *key);

#endif
