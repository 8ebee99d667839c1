/*
 * tokens.h - where the tokens of a JSON text are: simdjson's first stage,
 * seen from C.
 *
 * That stage is no part of simdjson's public interface. Where another version
 * is installed than those that were tried (see validate.mk), or none, a loop
 * over the bytes finds the same tokens, at a lower speed.
 *
 * A token is one of { } [ ] : , or the first byte of a string (its quote),
 * a number or a word. Nothing but blanks stands between the end of one and
 * the beginning of the next.
 */
#ifndef TR2_VALIDATE_TOKENS_H
#define TR2_VALIDATE_TOKENS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR2_TOKENS_PADDING 64 /* readable bytes behind the text, any value */

struct tr2_tokens {
	const char *text;
	size_t len;
	const uint32_t *at; /* at[count] is len */
	size_t count;
	struct tr2_tokenizer *tokenizer;
	uint32_t *plain; /* what tr2_tokens_find_plain() found */
	size_t plain_room;
};

enum tr2_tokens_result {
	TR2_TOKENS_OK,
	TR2_TOKENS_REFUSED, /* see below, or there is no token at all */
	TR2_TOKENS_NO_MEMORY
};

/*
 * Find the tokens. What is found: the text is UTF-8, every string is
 * closed and has no raw control characters. Not more: the tokens may come
 * in any order, escapes, numbers and words may be wrong.
 * Memory is kept from one text to the next.
 */
enum tr2_tokens_result tr2_tokens_find(struct tr2_tokens *tokens,
				       const char *text, size_t len);
/* The same, without simdjson. */
enum tr2_tokens_result tr2_tokens_find_plain(struct tr2_tokens *tokens,
					     const char *text, size_t len);
void tr2_tokens_release(struct tr2_tokens *tokens);

#ifdef __cplusplus
}
#endif
#endif
