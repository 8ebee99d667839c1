/* live.h - an allocator that knows how much was not given back. */
#ifndef UNIT_KIT_LIVE_H
#define UNIT_KIT_LIVE_H

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
