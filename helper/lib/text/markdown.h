/*
 * markdown.h - foreign text in Markdown, as GitHub shows it in a comment and
 * on the page of a job.
 *
 * Escaping is not enough: GitHub looks for @names, #123 and links in what
 * Markdown has become, where no escape is left. It leaves out code. Therefore
 * foreign text is always code, a piece of a line or a block of lines.
 *
 * A block is indented by four blanks, and nothing in it can end it. It must
 * stand after a heading or a paragraph and an empty line: after a list it
 * would be text of the list. No line needs one that comes later, so a
 * document can be cut after any line.
 */
#ifndef TR2_TEXT_MARKDOWN_H
#define TR2_TEXT_MARKDOWN_H

#include <stddef.h>

struct tr2_buf;

/* GitHub refuses comments of more characters. */
#define TR2_MARKDOWN_MOST 65536

/* Put foreign text as code, also in the cell of a table; a long one is cut. */
void tr2_markdown_code(struct tr2_buf *out, const char *text);

/* Make a block of the lines that were put since `from`. */
void tr2_markdown_block(struct tr2_buf *out, size_t from);

/*
 * Put the line after the heads of a table, which were put since `from`. What
 * has two blanks before it is a number.
 */
void tr2_markdown_rule(struct tr2_buf *out, size_t from);

/* Cut the text after a line, and say so, if it has more bytes than these. */
void tr2_markdown_fit(struct tr2_buf *out, size_t most);

#endif
