/*
 * memory.h - memory for a command: there is enough, or the command ends.
 */
#ifndef TR2_VALIDATE_MEMORY_H
#define TR2_VALIDATE_MEMORY_H

#include <stddef.h>

/* realloc() that never gives NULL. */
void *tr2_must_grow(void *old, size_t size);

/* The same of calloc(). */
void *tr2_must_zeros(size_t size);

char *tr2_must_copy(const char *text);

/* Say that there is none left, and exit. */
_Noreturn void tr2_memory_out(void);

#endif
