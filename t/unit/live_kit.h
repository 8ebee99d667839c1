/* live_kit.h - an allocator that knows how much was not given back. */
#ifndef LIVE_KIT_H
#define LIVE_KIT_H

#include <stdlib.h>

static int live; /* blocks that were not given back */

static inline void *counting_realloc(void *old, size_t size)
{
	live += !old;
	return realloc(old, size);
}

static inline void counting_free(void *memory)
{
	live -= memory != NULL;
	free(memory);
}

#endif
