#include "read/value.h"
#include "rules/stream/step.h"

/* A limit, so that no log can make lists grow without end. */
#define NUMBERED_MAX 65536

/*
 * Returns the place of the first id that is not smaller; the list is sorted.
 * Threads may number children in another order than that of the lines.
 */
static uint32_t find_place(const struct tr2_vec *vec, int64_t id)
{
	const struct tr2_numbered *items = vec->items;
	uint32_t low = 0, high = vec->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (items[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct tr2_numbered *tr2_number_find(const struct tr2_vec *vec, int64_t id)
{
	struct tr2_numbered *items = vec->items;
	uint32_t place = find_place(vec, id);

	return place < vec->count && items[place].id == id ? &items[place]
							   : NULL;
}

void tr2_number_add(struct tr2_step *step, struct tr2_vec *vec, int64_t id,
		    unsigned long line)
{
	uint32_t place = find_place(vec, id), behind = vec->count - place;
	struct tr2_numbered *items;

	if (vec->count == NUMBERED_MAX) {
		step->session->damaged = true;
		return;
	}
	tr2_vec_add(vec, sizeof(*items));
	items = vec->items;
	memmove(items + place + 1, items + place, behind * sizeof(*items));
	items[place] = (struct tr2_numbered){
		.id = id,
		.line = line,
		.time = line ? tr2_record_time(step->record) : 0,
	};
}
