/*
 * heap_own.c - makes the heap the library's own. It is part of both libraries.
 * A program that links the objects of ref/ one by one, such as our commands
 * and unit tests, leaves it out, and frees with free(3) what they allocate.
 */
#include "host/heap.h"

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

/* A sanitizer knows only the blocks of its own allocator. */
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
int tr2_heap_is_libc = 1;
#else
int tr2_heap_is_libc = 0;
#endif
