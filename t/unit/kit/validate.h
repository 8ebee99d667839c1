/*
 * validate.h - memory for the validator, instead of its own: new bytes are
 * not zero, writes beyond a block are noticed when it grows or is checked,
 * and blocks that are not freed are counted.
 */
#ifndef UNIT_KIT_VALIDATE_H
#define UNIT_KIT_VALIDATE_H

#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kit/tap.h"
#include "lib/common/memory.h"

#define KIT_FENCE 256

static int kit_broken;	    /* blocks that were written beyond */
static int kit_fill = 0xa5; /* in new bytes */

#ifdef __SANITIZE_ADDRESS__

/* It remembers the size of each block, and rarely reuses an address. */
static inline size_t kit_size(void *block)
{
	return malloc_usable_size(block) - KIT_FENCE;
}

static inline void kit_keep_size(const char *block, size_t size)
{
	(void)block;
	(void)size;
}

#else

/* LeakSanitizer must not take these for pointers to the blocks. */
static struct {
	uintptr_t hidden; /* the address, inverted; 0: no block */
	size_t size;
} kit_blocks[1 << 14];

static inline uintptr_t kit_hide(const char *block)
{
	return ~(uintptr_t)block;
}

static inline const char *kit_show(uintptr_t hidden)
{
	return (const char *)~hidden;
}

static inline size_t kit_slot(const char *block)
{
	size_t at = (size_t)block / 16 % (1 << 14);

	while (kit_blocks[at].hidden &&
	       kit_blocks[at].hidden != kit_hide(block))
		at = (at + 1) % (1 << 14);
	return at;
}

/* How long is this block, which is alive? */
static inline size_t kit_size(void *block)
{
	return kit_blocks[kit_slot(block)].size;
}

static inline void kit_keep_size(const char *block, size_t size)
{
	size_t slot = kit_slot(block);

	kit_blocks[slot].hidden = kit_hide(block);
	kit_blocks[slot].size = size;
}

#endif

static inline int kit_is_whole(void *block)
{
	const char *fence = (const char *)block + kit_size(block);
	int i = 0;

	while (i < KIT_FENCE && fence[i] == '~')
		i++;
	return i == KIT_FENCE;
}

static inline void *kit_grow(void *old, size_t size)
{
	size_t kept = old ? kit_size(old) : 0;
	char *block;

	kit_broken += old && !kit_is_whole(old);
	block = realloc(old, size + KIT_FENCE);
	if (!block)
		abort();
	if (size > kept)
		memset(block + kept, kit_fill, size - kept);
	memset(block + size, '~', KIT_FENCE);
	kit_keep_size(block, size);
	return block;
}

void *tr2_must_grow(void *old, size_t size)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	void *block;

	pthread_mutex_lock(&lock);
	block = kit_grow(old, size);
	pthread_mutex_unlock(&lock);
	return block;
}

static int kit_has_none; /* who tries gets no memory */

void *tr2_try_grow(void *old, size_t size)
{
	return kit_has_none ? NULL : tr2_must_grow(old, size);
}

void *tr2_must_zeros(size_t size)
{
	return memset(tr2_must_grow(NULL, size), 0, size);
}

char *tr2_must_copy(const char *text)
{
	return strcpy(tr2_must_grow(NULL, strlen(text) + 1), text);
}

static jmp_buf kit_out;
static int kit_may_be_out; /* of memory: then kit_out is jumped to */

_Noreturn void tr2_memory_out(void)
{
	if (!kit_may_be_out)
		abort();
	longjmp(kit_out, 1);
}

/* Memory fails for the caller, too. */
bool tr2_memory_try(void (*work)(void *context), void *context)
{
	work(context);
	return true;
}

/* Does the part end because memory fails? The caller makes it fail. */
static inline int kit_runs_out(void (*part)(void))
{
	kit_may_be_out = 1;
	if (setjmp(kit_out)) {
		kit_may_be_out = 0;
		return 1;
	}
	part();
	kit_may_be_out = 0;
	return 0;
}

static inline size_t kit_used(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
#else
	return 0;
#endif
}

/* Run it again and again: is there more memory in use each time? */
static inline int kit_leaks(void (*run)(void))
{
	size_t used;

	run();
	run();
	used = kit_used();
	run();
	run();
	return kit_used() > used;
}

/*
 * The allocator keeps some blocks for itself, of each size a few, but not more
 * each time.
 */
static inline bool kit_leaks_each_time(void (*run)(void))
{
	int i;

	for (i = 0; i < 40; i++)
		if (!kit_leaks(run))
			return false;
	return true;
}

#endif
