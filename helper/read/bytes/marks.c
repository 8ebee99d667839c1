#include "read/bytes/marks.h"

#include <string.h>

#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#include <immintrin.h>
#include <sys/platform/x86.h>
#define MAY_HAVE_AVX2 1
#endif
#endif

static const char marked[] = { '\n', '\\' };

static void find_portably(const char *text, size_t words, uint64_t *marks)
{
	size_t i, len = words * TR2_MARKS_WORD, place;
	const char *at;

	memset(marks, 0, words * sizeof(*marks));
	for (i = 0; i < sizeof(marked); i++)
		for (at = text;
		     (at = memchr(at, marked[i], len - (size_t)(at - text)));
		     at++) {
			place = (size_t)(at - text);
			marks[place / TR2_MARKS_WORD] |=
				UINT64_C(1) << place % TR2_MARKS_WORD;
		}
}

#ifdef MAY_HAVE_AVX2
/* Find the marks of 32 bytes. */
__attribute__((target("avx2"))) static uint64_t find_some(const char *text)
{
	__m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)text);
	__m256i found = _mm256_setzero_si256();
	size_t i;

	for (i = 0; i < sizeof(marked); i++)
		found = _mm256_or_si256(
			found,
			_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(marked[i])));
	return (uint32_t)_mm256_movemask_epi8(found);
}

__attribute__((target("avx2"))) static void
find_fast(const char *text, size_t words, uint64_t *marks)
{
	for (; words--; text += TR2_MARKS_WORD)
		*marks++ = find_some(text) | find_some(text + 32) << 32;
}

tr2_marks_fn *tr2_marks_choose(bool has_avx2)
{
	return has_avx2 ? find_fast : find_portably;
}

/* Ask the C library: asking the processor takes long in a virtual machine. */
void tr2_marks_find(const char *text, size_t words, uint64_t *marks)
{
	tr2_marks_choose(CPU_FEATURE_ACTIVE(AVX2))(text, words, marks);
}
#else
tr2_marks_fn *tr2_marks_choose(bool has_avx2)
{
	(void)has_avx2;
	return find_portably;
}

void tr2_marks_find(const char *text, size_t words, uint64_t *marks)
{
	find_portably(text, words, marks);
}
#endif
