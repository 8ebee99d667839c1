#include "redact/redactor/placeholder.h"

#include <string.h>

#define BLOCK SHA256_BLOCK_LENGTH

static void start_hash(SHA2_CTX *context, const uint8_t *key, uint8_t pad)
{
	uint8_t block[BLOCK];

	for (size_t i = 0; i < BLOCK; i++)
		block[i] = key[i] ^ pad;
	SHA256Init(context);
	SHA256Update(context, block, BLOCK);
}

/* HMAC of RFC 2104: the pads are hashed once, not for each value. */
void tr2_placeholder_init(struct tr2_placeholder *key, const void *bytes,
			  size_t len)
{
	uint8_t whole[BLOCK] = { 0 };
	SHA2_CTX context;

	if (len > BLOCK) {
		SHA256Init(&context);
		SHA256Update(&context, bytes, len);
		SHA256Final(whole, &context);
	} else if (len) {
		memcpy(whole, bytes, len);
	}
	start_hash(&key->inner, whole, 0x36);
	start_hash(&key->outer, whole, 0x5c);
}

/* The NUL keeps a word and a value apart. */
static void hash_value(const struct tr2_placeholder *key, uint8_t *digest,
		       const char *word, const char *text, size_t len)
{
	SHA2_CTX context = key->inner;

	SHA256Update(&context, (const uint8_t *)word, strlen(word) + 1);
	SHA256Update(&context, (const uint8_t *)text, len);
	SHA256Final(digest, &context);
	context = key->outer;
	SHA256Update(&context, digest, SHA256_DIGEST_LENGTH);
	SHA256Final(digest, &context);
}

void tr2_placeholder_digits(const struct tr2_placeholder *key,
			    struct tr2_buf *out, const char *word,
			    const char *text, size_t len, unsigned digits)
{
	static const char hex[] = "0123456789abcdef";
	uint8_t digest[SHA256_DIGEST_LENGTH];

	hash_value(key, digest, word, text, len);
	for (unsigned i = 0; i < digits; i++)
		tr2_buf_byte(
			out,
			hex[i % 2 ? digest[i / 2] & 15 : digest[i / 2] >> 4]);
}

void tr2_placeholder_add(const struct tr2_placeholder *key, struct tr2_buf *out,
			 const char *word, const char *text, size_t len)
{
	tr2_buf_byte(out, '<');
	tr2_buf_str(out, word);
	tr2_buf_byte(out, '-');
	tr2_placeholder_digits(key, out, word, text, len, 16);
	tr2_buf_byte(out, '>');
}
