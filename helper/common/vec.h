/*
 * vec.h - items of one size, one behind the other, that only get more
 * until all are dropped. The memory is kept for the next ones.
 */
#ifndef TR2_COMMON_VEC_H
#define TR2_COMMON_VEC_H

#include <stddef.h>
#include <stdint.h>

struct tr2_vec {
	void *items;
	uint32_t count, room;
};

/* Room for one more item at the end: uninitialized, and counted. */
void *tr2_vec_add(struct tr2_vec *vec, size_t size);

/* The same, or NULL if there is no memory: nothing has changed then. */
void *tr2_vec_try_add(struct tr2_vec *vec, size_t size);

/* The item at `place`, now all 0: one of those there are, or the next one. */
void *tr2_vec_renew(struct tr2_vec *vec, size_t place, size_t size);

/* Drop all items, and the memory too if it is much. */
void tr2_vec_clear(struct tr2_vec *vec);

/* As qsort() does it. */
void tr2_vec_sort(struct tr2_vec *vec, size_t size,
		  int (*compare)(const void *, const void *));

void tr2_vec_release(struct tr2_vec *vec);

/* What compare() gives of two numbers. */
static inline int tr2_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

#endif
