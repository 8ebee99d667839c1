/*
 * marks.h - the bytes of a text by which it is taken apart: each LF, brace
 * that opens and backslash, found many bytes at a time.
 */
#ifndef TR2_VALIDATE_MARKS_H
#define TR2_VALIDATE_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TR2_MARKS_WORD 64 /* bytes of text that a word is for */

/*
 * A bit for each of `words` times 64 bytes, all of them readable; that of
 * the first byte is the lowest of the first word.
 */
typedef void tr2_marks_fn(const char *text, size_t words, uint64_t *marks);

void tr2_marks_find(const char *text, size_t words, uint64_t *marks);

/* How it is done by a processor that has AVX2, or by one without. */
tr2_marks_fn *tr2_marks_choose(bool has_avx2);

#endif
