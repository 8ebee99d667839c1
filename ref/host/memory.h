/*
 * memory.h - arrays that grow, and copies of texts, with memory from
 * tr2_host. All functions keep errno.
 */
#ifndef TR2_HOST_MEMORY_H
#define TR2_HOST_MEMORY_H

#include <stddef.h>

/* As realloc(3), but keeps errno. */
void *tr2_memory_realloc(void *old, size_t size);

/* How often the functions here got no memory. */
unsigned tr2_memory_failures(void);

/*
 * Returns `array` with room for more than `index` elements; the new ones are
 * zero, and *room is updated. NULL if memory fails: `array` stays valid.
 */
void *tr2_memory_grow(void *array, size_t *room, size_t index, size_t size);

/* Returns a copy of `text`, which the caller frees. NULL if memory fails. */
char *tr2_memory_copy(const char *text);

/*
 * Zero `size` bytes. A function on purpose: if the size is known, gcc turns
 * memset into `rep stos`, whose start costs more than reading a clock.
 */
void tr2_memory_zero(void *memory, size_t size);

#endif
