#define _GNU_SOURCE /* affinity is not of POSIX */
#include "validate/place.h"

#include <stdbool.h>

#ifdef __linux__
#include <sched.h>

/* The processors that may be used, and of these the others than this one. */
static bool find_others(cpu_set_t *allowed, cpu_set_t *others)
{
	int here = sched_getcpu();

	if (here < 0 || sched_getaffinity(0, sizeof(*allowed), allowed))
		return false;
	*others = *allowed;
	CPU_CLR((size_t)here, others);
	return CPU_COUNT(others);
}

int tr2_place_thread(pthread_t *thread, void *(*run)(void *), void *context)
{
	cpu_set_t allowed, others;
	pthread_attr_t attr;
	int error;

	if (!find_others(&allowed, &others) || pthread_attr_init(&attr))
		return pthread_create(thread, NULL, run, context);
	pthread_attr_setaffinity_np(&attr, sizeof(others), &others);
	error = pthread_create(thread, &attr, run, context);
	pthread_attr_destroy(&attr);
	if (!error)
		pthread_setaffinity_np(*thread, sizeof(allowed), &allowed);
	return error;
}
#else
int tr2_place_thread(pthread_t *thread, void *(*run)(void *), void *context)
{
	return pthread_create(thread, NULL, run, context);
}
#endif
