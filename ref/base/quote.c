#include "base/quote.h"

#include <string.h>

#include "base/buf.h"

/* Bytes outside this set force quotes. Decided byte by byte; ASCII only. */
static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "abcdefghijklmnopqrstuvwxyz"
			    "0123456789+,./:=@_^-";

/* SPEC: quote.argument */
void tr2_quote_word(struct tr2_buf *out, const char *word)
{
	size_t run = strspn(word, plain);

	if (*word && !word[run]) {
		tr2_buf_add(out, word, run);
		return;
	}
	tr2_buf_byte(out, '\'');
	for (;;) {
		run = strcspn(word, "'!");
		tr2_buf_add(out, word, run);
		word += run;
		if (!*word)
			break;
		tr2_buf_add(out, "'\\", 2);
		tr2_buf_byte(out, *word++);
		tr2_buf_byte(out, '\'');
	}
	tr2_buf_byte(out, '\'');
}

void tr2_quote_words(struct tr2_buf *out, const char *const *words)
{
	const char *const *word;

	for (word = words; word && *word; word++) {
		if (word != words)
			tr2_buf_byte(out, ' ');
		tr2_quote_word(out, *word);
	}
}
