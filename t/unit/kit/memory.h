/*
 * memory.h - an allocator that counts, checks for bytes written beyond a
 * block, and fails on request.
 */
#ifndef UNIT_KIT_MEMORY_H
#define UNIT_KIT_MEMORY_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/host.h"
#include "kit/tap.h"

#define MEMORY_FENCE 16 /* bytes before and after each block */

static int memory_live;	   /* blocks that were not given back */
static int memory_broken;  /* blocks that were written beyond */
static int memory_calls;   /* for memory, since the last sweep began */
static int memory_fail_at; /* that call fails; 0: none does */
static int memory_fail_on; /* and so do all later ones */

/*
 * For programs whose memory is never given back: where each block begins,
 * for who looks for blocks that nothing points at.
 */
static int memory_keeps;
static void *memory_kept[1024];

static const char memory_fence[MEMORY_FENCE + 1] = "~~~~~~~~~~~~~~~~";

/* A thread that ends gives memory back when another one may, too. */
static inline void memory_add(int *count, int more)
{
	__atomic_fetch_add(count, more, __ATOMIC_RELAXED);
}

static inline void memory_keep(const void *block, void *other)
{
	size_t i = 0;

	if (!memory_keeps)
		return;
	while (i < 1023 && memory_kept[i] != block)
		i++;
	memory_kept[i] = other;
}

static inline int memory_is_broken(const char *block)
{
	size_t size;

	memcpy(&size, block, sizeof(size));
	return memcmp(block + MEMORY_FENCE + size, memory_fence,
		      MEMORY_FENCE) != 0;
}

/* Blocks that were written beyond, those that are kept included. */
static inline int memory_breaches(void)
{
	int count = memory_broken;

	for (size_t i = 0; i < 1023; i++)
		count += memory_kept[i] && memory_is_broken(memory_kept[i]);
	return count;
}

static inline void memory_free(void *memory)
{
	char *block = memory;
	size_t size;

	if (!block)
		return;
	block -= MEMORY_FENCE;
	memcpy(&size, block, sizeof(size));
	memory_add(&memory_broken, memory_is_broken(block));
	memory_add(&memory_live, -1);
	memory_keep(block, NULL);
	memset(block, 0x5a, MEMORY_FENCE + size);
	free(block);
}

static inline void *memory_realloc(void *old, size_t size)
{
	char *block;
	size_t kept;

	memory_calls++;
	if (memory_calls == memory_fail_at ||
	    (memory_fail_on && memory_calls > memory_fail_at))
		return NULL;
	block = malloc(size + 2 * MEMORY_FENCE);
	tap_need(block);
	memcpy(block, &size, sizeof(size));
	memset(block + MEMORY_FENCE, 0xa5, size);
	memcpy(block + MEMORY_FENCE + size, memory_fence, MEMORY_FENCE);
	memory_add(&memory_live, 1);
	memory_keep(NULL, block);
	if (old) {
		memcpy(&kept, (char *)old - MEMORY_FENCE, sizeof(kept));
		memcpy(block + MEMORY_FENCE, old, kept < size ? kept : size);
		memory_free(old);
	}
	return block + MEMORY_FENCE;
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
