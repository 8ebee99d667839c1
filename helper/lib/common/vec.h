/*
 * vec.h - an array of items of one size, which only grows until all items are
 * dropped. It keeps its memory for the next ones.
 */
#ifndef TR2_COMMON_VEC_H
#define TR2_COMMON_VEC_H

#include <stddef.h>
#include <stdint.h>

struct tr2_vec {
	void *items;
	uint32_t count, room;
};

/* Add an item at the end and return it; it is not initialized. */
void *tr2_vec_add(struct tr2_vec *vec, size_t size);

/* The same, or NULL if there is no memory: nothing has changed then. */
void *tr2_vec_try_add(struct tr2_vec *vec, size_t size);

/* The item at `place`, now all 0: one of those there are, or the next one. */
void *tr2_vec_renew(struct tr2_vec *vec, size_t place, size_t size);

/* The item at `place`; those up to it that were not there are now all 0. */
void *tr2_vec_reach(struct tr2_vec *vec, size_t place, size_t size);

/* Make room for an item at this place, before which others stay. */
void *tr2_vec_insert(struct tr2_vec *vec, size_t place, size_t size);

/* Take out the item at this place; those after it move up. */
void tr2_vec_remove(struct tr2_vec *vec, size_t place, size_t size);

/* Drop all items; free the memory, too, if it is much. */
void tr2_vec_clear(struct tr2_vec *vec);

/* Sort as qsort() does. */
void tr2_vec_sort(struct tr2_vec *vec, size_t size,
		  int (*compare)(const void *, const void *));

/* The same of uint64_t. */
void tr2_vec_sort_numbers(struct tr2_vec *vec);

/* Add one of TYPE that is made of these values, or is this one. */
#define TR2_VEC_PUT(vec, type, ...) \
	TR2_VEC_COPY(vec, type, ((type){ __VA_ARGS__ }))
#define TR2_VEC_COPY(vec, type, value) \
	(*(type *)tr2_vec_add(vec, sizeof(type)) = (value))

void tr2_vec_release(struct tr2_vec *vec);

/*
 * Make a function that returns an item: FUNCTION(struct OWNER *, place), of the
 * MEMBER of the owner that is a vec of struct ITEM.
 */
#define TR2_VEC_AT(function, owner, member, item)                       \
	static inline struct item *function(const struct owner *vec_of, \
					    size_t place)               \
	{                                                               \
		return (struct item *)vec_of->member.items + place;     \
	}                                                               \
	struct item

/*
 * Set `place` to the first of so many places for which the condition, which is
 * about `place`, is false; it has to be true for all before that.
 */
#define TR2_SEARCH(place, count, is_before)                  \
	do {                                                 \
		uint32_t low_ = 0, high_ = (count);          \
                                                             \
		while (low_ < high_) {                       \
			(place) = low_ + (high_ - low_) / 2; \
			if (is_before)                       \
				low_ = (place) + 1;          \
			else                                 \
				high_ = (place);             \
		}                                            \
		(place) = low_;                              \
	} while (0)

/*
 * Make a function that compares two of struct TYPE `a` and `b`, by a member (or
 * by it, the highest first), and by the NEXT if they are equal in that.
 */
#define TR2_COMPARE(function, type, order)                       \
	static int function(const void *left, const void *right) \
	{                                                        \
		const struct type *a = left, *b = right;         \
                                                                 \
		return order;                                    \
	}                                                        \
	struct type
#define TR2_BY(member, next) TR2_THEN(a->member, b->member, next)
#define TR2_BY_LAST(member, next) TR2_THEN(b->member, a->member, next)
#define TR2_BY_TEXT(member, next) \
	TR2_THEN(strcmp(a->member, b->member), 0, next)
#define TR2_THEN(one, other, next) \
	((one) != (other) ? ((one) < (other) ? -1 : 1) : (next))

/* The same where the items are places of struct TYPE. */
#define TR2_COMPARE_PLACES(function, type, order)                    \
	static int function(const void *left, const void *right)     \
	{                                                            \
		const struct type *a = *(struct type *const *)left;  \
		const struct type *b = *(struct type *const *)right; \
                                                                     \
		return order;                                        \
	}                                                            \
	struct type

/* The result of a compare() of two numbers. */
static inline int tr2_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

#endif
