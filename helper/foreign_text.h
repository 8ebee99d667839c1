/*
 * foreign_text.h - text that comes from outside, on its way to people.
 *
 * Names of files, programs and categories, options of a command line and
 * what stands in a log may hold anything. Every command prints such text by
 * these functions only, so that it stays one piece of one line and steers
 * neither a terminal nor a CI service that reads the output.
 *
 * Unfit is what somebody may obey: control characters (U+0000 to U+001F,
 * U+007F to U+009F, line ends among them), line and paragraph separators
 * (U+2028, U+2029), what changes the direction of writing (U+061C, U+200E,
 * U+200F, U+202A to U+202E, U+2066 to U+2069), and a byte that is not UTF-8.
 */
#ifndef TR2_FOREIGN_TEXT_H
#define TR2_FOREIGN_TEXT_H

#include <stddef.h>
#include <stdio.h>

struct tr2_buf;

/*
 * Plain text: `?` for each unfit character or byte, so that columns stay.
 * GitHub's runner obeys a line that begins with `::`, and `##[` anywhere in a
 * line: so the first `:` of a `::` that begins the text (after blanks) and
 * the first `#` of every `##[` become `?` too.
 */
void tr2_foreign_line(struct tr2_buf *out, const char *text, size_t len);

/* The same, to a stream. */
void tr2_foreign_print(FILE *out, const char *text);

/* The character of it at byte `at` alone; gives how many bytes it took. */
size_t tr2_foreign_character(struct tr2_buf *out, const char *text, size_t len,
			     size_t at);

/*
 * A JSON string with quotes around it. Unfit characters, and the first `#` of
 * each `##[`, are written as \uXXXX and a broken sequence of bytes as U+FFFD, so that a reader of the JSON gets
 * the text itself.
 */
void tr2_foreign_json(struct tr2_buf *out, const char *text);

/*
 * Escape the unfit characters in the JSON that stands in `out` from byte
 * `start` on; elsewhere than in its strings there are none.
 */
void tr2_foreign_json_from(struct tr2_buf *out, size_t start);

/*
 * "trace2 NAME: WHAT: VALUE" on standard error, as a line; VALUE is foreign,
 * and NULL if there is none.
 */
void tr2_foreign_complain(const char *name, const char *what,
			  const char *value);

#endif
