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

/* A key, as the states of the two hashes after it. */
struct tr2_placeholder {
	SHA2_CTX inner, outer;
};

void tr2_placeholder_init(struct tr2_placeholder *key, const void *bytes,
			  size_t len);

/* Append the placeholder of this value. */
void tr2_placeholder_add(const struct tr2_placeholder *key, struct tr2_buf *out,
			 const char *word, const char *text, size_t len);

/* Append only so many digits, at most 64. */
void tr2_placeholder_digits(const struct tr2_placeholder *key,
			    struct tr2_buf *out, const char *word,
			    const char *text, size_t len, unsigned digits);

#endif
