/*
 * heap.h - memory of the library's own, in place of the host's malloc.
 *
 * A host's allocator may trace, may be what a signal has interrupted, and has
 * locks which a fork holds. So nothing of the library waits for it: these
 * functions have no lock, and a signal handler may use them, also when it has
 * interrupted one of them. A forked child can use them at once.
 *
 * Blocks of up to 4 KiB come from lists, one for each power of two, which
 * never go back to the system; a larger block is a mapping.
 */
#ifndef TR2_HOST_HEAP_H
#define TR2_HOST_HEAP_H

#include <stddef.h>

/* As realloc(3) and free(3), but `size` 0 is 1. */
void *tr2_heap_realloc(void *old, size_t size);
void tr2_heap_free(void *memory);

/* 0: the heap is the library's own; else that of malloc(3). See heap_own.c. */
extern int tr2_heap_is_libc;

#endif
