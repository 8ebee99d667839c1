/* SHA-1 (RFC 3174), byte by byte: it hashes a host's name, once. */
#include <sha1.h>

#include <string.h>

static uint32_t rotate(uint32_t word, int by)
{
	return word << by | word >> (32 - by);
}

static uint32_t mix(int round, const uint32_t s[5])
{
	switch (round / 20) {
	case 0:
		return ((s[1] & s[2]) | (~s[1] & s[3])) + 0x5a827999;
	case 1:
		return (s[1] ^ s[2] ^ s[3]) + 0x6ed9eba1;
	case 2:
		return ((s[1] & s[2]) | (s[1] & s[3]) | (s[2] & s[3])) +
		       0x8f1bbcdc;
	default:
		return (s[1] ^ s[2] ^ s[3]) + 0xca62c1d6;
	}
}

static void expand(uint32_t words[80], const uint8_t *block)
{
	int i;

	for (i = 0; i < 16; i++, block += 4)
		words[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 |
			   (uint32_t)block[2] << 8 | block[3];
	for (; i < 80; i++)
		words[i] = rotate(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^
					  words[i - 16],
				  1);
}

static void add_block(SHA1_CTX *hash)
{
	uint32_t words[80], s[5], next;
	int i;

	expand(words, hash->block);
	memcpy(s, hash->state, sizeof(s));
	for (i = 0; i < 80; i++) {
		next = rotate(s[0], 5) + mix(i, s) + s[4] + words[i];
		memmove(s + 1, s, 4 * sizeof(*s));
		s[0] = next;
		s[2] = rotate(s[2], 30);
	}
	for (i = 0; i < 5; i++)
		hash->state[i] += s[i];
}

static void add_byte(SHA1_CTX *hash, uint8_t byte)
{
	hash->block[hash->bytes++ % SHA1_BLOCK_LENGTH] = byte;
	if (!(hash->bytes % SHA1_BLOCK_LENGTH))
		add_block(hash);
}

void SHA1Init(SHA1_CTX *hash)
{
	static const uint32_t start[5] = { 0x67452301, 0xefcdab89, 0x98badcfe,
					   0x10325476, 0xc3d2e1f0 };

	memcpy(hash->state, start, sizeof(start));
	hash->bytes = 0;
}

void SHA1Update(SHA1_CTX *hash, const uint8_t *bytes, size_t len)
{
	while (len--)
		add_byte(hash, *bytes++);
}

void SHA1Final(uint8_t digest[SHA1_DIGEST_LENGTH], SHA1_CTX *hash)
{
	const uint64_t bits = hash->bytes * 8;
	int i;

	add_byte(hash, 0x80);
	while (hash->bytes % SHA1_BLOCK_LENGTH != SHA1_BLOCK_LENGTH - 8)
		add_byte(hash, 0);
	for (i = 56; i >= 0; i -= 8)
		add_byte(hash, (uint8_t)(bits >> i));
	for (i = 0; i < SHA1_DIGEST_LENGTH; i++)
		digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - i % 4 * 8));
}
