#include "common/vec.h"

#include <stdlib.h>

#include "common/memory.h"

#define ROOM_FIRST 4
#define ROOM_KEPT 64

void *tr2_vec_add(struct tr2_vec *vec, size_t size)
{
	if (vec->count == vec->room) {
		vec->room = vec->room ? 2 * vec->room : ROOM_FIRST;
		vec->items = tr2_must_grow(vec->items, vec->room * size);
	}
	return (char *)vec->items + vec->count++ * size;
}

void tr2_vec_clear(struct tr2_vec *vec)
{
	vec->count = 0;
	if (vec->room > ROOM_KEPT)
		tr2_vec_release(vec);
}

void tr2_vec_sort(struct tr2_vec *vec, size_t size,
		  int (*compare)(const void *, const void *))
{
	if (vec->count)
		qsort(vec->items, vec->count, size, compare);
}

void tr2_vec_release(struct tr2_vec *vec)
{
	free(vec->items);
	*vec = (struct tr2_vec){ NULL, 0, 0 };
}
