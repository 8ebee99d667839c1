#define _GNU_SOURCE /* affinity is not of POSIX */
#include "validate/place.h"

#ifdef __linux__
#include <sched.h>

/* Move the thread to another processor, if there is one. */
static void move_away(pthread_t thread)
{
	cpu_set_t allowed, others;

	CPU_ZERO(&allowed);
	sched_getaffinity(0, sizeof(allowed), &allowed);
	others = allowed;
	CPU_CLR((size_t)sched_getcpu(), &others);
	if (!pthread_setaffinity_np(thread, sizeof(others), &others))
		pthread_setaffinity_np(thread, sizeof(allowed), &allowed);
}
#else
static void move_away(pthread_t thread)
{
	(void)thread;
}
#endif

int tr2_place_thread(pthread_t *thread, void *(*run)(void *), void *context)
{
	int error = pthread_create(thread, NULL, run, context);

	if (!error)
		move_away(*thread);
	return error;
}
