/*
 * memory.h - an allocator that counts, and fails on request. New bytes are not
 * zero, and neither are those that were given back. Writes beyond a block are
 * what `make check-sanitizers` finds.
 */
#ifndef UNIT_KIT_MEMORY_H
#define UNIT_KIT_MEMORY_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/host.h"
#include "kit/tap.h"

static int memory_live;	   /* blocks that were not given back */
static int memory_calls;   /* for memory, since the last sweep began */
static int memory_fail_at; /* that call fails; 0: none does */
static int memory_fail_on; /* and so do all later ones */

/* A thread that ends gives memory back when another one may, too. */
static inline void memory_add(int *count, int more)
{
	__atomic_fetch_add(count, more, __ATOMIC_RELAXED);
}

static inline void memory_free(void *memory)
{
	if (!memory)
		return;
	memory_add(&memory_live, -1);
	memset(memory, 0x5a, malloc_usable_size(memory));
	free(memory);
}

static inline void *memory_realloc(void *old, size_t size)
{
	const size_t kept = old ? malloc_usable_size(old) : 0;
	char *block;

	memory_calls++;
	if (memory_calls == memory_fail_at ||
	    (memory_fail_on && memory_calls > memory_fail_at))
		return NULL;
	block = malloc(size);
	tap_need(block);
	memset(block, 0xa5, malloc_usable_size(block));
	memory_add(&memory_live, 1);
	if (old)
		memcpy(block, old, kept < size ? kept : size);
	memory_free(old);
	return block;
}

/* The next `call`th call for memory fails. */
static inline void memory_fail(int call)
{
	memory_calls = 0;
	memory_fail_at = call;
}

/* Memory that nothing can be read before; *end: nor there. */
static inline char *memory_page(char **end)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *page = mmap(NULL, 3 * size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	tap_need(page != MAP_FAILED && !mprotect(page, size, PROT_NONE) &&
		 !mprotect(page + 2 * size, size, PROT_NONE));
	*end = page + 2 * size;
	return page + size;
}

static inline void memory_install(struct tr2_host *host)
{
	host->realloc = memory_realloc;
	host->free = memory_free;
	tr2_host = host;
}

#endif
