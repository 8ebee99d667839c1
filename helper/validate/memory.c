#include "validate/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *tr2_must_grow(void *old, size_t size)
{
	void *memory = realloc(old, size);

	if (!memory)
		tr2_memory_out();
	return memory;
}

void *tr2_must_zeros(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory)
		tr2_memory_out();
	return memory;
}

char *tr2_must_copy(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(tr2_must_grow(NULL, size), text, size);
}

_Noreturn void tr2_memory_out(void)
{
	fflush(stdout);
	fputs("trace2: out of memory\n", stderr);
	exit(3);
}
