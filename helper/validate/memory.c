#include "validate/memory.h"

#include <stdio.h>
#include <stdlib.h>

void *tr2_memory_grow(void *old, size_t size)
{
	void *memory = realloc(old, size);

	if (!memory)
		tr2_memory_out();
	return memory;
}

_Noreturn void tr2_memory_out(void)
{
	fflush(stdout);
	fputs("trace2: out of memory\n", stderr);
	exit(3);
}
