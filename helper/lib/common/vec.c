#include "lib/common/vec.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"

#define ROOM_FIRST 4
#define ROOM_KEPT 64

static void *next_item(struct tr2_vec *vec, size_t size)
{
	return (char *)vec->items + vec->count++ * size;
}

static uint32_t more_room(const struct tr2_vec *vec)
{
	return vec->room ? 2 * vec->room : ROOM_FIRST;
}

void *tr2_vec_add(struct tr2_vec *vec, size_t size)
{
	if (vec->count == vec->room) {
		vec->room = more_room(vec);
		vec->items = tr2_must_grow(vec->items, vec->room * size);
	}
	return next_item(vec, size);
}

void *tr2_vec_try_add(struct tr2_vec *vec, size_t size)
{
	void *items;

	if (vec->count == vec->room) {
		items = tr2_try_grow(vec->items, more_room(vec) * size);
		if (!items)
			return NULL;
		vec->room = more_room(vec);
		vec->items = items;
	}
	return next_item(vec, size);
}

void *tr2_vec_renew(struct tr2_vec *vec, size_t place, size_t size)
{
	void *item = place < vec->count ? (char *)vec->items + place * size
					: tr2_vec_add(vec, size);

	return memset(item, 0, size);
}

void *tr2_vec_reach(struct tr2_vec *vec, size_t place, size_t size)
{
	while (vec->count <= place)
		tr2_vec_renew(vec, vec->count, size);
	return (char *)vec->items + place * size;
}

void *tr2_vec_insert(struct tr2_vec *vec, size_t place, size_t size)
{
	const size_t after = vec->count - place;
	char *item;

	tr2_vec_add(vec, size);
	item = (char *)vec->items + place * size;
	memmove(item + size, item, after * size);
	return item;
}

void tr2_vec_remove(struct tr2_vec *vec, size_t place, size_t size)
{
	char *item = (char *)vec->items + place * size;

	memmove(item, item + size, (--vec->count - place) * size);
}

void tr2_vec_clear(struct tr2_vec *vec)
{
	vec->count = 0;
	if (vec->room > ROOM_KEPT)
		tr2_vec_release(vec);
}

/* Most lists are in order already. */
void tr2_vec_sort(struct tr2_vec *vec, size_t size,
		  int (*compare)(const void *, const void *))
{
	const char *item = vec->items;
	uint32_t i;

	for (i = 1; i < vec->count; i++, item += size)
		if (compare(item, item + size) > 0)
			break;
	if (i < vec->count)
		qsort(vec->items, vec->count, size, compare);
}

static int compare_numbers(const void *left, const void *right)
{
	return tr2_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

void tr2_vec_sort_numbers(struct tr2_vec *vec)
{
	tr2_vec_sort(vec, sizeof(uint64_t), compare_numbers);
}

void tr2_vec_release(struct tr2_vec *vec)
{
	free(vec->items);
	*vec = (struct tr2_vec){ NULL, 0, 0 };
}
