#include "lib/common/memory.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) void *tr2_must_grow(void *old, size_t size)
{
	void *memory = realloc(old, size);

	if (!memory)
		tr2_memory_out();
	return memory;
}

void *tr2_try_grow(void *old, size_t size)
{
	return realloc(old, size);
}

/*
 * If a page of calloc()'s is read before it is written, the system maps it
 * twice, and stops all threads the second time. So the memory is cleared by
 * writing. tr2_must_grow() is not inlined, because a compiler that sees both
 * would make a calloc() of them.
 */
void *tr2_must_zeros(size_t size)
{
	return memset(tr2_must_grow(NULL, size), 0, size);
}

char *tr2_must_copy(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(tr2_must_grow(NULL, size), text, size);
}

static __thread jmp_buf *way_back; /* of the work that may fail, or NULL */

bool tr2_memory_try(void (*work)(void *context), void *context)
{
	jmp_buf back;
	bool done = false;

	way_back = &back;
	if (!setjmp(back)) {
		work(context);
		done = true;
	}
	way_back = NULL;
	return done;
}

static void (*clean_up)(void);

void tr2_memory_before_out(void (*clean)(void))
{
	clean_up = clean;
}

/*
 * Other threads go on meanwhile, and may be out of memory, too. exit(3) would
 * destroy the objects of C++ libraries that they use.
 */
_Noreturn void tr2_memory_out(void)
{
	if (way_back)
		longjmp(*way_back, 1);
	fflush(stdout);
	fputs("trace2: out of memory\n", stderr);
	if (clean_up)
		clean_up();
	_exit(3);
}
