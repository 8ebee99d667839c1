#include "host/heap.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "host/host.h"

#define SMALLEST 32
#define LISTS 8 /* 32, 64, … 4096 bytes */
#define SLAB 32768
#define PAGE 4096
#define PATIENCE 200
#define YIELDS 20 /* of them */

/* Before the bytes; their alignment is that of any type. */
union block {
	struct {
		size_t size; /* of the whole block */
		union block *next;
	} is;
	max_align_t align;
};

/* Free blocks of one size. All members are atomic. */
static struct list {
	union block *first;
	unsigned takers; /* who has taken all of them for a moment */
} lists[LISTS];

/* LISTS: too large for a list. */
static unsigned find_list(size_t size)
{
	unsigned list = 0;

	while (list < LISTS && size > (size_t)SMALLEST << list)
		list++;
	return list;
}

static void give_back(struct list *list, union block *first, union block *last)
{
	last->is.next = __atomic_load_n(&list->first, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&list->first, &last->is.next, first,
					    1, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
}

/* Returns the first of new blocks; the others are the list's. */
static union block *cut_slab(struct list *list, size_t size)
{
	char *slab = tr2_host_system.pages(SLAB);
	union block *block, *first = NULL;

	if (!slab)
		return NULL;
	for (size_t at = SLAB; at; at -= size) {
		block = (union block *)(void *)(slab + at - size);
		block->is.size = size;
		block->is.next = first;
		first = block;
	}
	if (SLAB > size)
		give_back(list, first->is.next,
			  (union block *)(void *)(slab + SLAB - size));
	return first;
}

/* Give back all but the first. */
static void keep_first(struct list *list, union block *first)
{
	union block *rest = first->is.next, *last, *none = NULL;

	if (!rest ||
	    __atomic_compare_exchange_n(&list->first, &none, rest, 0,
					__ATOMIC_RELEASE, __ATOMIC_RELAXED))
		return;
	for (last = rest; last->is.next; last = last->is.next)
		;
	give_back(list, rest, last);
}

/*
 * Take all for a moment, so that nobody else changes what this thread reads.
 * NULL: there are none, or another thread is doing the same.
 */
static union block *take_free(struct list *list)
{
	union block *first;

	__atomic_fetch_add(&list->takers, 1, __ATOMIC_ACQUIRE);
	first = __atomic_exchange_n(&list->first, NULL, __ATOMIC_ACQUIRE);
	if (first)
		keep_first(list, first);
	__atomic_fetch_sub(&list->takers, 1, __ATOMIC_RELEASE);
	return first;
}

/*
 * Without the patience each meeting of two threads would cost a slab. It ends,
 * for a handler may have interrupted the other one.
 */
static union block *take_block(struct list *list, size_t size)
{
	unsigned patience = PATIENCE;
	union block *first;

	do {
		first = take_free(list);
		if (first)
			return first;
	} while (__atomic_load_n(&list->takers, __ATOMIC_ACQUIRE) &&
		 patience-- && (patience > YIELDS || !sched_yield()));
	return cut_slab(list, size);
}

static union block *make_large(size_t size)
{
	const size_t whole = (size + PAGE - 1) / PAGE * PAGE;
	union block *block = whole < size ? NULL : tr2_host_system.pages(whole);

	if (block)
		block->is.size = whole;
	return block;
}

static void *make_bytes(size_t len)
{
	const size_t size = len + sizeof(union block);
	const unsigned list = find_list(size);
	union block *block = NULL;

	if (size > len)
		block = list < LISTS ? take_block(&lists[list],
						  (size_t)SMALLEST << list)
				     : make_large(size);
	if (block)
		return block + 1;
	errno = ENOMEM;
	return NULL;
}

/* heap_own.c replaces it in the libraries. */
__attribute__((weak)) int tr2_heap_is_libc = 1;

void *tr2_heap_realloc(void *old, size_t size)
{
	size_t room;
	void *bytes;

	if (tr2_heap_is_libc)
		return realloc(old, size + !size);
	if (!old)
		return make_bytes(size + !size);
	room = ((union block *)old)[-1].is.size - sizeof(union block);
	if (size <= room)
		return old;
	bytes = make_bytes(size);
	if (!bytes)
		return NULL;
	memcpy(bytes, old, room);
	tr2_heap_free(old);
	return bytes;
}

void tr2_heap_free(void *memory)
{
	union block *block = memory;
	const int error = errno;
	unsigned list;

	if (tr2_heap_is_libc) {
		free(memory);
		return;
	}
	if (!block)
		return;
	list = find_list((--block)->is.size);
	if (list < LISTS)
		give_back(&lists[list], block, block);
	else
		munmap(block, block->is.size);
	errno = error;
}
