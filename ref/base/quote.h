/*
 * quote.h - words as a shell would need them. SPEC: quote.argument
 */
#ifndef TR2_BASE_QUOTE_H
#define TR2_BASE_QUOTE_H

struct tr2_buf;

/* Append one word, in single quotes unless it is plain. */
void tr2_quote_word(struct tr2_buf *out, const char *word);

/* Append all words with one blank between them. NULL: none. */
void tr2_quote_words(struct tr2_buf *out, const char *const *words);

#endif
