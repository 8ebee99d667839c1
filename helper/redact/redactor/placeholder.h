/*
 * placeholder.h - what stands for a hidden value: `<WORD-HEX>`, where HEX are
 * 16 digits of an HMAC-SHA256 of the word and the value. Without the key nobody
 * can try which value it was.
 */
#ifndef TR2_REDACTOR_PLACEHOLDER_H
#define TR2_REDACTOR_PLACEHOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <sha2.h>

#include "base/buf.h"

#define TR2_MEMO_TEXT 80  /* longer values are hashed each time */
#define TR2_MEMO_DIGEST 8 /* bytes that are kept of a hash */
#define TR2_MEMO_ROWS 512

/* A value that was hashed; logs repeat theirs, and hashing is slow. */
struct tr2_placeholder_memo {
	const char *word; /* NULL: the row is empty */
	size_t len;
	char text[TR2_MEMO_TEXT];
	uint8_t digest[TR2_MEMO_DIGEST];
};

/* A key, as the states of the two hashes after it. */
struct tr2_placeholder {
	SHA2_CTX inner, outer;
	struct tr2_placeholder_memo *memo; /* TR2_MEMO_ROWS, of one thread */
};

void tr2_placeholder_init(struct tr2_placeholder *key, const void *bytes,
			  size_t len);
void tr2_placeholder_release(struct tr2_placeholder *key);

/* Append the placeholder of this value. */
void tr2_placeholder_add(const struct tr2_placeholder *key, struct tr2_buf *out,
			 const char *word, const char *text, size_t len);

/* Append only so many digits, at most 64. */
void tr2_placeholder_digits(const struct tr2_placeholder *key,
			    struct tr2_buf *out, const char *word,
			    const char *text, size_t len, unsigned digits);

#endif
