/*
 * validate.h - memory for the validator, instead of its own: new bytes are not
 * zero, and it ends when a test says so. Leaks, and writes beyond a block, are
 * what `make check-sanitizers` finds.
 */
#ifndef UNIT_KIT_VALIDATE_H
#define UNIT_KIT_VALIDATE_H

#include <malloc.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kit/tap.h"
#include "lib/common/memory.h"

static int kit_fill = 0xa5; /* in new bytes */

void *tr2_must_grow(void *old, size_t size)
{
	size_t kept = old ? malloc_usable_size(old) : 0;
	char *block = realloc(old, size);

	if (!block && size)
		abort();
	if (size > kept)
		memset(block + kept, kit_fill, size - kept);
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
	tap_need(kit_may_be_out);
	longjmp(kit_out, 1);
}

void tr2_memory_before_out(void (*clean)(void))
{
	(void)clean;
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

#endif
