/*
 * tokens.h - the places of the tokens of a JSON text: simdjson's first stage,
 * as seen from C.
 *
 * That stage is not part of simdjson's public interface. If simdjson is not
 * installed, or in a version that was not tested (see validate.mk), a loop
 * over the bytes finds the same tokens, but more slowly.
 *
 * A token is one of { } [ ] : , or the first byte of a string (its quote), a
 * number or a word. Between the end of a token and the beginning of the next
 * one there are only blanks.
 */
#ifndef TR2_JSON_TOKENS_H
#define TR2_JSON_TOKENS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR2_TOKENS_PADDING 64 /* readable bytes after the text; any values */

struct tr2_tokens {
	const char *text;
	size_t len;
	const uint32_t *at; /* at[count] is len */
	size_t count;
	struct tr2_tokenizer *tokenizer;
	uint32_t *plain; /* the places that were found without simdjson */
	size_t plain_room;
};

enum tr2_tokens_result {
	TR2_TOKENS_OK,
	TR2_TOKENS_REFUSED, /* see below, or there is no token at all */
	TR2_TOKENS_NO_MEMORY
};

/*
 * Find the tokens. If this succeeds, the text is UTF-8, every string is
 * closed and has no raw control characters. Nothing else is checked: the
 * tokens may come in any order, and escapes, numbers and words may be wrong.
 * The memory is kept from one text to the next.
 */
enum tr2_tokens_result tr2_tokens_find(struct tr2_tokens *tokens,
				       const char *text, size_t len);
/* The same, without simdjson. */
enum tr2_tokens_result tr2_tokens_find_plain(struct tr2_tokens *tokens,
					     const char *text, size_t len);
/* Room for the places of what finds them without simdjson. */
void tr2_tokens_make_room(struct tr2_tokens *tokens, size_t len);
void tr2_tokens_release(struct tr2_tokens *tokens);

#ifdef __cplusplus
}
#endif
#endif
