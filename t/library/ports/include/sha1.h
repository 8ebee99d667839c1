/*
 * sha1.h - SHA-1 as libmd declares it, for machines of check-ports, which
 * have no libmd.
 */
#ifndef SHA1_H
#define SHA1_H

#include <stddef.h>
#include <stdint.h>

#define SHA1_BLOCK_LENGTH 64
#define SHA1_DIGEST_LENGTH 20

struct sha1_context {
	uint32_t state[5];
	uint64_t bytes;
	uint8_t block[SHA1_BLOCK_LENGTH];
};
#define SHA1_CTX struct sha1_context

void SHA1Init(SHA1_CTX *hash);
void SHA1Update(SHA1_CTX *hash, const uint8_t *bytes, size_t len);
void SHA1Final(uint8_t digest[SHA1_DIGEST_LENGTH], SHA1_CTX *hash);

#endif
