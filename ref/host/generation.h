/*
 * generation.h - tell a process from those that it was forked from.
 *
 * A pid does not do that: in a new namespace parent and child are both 1.
 * The number lies in a page that the system empties in a forked child, so a
 * child has another one as soon as it exists: before any handler of fork(2)
 * has run, on whichever thread, and after a bare clone(2).
 */
#ifndef TR2_HOST_GENERATION_H
#define TR2_HOST_GENERATION_H

#include <stdint.h>

/* Atomic: the page, or memory that says nothing. */
extern uint32_t *tr2_generation_place;

/* Give this process a number, and return it. Async-signal-safe. */
uint32_t tr2_generation_find(void);

/*
 * Has fork(2) made this process? Then what it inherited is its own. A bare
 * clone(2) may share its parent's descriptors. Async-signal-safe.
 */
int tr2_generation_is_forked(void);

/*
 * Is this a child of vfork(2), which uses its parent's memory, and its number,
 * but has descriptors and threads of its own? Async-signal-safe.
 */
int tr2_generation_is_guest(void);

/*
 * Returns this process's number, which none of its ancestors has; never 0.
 * Async-signal-safe; keeps errno.
 */
static inline uint32_t tr2_generation(void)
{
	const uint32_t *place =
		__atomic_load_n(&tr2_generation_place, __ATOMIC_ACQUIRE);
	const uint32_t number = __atomic_load_n(place, __ATOMIC_RELAXED);

	return number ? number : tr2_generation_find();
}

#endif
