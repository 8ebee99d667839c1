/*
 * The other threads at the end of a process: nothing follows its atexit or
 * its signal, and what they write comes from calls that began before.
 * SPEC: order.atexit-last, stream.signal.last
 *
 * Each thread that traces has a place in a list that only grows: a thread
 * that ends leaves its place to another one. So nobody needs a lock, and a
 * signal handler can read the list.
 */
#include "process/process.h"

#include "host/host.h"
#include "host/memory.h"
#include "host/wait.h"

static struct tr2_thread_place *first_place(void)
{
	return __atomic_load_n(&tr2_process.first_place, __ATOMIC_ACQUIRE);
}

static struct tr2_thread_place *take_free_place(void)
{
	struct tr2_thread_place *place;

	for (place = first_place(); place; place = place->next)
		if (!__atomic_exchange_n(&place->is_taken, 1, __ATOMIC_ACQUIRE))
			return place;
	return NULL;
}

static void link_place(struct tr2_thread_place *place)
{
	place->next = first_place();
	while (!__atomic_compare_exchange_n(&tr2_process.first_place,
					    &place->next, place, 1,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

static struct tr2_thread_place *make_place(void)
{
	struct tr2_thread_place *place =
		tr2_memory_realloc(NULL, sizeof(*place));

	if (!place)
		return NULL;
	*place = (struct tr2_thread_place){ .is_taken = 1 };
	link_place(place);
	return place;
}

int tr2_others_add(struct tr2_thread *self)
{
	self->place = take_free_place();
	if (!self->place)
		self->place = make_place();
	return self->place ? 0 : -1;
}

void tr2_others_remove(struct tr2_thread *self)
{
	__atomic_store_n(&self->place->busy, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&self->place->is_taken, 0, __ATOMIC_RELEASE);
	self->place = NULL;
}

void tr2_others_forget(const struct tr2_thread *self)
{
	tr2_process.first_place = NULL;
	if (self && self->place)
		link_place(self->place);
}

static int is_any_busy(const struct tr2_thread *self)
{
	const struct tr2_thread_place *own = self ? self->place : NULL;
	const struct tr2_thread_place *place = first_place();

	while (place && (place == own ||
			 !__atomic_load_n(&place->busy, __ATOMIC_ACQUIRE)))
		place = place->next;
	return place != NULL;
}

void tr2_others_finish(const struct tr2_thread *self)
{
	while (is_any_busy(self) && tr2_wait_moment(&tr2_process.waited_ns))
		;
}
