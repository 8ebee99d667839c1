#include "host/memory.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "host/host.h"

#define LARGEST (SIZE_MAX / 4)

static unsigned failures; /* atomic */

void *tr2_memory_realloc(void *old, size_t size)
{
	int error = errno;
	void *memory = tr2_host->realloc(old, size);

	if (!memory)
		__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
	errno = error;
	return memory;
}

unsigned tr2_memory_failures(void)
{
	return __atomic_load_n(&failures, __ATOMIC_RELAXED);
}

void *tr2_memory_grow(void *array, size_t *room, size_t index, size_t size)
{
	size_t more = 4;
	char *grown;

	if (index < *room)
		return array;
	if (index > LARGEST / size)
		return NULL;
	while (more <= index)
		more *= 2;
	grown = tr2_memory_realloc(array, more * size);
	if (!grown)
		return NULL;
	memset(grown + *room * size, 0, (more - *room) * size);
	*room = more;
	return grown;
}

char *tr2_memory_copy(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = tr2_memory_realloc(NULL, size);

	return copy ? memcpy(copy, text, size) : NULL;
}

void tr2_memory_zero(void *memory, size_t size)
{
	memset(memory, 0, size);
}
