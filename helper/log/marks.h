/*
 * marks.h - find the bytes that divide a text: each LF, opening brace and
 * backslash, many bytes at a time.
 */
#ifndef TR2_LOG_MARKS_H
#define TR2_LOG_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define TR2_MARKS_WORD 64 /* bytes of text for each word */

/*
 * Set a bit for each of `words` times 64 bytes, which must be readable. The
 * lowest bit of the first word is for the first byte.
 */
typedef void tr2_marks_fn(const char *text, size_t words, uint64_t *marks);

void tr2_marks_find(const char *text, size_t words, uint64_t *marks);

/* Returns the form for processors with or without AVX2. */
tr2_marks_fn *tr2_marks_choose(bool has_avx2);

/*
 * Returns the place of the first quote in 16 bytes, or 16. Used after a name;
 * names have many lengths, so with SSE2 no branch depends on the place.
 */
#define TR2_MARKS_NAME 16

static inline unsigned tr2_marks_quote_portably(const char *text)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t word;
	unsigned i;

	for (i = 0; i < TR2_MARKS_NAME; i += sizeof(word)) {
		memcpy(&word, text + i, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		word = __builtin_bswap64(word);
#endif
		word ^= each * '"';
		word = (word - each) & ~word & each * 0x80;
		if (word)
			return i + (unsigned)__builtin_ctzll(word) / 8;
	}
	return i;
}

static inline unsigned tr2_marks_quote(const char *text)
{
#ifdef __SSE2__
	__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)text);
	__m128i found = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));

	return (unsigned)__builtin_ctz((unsigned)_mm_movemask_epi8(found) |
				       1u << TR2_MARKS_NAME);
#else
	return tr2_marks_quote_portably(text);
#endif
}

#endif
