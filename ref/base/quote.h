/* quote.h - quote words for a shell. SPEC: quote.argument */
#ifndef TR2_BASE_QUOTE_H
#define TR2_BASE_QUOTE_H

struct tr2_buf;

/* Append one word, in single quotes unless all its bytes are plain. */
void tr2_quote_word(struct tr2_buf *out, const char *word);

/* Append all words, separated by one blank. NULL: no words. */
void tr2_quote_words(struct tr2_buf *out, const char *const *words);

#endif
