/*
 * foreign.h - print text that comes from outside.
 *
 * Names of files, programs and categories, options of a command line and the
 * contents of logs may hold anything. Every command prints such text only by
 * these functions, so that it stays one piece of one line, and controls
 * neither a terminal nor a CI service that reads the output.
 *
 * A character is unfit if a reader may obey it: control characters (U+0000 to
 * U+001F, U+007F to U+009F, which include line ends), line and paragraph
 * separators (U+2028, U+2029), characters that change the direction of
 * writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), and
 * bytes that are not UTF-8.
 */
#ifndef TR2_TEXT_FOREIGN_H
#define TR2_TEXT_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct tr2_buf;

/*
 * Put plain text, with `?` for each unfit character or byte, or a blank for LF,
 * CR and TAB, so that columns stay. GitHub's runner obeys a line that begins with `::`, and `##[`
 * anywhere in a line. Therefore `?` also replaces the first `:` of a `::` at
 * the beginning (after blanks), and the first `#` of every `##[`.
 */
void tr2_foreign_line(struct tr2_buf *out, const char *text, size_t len);

/* The same of a text that ends with a NUL, after one of our own. */
void tr2_foreign_after(struct tr2_buf *out, const char *before,
		       const char *text);

/* The same, to a stream. */
void tr2_foreign_print(FILE *out, const char *text);

/* Has the text none of these characters, and no `##[`? */
bool tr2_foreign_fits(const char *text, size_t len);

/* Put only the character at byte `at`; returns its length in bytes. */
size_t tr2_foreign_character(struct tr2_buf *out, const char *text, size_t len,
			     size_t at);

/*
 * Put a JSON string with quotes. Unfit characters, and the first `#` of each
 * `##[`, become \uXXXX, and a broken sequence of bytes becomes U+FFFD; so a
 * reader of the JSON gets the text itself.
 */
void tr2_foreign_json(struct tr2_buf *out, const char *text);

/*
 * Escape the unfit characters of the JSON in `out` from byte `start` on; they
 * occur only in its strings.
 */
void tr2_foreign_json_from(struct tr2_buf *out, size_t start);

/* Print "trace2 NAME: FILE: WHY" on standard error. */
void tr2_foreign_blame(const char *name, const char *file, const char *why);

/*
 * Print the line "trace2 NAME: WHAT: VALUE" on standard error. VALUE is
 * foreign text; NULL: there is none.
 */
void tr2_foreign_complain(const char *name, const char *what,
			  const char *value);

#endif
