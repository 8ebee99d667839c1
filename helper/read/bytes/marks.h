/*
 * marks.h - find the bytes that divide a text: each LF and backslash, many
 * bytes at a time.
 */
#ifndef TR2_READ_BYTES_MARKS_H
#define TR2_READ_BYTES_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TR2_MARKS_WORD 64 /* bytes of text for each word */

/*
 * Set a bit for each of `words` times 64 bytes, which must be readable. The
 * lowest bit of the first word is for the first byte.
 */
typedef void tr2_marks_fn(const char *text, size_t words, uint64_t *marks);

void tr2_marks_find(const char *text, size_t words, uint64_t *marks);

/* Returns the form for processors with or without AVX2. */
tr2_marks_fn *tr2_marks_choose(bool has_avx2);

#endif
