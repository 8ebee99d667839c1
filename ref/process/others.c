/*
 * The other threads at the end of a process: nothing follows its atexit or
 * its signal, and what they write comes from calls that began before.
 * SPEC: order.atexit-last, stream.signal.last
 */
#include "process/process.h"

#include "host/wait.h"

void tr2_others_add(struct tr2_thread *self)
{
	if (!self)
		return;
	pthread_mutex_lock(&tr2_process.threads_lock);
	self->before = NULL;
	self->after = tr2_process.first_thread;
	if (self->after)
		self->after->before = self;
	tr2_process.first_thread = self;
	pthread_mutex_unlock(&tr2_process.threads_lock);
}

void tr2_others_remove(struct tr2_thread *self)
{
	pthread_mutex_lock(&tr2_process.threads_lock);
	if (self->before)
		self->before->after = self->after;
	else
		tr2_process.first_thread = self->after;
	if (self->after)
		self->after->before = self->before;
	pthread_mutex_unlock(&tr2_process.threads_lock);
}

void tr2_others_forget(struct tr2_thread *self)
{
	tr2_process.first_thread = self;
	if (self)
		self->before = self->after = NULL;
}

static int is_any_busy(const struct tr2_thread *self)
{
	const struct tr2_thread *other = tr2_process.first_thread;

	while (other && (other == self ||
			 !__atomic_load_n(&other->busy, __ATOMIC_ACQUIRE)))
		other = other->after;
	return other != NULL;
}

/* A signal handler may have interrupted who has the lock. */
void tr2_others_finish(const struct tr2_thread *self)
{
	int busy;

	do {
		if (pthread_mutex_trylock(&tr2_process.threads_lock))
			continue;
		busy = is_any_busy(self);
		pthread_mutex_unlock(&tr2_process.threads_lock);
		if (!busy)
			return;
	} while (tr2_wait_moment(&tr2_process.waited_ns));
}
