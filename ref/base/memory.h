/*
 * memory.h - arrays that grow, and copies of texts, over tr2_host. All
 * of it keeps errno.
 */
#ifndef TR2_BASE_MEMORY_H
#define TR2_BASE_MEMORY_H

#include <stddef.h>

/* As realloc(3), but errno stays what it was. */
void *tr2_memory_realloc(void *old, size_t size);

/*
 * `array` with room for more than `index` elements, the new ones zero;
 * *room is brought up to date. NULL where memory fails: array stays.
 */
void *tr2_memory_grow(void *array, size_t *room, size_t index, size_t size);

/* A copy of `text`; the caller frees it. NULL where memory fails. */
char *tr2_memory_copy(const char *text);

/*
 * Zero `size` bytes. A call on purpose: where the size is known, gcc
 * makes a `rep stos` of memset, whose start costs more than a clock read.
 */
void tr2_memory_zero(void *memory, size_t size);

#endif
